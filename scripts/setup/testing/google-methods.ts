import { FIRESTORE_METHODS } from './google-firestore.ts';
import {
  masked,
  merged,
  NUMBER,
  path,
  SERVICE_ACCOUNT,
  type FakeProject,
  type Method,
} from './google-method.ts';
import { WEB_APP_METHODS } from './google-web-apps.ts';
import { enableServices, needsBilling } from './refusals.ts';

const SECRETS = 'secretmanager.googleapis.com/v1{project}/secrets';
const JOBS = 'cloudscheduler.googleapis.com/v1{project}/locations/europe-west1/jobs';
const AUTH = 'identitytoolkit.googleapis.com/v2{project}';

const jobOf = (id: string, job: object) => ({
  name: `projects/acme-1/locations/europe-west1/jobs/${id}`,
  ...job,
});

/** The methods with the query and the fields that their discovery documents publish, as far as they are used here. */
export const METHODS: Method[] = [
  {
    verb: 'GET',
    path: path('serviceusage.googleapis.com/v1{project}/services:batchGet'),
    query: ['names'],
    answer: ({ services }, { query }) => ({
      services: query.getAll('names').map((name) => ({
        name: name.replace('acme-1', NUMBER),
        state: services.has(name.split('/').at(-1) ?? '') ? 'ENABLED' : 'DISABLED',
      })),
    }),
  },
  {
    verb: 'POST',
    path: path('serviceusage.googleapis.com/v1{project}/services:batchEnable'),
    fields: ['serviceIds'],
    answer: (project, { body }) => {
      const ids = body['serviceIds'] as string[];
      if (ids.length > 20) return 403;
      return enableServices(project, ids) ?? { name: 'operations/enable-1' };
    },
  },
  {
    verb: 'GET',
    path: path('serviceusage.googleapis.com/v1/operations/enable-1'),
    answer: () => ({ name: 'operations/enable-1', done: true }),
  },
  {
    verb: 'POST',
    path: path(
      `serviceusage.googleapis.com/v1beta1/projects/${NUMBER}/services/pubsub.googleapis.com:generateServiceIdentity`,
    ),
    fields: [],
    answer: () => ({ name: 'operations/finished.DONE_OPERATION', done: true }),
  },
  {
    verb: 'GET',
    path: path(`storage.googleapis.com/storage/v1/projects/${NUMBER}/serviceAccount`),
    answer: () => ({ email_address: `service-${NUMBER}@gs-project-accounts.iam.gserviceaccount.com` }),
  },
  {
    verb: 'GET',
    path: path('cloudbilling.googleapis.com/v1{project}/billingInfo'),
    answer: ({ billingEnabled }) => ({ billingEnabled }),
  },
  {
    verb: 'GET',
    path: path('cloudresourcemanager.googleapis.com/v3{project}'),
    answer: () => ({ name: `projects/${NUMBER}`, projectId: 'acme-1' }),
  },
  {
    verb: 'POST',
    path: path('cloudresourcemanager.googleapis.com/v3{project}:getIamPolicy'),
    fields: ['options'],
    answer: ({ projectPolicy }) => projectPolicy,
  },
  {
    verb: 'POST',
    path: path('cloudresourcemanager.googleapis.com/v3{project}:setIamPolicy'),
    fields: ['policy'],
    answer: (project, { body }) => {
      const policy = body['policy'] as FakeProject['projectPolicy'];
      if (policy.etag !== project.projectPolicy.etag) return 403;
      project.projectPolicy = { ...policy, etag: `${policy.etag}+` };
      return project.projectPolicy;
    },
  },
  ...FIRESTORE_METHODS,
  ...WEB_APP_METHODS,
  {
    verb: 'GET',
    path: path('firebasestorage.googleapis.com/v1alpha{project}/defaultBucket'),
    answer: ({ bucketLocation }) =>
      bucketLocation === undefined
        ? 404
        : { bucket: { name: 'projects/acme-1/buckets/acme-1.firebasestorage.app' } },
  },
  {
    verb: 'POST',
    path: path('firebasestorage.googleapis.com/v1alpha{project}/defaultBucket'),
    fields: ['location'],
    answer: (project, { body }) => {
      if (!project.billingEnabled) return needsBilling('A bucket');
      project.bucketLocation = String(body['location']).toUpperCase();
      project.softDeleteSeconds = 7 * 86_400;
      return {};
    },
  },
  {
    verb: 'GET',
    path: path('storage.googleapis.com/storage/v1/b/acme-1.firebasestorage.app'),
    answer: ({ bucketLocation, softDeleteSeconds }) => ({
      location: bucketLocation,
      softDeletePolicy: { retentionDurationSeconds: String(softDeleteSeconds) },
    }),
  },
  {
    verb: 'PATCH',
    path: path('storage.googleapis.com/storage/v1/b/acme-1.firebasestorage.app'),
    fields: ['softDeletePolicy'],
    answer: (project, { body }) => {
      const { retentionDurationSeconds } = body['softDeletePolicy'] as { retentionDurationSeconds: string };
      project.softDeleteSeconds = Number(retentionDurationSeconds);
      return {};
    },
  },
  { verb: 'GET', path: path(`${AUTH}/config`), answer: ({ auth }) => auth ?? 404 },
  {
    verb: 'PATCH',
    path: path(`${AUTH}/config`),
    query: ['updateMask'],
    fields: ['signIn', 'authorizedDomains', 'notification', 'emailPrivacyConfig'],
    answer: (project, { body, query }) => {
      if (!masked(body, query.get('updateMask') ?? '')) return 403;
      project.auth = merged(project.auth ?? {}, body) as Record<string, unknown>;
      return project.auth;
    },
  },
  {
    verb: 'POST',
    path: path(`${AUTH}/identityPlatform:initializeAuth`),
    fields: [],
    answer: (project) => {
      if (!project.billingEnabled) return needsBilling('Identity Platform');
      project.auth = { authorizedDomains: ['localhost', 'acme-1.firebaseapp.com', 'acme-1.web.app'] };
      return {};
    },
  },
  {
    verb: 'GET',
    path: path(`${AUTH}/defaultSupportedIdpConfigs/google.com`),
    answer: ({ google }) => google ?? 404,
  },
  {
    verb: 'POST',
    path: path(`iam.googleapis.com/v1{project}/serviceAccounts/${SERVICE_ACCOUNT}:getIamPolicy`),
    fields: [],
    // Google makes the account with Compute Engine.
    answer: ({ policy, services }) => (services.has('compute.googleapis.com') ? policy : 404),
  },
  {
    verb: 'POST',
    path: path(`iam.googleapis.com/v1{project}/serviceAccounts/${SERVICE_ACCOUNT}:setIamPolicy`),
    fields: ['policy'],
    answer: (project, { body }) => {
      const policy = body['policy'] as FakeProject['policy'];
      // Without the tag of the read policy, a write would undo the changes of others.
      if (policy.etag !== project.policy.etag) return 403;
      project.policy = policy;
      return policy;
    },
  },
  {
    verb: 'GET',
    path: path(`${SECRETS}/*`),
    answer: ({ secrets }, { parts: [name = ''] }) => (secrets.has(name) ? { name } : 404),
  },
  {
    verb: 'GET',
    path: path(`${SECRETS}/*/versions/*:access`),
    answer: ({ secrets, disabledVersions }, { parts: [name = '', number = ''] }) => {
      const value = secrets.get(name)?.[Number(number) - 1];
      if (value === undefined) return 404;
      // FAILED_PRECONDITION.
      if (disabledVersions.has(`${name}/${number}`)) return 400;
      return { payload: { data: Buffer.from(value).toString('base64') } };
    },
  },
  {
    verb: 'GET',
    path: path(`${SECRETS}/*/versions/latest`),
    answer: ({ secrets, disabledVersions }, { parts: [name = ''] }) => {
      const number = secrets.get(name)?.length ?? 0;
      if (number === 0) return 404;
      const isDisabled = disabledVersions.has(`${name}/${number}`);
      return {
        name: `projects/${NUMBER}/secrets/${name}/versions/${number}`,
        state: isDisabled ? 'DISABLED' : 'ENABLED',
      };
    },
  },
  {
    verb: 'GET',
    path: path(`${SECRETS}/*/versions`),
    query: ['filter', 'pageSize'],
    answer: ({ secrets, disabledVersions }, { parts: [name = ''], query }) => {
      const enabled = (secrets.get(name) ?? [])
        .map((_value, at) => at + 1)
        .filter((number) => !disabledVersions.has(`${name}/${number}`));
      if (query.get('filter') !== 'state:ENABLED') return 403;
      // The newest version is the first.
      const versions = enabled.toReversed().map((number) => ({
        name: `projects/${NUMBER}/secrets/${name}/versions/${number}`,
        state: 'ENABLED',
      }));
      return secrets.has(name) ? { versions: versions.slice(0, Number(query.get('pageSize'))) } : 404;
    },
  },
  {
    verb: 'POST',
    path: path(SECRETS),
    query: ['secretId'],
    fields: ['replication', 'labels'],
    answer: ({ secrets }, { query }) => {
      secrets.set(query.get('secretId') ?? '', []);
      return {};
    },
  },
  {
    verb: 'POST',
    path: path(`${SECRETS}/*:addVersion`),
    fields: ['payload'],
    answer: ({ secrets }, { parts: [name = ''], body }) => {
      const { data } = body['payload'] as { data: string };
      const versions = secrets.get(name);
      versions?.push(Buffer.from(data, 'base64').toString());
      return versions === undefined ? 404 : {};
    },
  },
  {
    verb: 'GET',
    path: path(JOBS),
    query: ['pageToken'],
    answer: ({ jobs }) => ({ jobs: [...jobs].map(([id, job]) => jobOf(id, job)) }),
  },
  {
    verb: 'GET',
    path: path(`${JOBS}/*`),
    answer: ({ jobs }, { parts: [id = ''] }) => {
      const job = jobs.get(id);
      return job === undefined ? 404 : jobOf(id, job);
    },
  },
  {
    verb: 'POST',
    path: path(`${JOBS}/*:run`),
    fields: ['legacyAppEngineCron'],
    answer: ({ jobs }, { parts: [id = ''] }) => {
      jobs.set(id, { lastAttemptTime: '2026-11-22T12:00:00Z' });
      return {};
    },
  },
  {
    verb: 'GET',
    path: path('cloudtasks.googleapis.com/v2{project}/locations/europe-west1/queues'),
    query: ['pageToken'],
    answer: ({ queues }) => ({
      queues: [...queues].map(([id, state]) => ({
        name: `projects/acme-1/locations/europe-west1/queues/${id}`,
        state,
      })),
    }),
  },
  {
    verb: 'GET',
    path: path('cloudfunctions.googleapis.com/v2{project}/locations/europe-west1/functions'),
    query: ['pageToken'],
    answer: ({ functions }) => ({ functions }),
  },
  {
    verb: 'GET',
    path: path('firebaserules.googleapis.com/v1{project}/releases'),
    query: ['pageToken'],
    answer: ({ rules }) => ({
      releases: [...rules.keys()].map((name, at) => ({
        name: `projects/acme-1/releases/${name}`,
        rulesetName: `projects/acme-1/rulesets/${at}`,
      })),
    }),
  },
  {
    verb: 'GET',
    path: path('firebaserules.googleapis.com/v1{project}/rulesets/*'),
    answer: ({ rules }, { parts: [at = ''] }) => ({
      source: { files: [{ name: 'a.rules', content: [...rules.values()][Number(at)] }] },
    }),
  },
  ...[
    { at: 'v3', noun: 'alertPolicies', of: 'policies' } as const,
    { at: 'v1', noun: 'dashboards', of: 'dashboards' } as const,
  ].flatMap(({ at, noun, of }): Method[] => [
    {
      verb: 'GET',
      path: path(`monitoring.googleapis.com/${at}{project}/${noun}`),
      query: ['pageToken'],
      answer: (project) => ({ [noun]: project[of] }),
    },
    {
      verb: 'POST',
      path: path(`monitoring.googleapis.com/${at}{project}/${noun}`),
      fields: [
        'displayName',
        'documentation',
        'userLabels',
        'combiner',
        'conditions',
        'alertStrategy',
        'mosaicLayout',
      ],
      answer: (project, { body }) => {
        project[of].push(body);
        return body;
      },
    },
  ]),
];
