import { SETTINGS } from '../../../functions/src/settings/table.ts';
import { unlessMissing, type Google } from '../google.ts';
import type { Finding, Step } from '../step.ts';

const PROJECTS = 'cloudresourcemanager.googleapis.com/v3/projects';

/** Roles of the project with which the service account needs no others of the project. */
const BASIC_ROLES = ['roles/editor', 'roles/owner'];

/**
 * Roles of the project for builds and functions. Google gives the account the role Editor instead, unless the
 * organization forbids it by `iam.automaticIamGrantsForDefaultServiceAccounts`:
 * https://cloud.google.com/resource-manager/docs/organization-policy/restricting-service-accounts
 */
const PROJECT_ROLES = [
  'roles/cloudbuild.builds.builder',
  'roles/cloudtasks.enqueuer',
  'roles/datastore.user',
  'roles/eventarc.eventReceiver',
  'roles/firebaseauth.admin',
  'roles/run.invoker',
  'roles/storage.objectAdmin',
];

const PUSH_ROLE = 'roles/firebasecloudmessaging.admin';

/** Operators impersonate users with custom tokens, which the functions sign as their service account. */
const TOKEN_CREATOR = 'roles/iam.serviceAccountTokenCreator';

/** Cloud Tasks calls the functions as the account that enqueues. The role Editor has this right. */
const ACCOUNT_USER = 'roles/iam.serviceAccountUser';

interface Policy {
  etag?: string;
  version?: number;
  bindings?: { role: string; members: string[]; condition?: object }[];
}

/** The roles of the account that functions and their builds run as. */
export const rolesStep: Step = {
  title: 'Roles of the service account',
  check: async ({ google, projectId, values }) => {
    const email = await serviceAccountOf({ google, projectId });
    const project = `${PROJECTS}/${projectId}`;
    const account = `iam.googleapis.com/v1/projects/${projectId}/serviceAccounts/${email}`;
    const accountPolicy = await unlessMissing(google.post<Policy>(`${account}:getIamPolicy`, {}));
    if (accountPolicy === undefined) {
      return [
        {
          text: `The service account ${email} does not exist.`,
          advice: 'Google makes it with the APIs of the Blaze plan. Run npm run setup again after that.',
        },
      ];
    }
    // Without the version, a policy with conditions would lose them when it is written.
    const options = { requestedPolicyVersion: 3 };
    const projectPolicy = await google.post<Policy>(`${project}:getIamPolicy`, { options });
    const member = `serviceAccount:${email}`;
    const isEditor = BASIC_ROLES.some((role) => hasRole(projectPolicy, role, member));
    const isPushing = values[SETTINGS.pushMessages.name] === 'true';
    return [
      ...missingRoles(google, {
        resource: account,
        on: 'itself',
        policy: accountPolicy,
        member,
        roles: isEditor ? [TOKEN_CREATOR] : [TOKEN_CREATOR, ACCOUNT_USER],
      }),
      ...missingRoles(google, {
        resource: project,
        on: 'the project',
        policy: projectPolicy,
        member,
        roles: isEditor ? [] : [...PROJECT_ROLES, ...(isPushing ? [PUSH_ROLE] : [])],
      }),
    ];
  },
};

interface WantedRoles {
  /** Has the methods `getIamPolicy` and `setIamPolicy`. */
  resource: string;
  /** The resource in words. */
  on: string;
  policy: Policy;
  member: string;
  roles: readonly string[];
}

/** One finding for all roles, because each write needs the tag of the policy as it was read. */
function missingRoles(google: Google, { resource, on, policy, member, roles }: WantedRoles): Finding[] {
  const missing = roles.filter((role) => !hasRole(policy, role, member));
  if (missing.length === 0) return [];
  const added = missing.map((role) => ({ role, members: [member] }));
  return [
    {
      text: `${member.replace('serviceAccount:', '')} lacks roles on ${on}: ${missing.join(', ')}.`,
      action: `give the service account roles on ${on}: ${missing.join(', ')}`,
      apply: async () => {
        const bindings = [...(policy.bindings ?? []), ...added];
        await google.post(`${resource}:setIamPolicy`, { policy: { ...policy, bindings } });
      },
    },
  ];
}

/** A role with a condition does not count. */
function hasRole({ bindings = [] }: Policy, wanted: string, member: string): boolean {
  return bindings.some(
    ({ role, members, condition }) => role === wanted && members.includes(member) && condition === undefined,
  );
}

/** The account that functions run as by default: https://cloud.google.com/functions/docs/securing/function-identity */
export async function serviceAccountOf({
  google,
  projectId,
}: {
  google: Pick<Google, 'get'>;
  projectId: string;
}): Promise<string> {
  const { name } = await google.get<{ name: string }>(`${PROJECTS}/${projectId}`);
  return `${name.replace('projects/', '')}-compute@developer.gserviceaccount.com`;
}
