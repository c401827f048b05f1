import { SETTINGS } from '../../../functions/src/settings/table.ts';
import { unlessMissing, type Google, type Operation } from '../google.ts';
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

/**
 * Roles that a first deployment gives the account also if it has the role Editor. The set-up gives them before, because
 * the account of a workflow may not change the policy of the project.
 */
const DEPLOYMENT_ROLES = ['roles/eventarc.eventReceiver', 'roles/run.invoker'];

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

/** The roles of the account that functions and their builds run as, and of Google's agents that send events. */
export const rolesStep: Step = {
  title: 'Roles of the service accounts',
  check: async ({ google, projectId, values }) => {
    const number = await projectNumberOf({ google, projectId });
    const email = emailOf(number);
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
        grants: [{ member, roles: isEditor ? [TOKEN_CREATOR] : [TOKEN_CREATOR, ACCOUNT_USER] }],
      }),
      ...missingRoles(google, {
        resource: project,
        on: 'the project',
        policy: projectPolicy,
        grants: [
          {
            member,
            roles: isEditor ? DEPLOYMENT_ROLES : [...PROJECT_ROLES, ...(isPushing ? [PUSH_ROLE] : [])],
          },
          ...agentGrants(number),
        ],
        prepare: () => makeAgents(google, number),
      }),
    ];
  },
};

/** Roles of one account on a resource. */
interface Grant {
  member: string;
  roles: readonly string[];
}

/** Pub/Sub signs the calls of functions that get events, and Storage publishes the events of its objects. */
function agentGrants(projectNumber: string): Grant[] {
  const agent = (service: string) =>
    `serviceAccount:service-${projectNumber}@${service}.iam.gserviceaccount.com`;
  return [
    { member: agent('gcp-sa-pubsub'), roles: [TOKEN_CREATOR] },
    { member: agent('gs-project-accounts'), roles: ['roles/pubsub.publisher'] },
  ];
}

/** Google makes these agents when they are first needed. A policy with an account that does not exist is refused. */
async function makeAgents(google: Google, projectNumber: string): Promise<void> {
  const usage = 'serviceusage.googleapis.com/v1beta1';
  const pubsub = `${usage}/projects/${projectNumber}/services/pubsub.googleapis.com`;
  await google.finish(usage, await google.post<Operation>(`${pubsub}:generateServiceIdentity`, {}));
  await google.get(`storage.googleapis.com/storage/v1/projects/${projectNumber}/serviceAccount`);
}

interface WantedRoles {
  /** Has the methods `getIamPolicy` and `setIamPolicy`. */
  resource: string;
  /** The resource in words. */
  on: string;
  policy: Policy;
  grants: readonly Grant[];
  /** Runs before the policy is written. */
  prepare?: () => Promise<void>;
}

/** One finding for all roles, because each write needs the tag of the policy as it was read. */
function missingRoles(google: Google, { resource, on, policy, grants, prepare }: WantedRoles): Finding[] {
  const missing = grants
    .map(({ member, roles }) => ({ member, roles: roles.filter((role) => !hasRole(policy, role, member)) }))
    .filter(({ roles }) => roles.length > 0);
  if (missing.length === 0) return [];
  const texts = missing.map(
    ({ member, roles }) => `${nameOf(member)} lacks roles on ${on}: ${roles.join(', ')}.`,
  );
  const changes = missing.map(({ member, roles }) => `${roles.join(', ')} to ${nameOf(member)}`);
  const added = missing.flatMap(({ member, roles }) => roles.map((role) => ({ role, members: [member] })));
  return [
    {
      text: texts.join(' '),
      action: `give roles on ${on}: ${changes.join('; ')}`,
      apply: async () => {
        await prepare?.();
        const bindings = [...(policy.bindings ?? []), ...added];
        await google.post(`${resource}:setIamPolicy`, { policy: { ...policy, bindings } });
      },
    },
  ];
}

const nameOf = (member: string) => member.replace('serviceAccount:', '');

/** A role with a condition does not count. */
function hasRole({ bindings = [] }: Policy, wanted: string, member: string): boolean {
  return bindings.some(
    ({ role, members, condition }) => role === wanted && members.includes(member) && condition === undefined,
  );
}

interface Project {
  google: Pick<Google, 'get'>;
  projectId: string;
}

async function projectNumberOf({ google, projectId }: Project): Promise<string> {
  const { name } = await google.get<{ name: string }>(`${PROJECTS}/${projectId}`);
  return name.replace('projects/', '');
}

const emailOf = (projectNumber: string) => `${projectNumber}-compute@developer.gserviceaccount.com`;

/** The account that functions run as by default: https://cloud.google.com/functions/docs/securing/function-identity */
export async function serviceAccountOf(project: Project): Promise<string> {
  return emailOf(await projectNumberOf(project));
}
