/** The state of a project, which tests read and change. */
export interface FakeProject {
  billingEnabled: boolean;
  services: Set<string>;
  database: { locationId: string; type: string } | undefined;
  bucketLocation: string | undefined;
  auth: Record<string, unknown> | undefined;
  google: { enabled: boolean } | undefined;
  policy: { etag: string; bindings?: { role: string; members: string[] }[] };
  secrets: Map<string, string[]>;
  jobs: Map<string, { lastAttemptTime?: string; status?: { code: number } }>;
  functions: string[];
  /** Content of the deployed rules by their release. */
  rules: Map<string, string>;
  indexes: object[];
  fields: object[];
  policies: object[];
  dashboards: object[];
}

const PROJECT = '/projects/acme-1';
const NUMBER = '123456';
export const SERVICE_ACCOUNT = `${NUMBER}-compute@developer.gserviceaccount.com`;

interface Call {
  parts: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
}

export type Answer = object | 403 | 404;

interface Method {
  verb: 'GET' | 'POST' | 'PATCH';
  path: RegExp;
  query?: string[];
  /** Names of the fields that the body may have. */
  fields?: string[];
  answer: (project: FakeProject, call: Call) => Answer;
}

/** Flattens a body into the paths that a field mask names. */
function masked(body: object, mask: string): boolean {
  return mask.split(',').every((path) => {
    let value: unknown = body;
    for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
    return value !== undefined;
  });
}

function merged(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || Array.isArray(other)) return other;
  const names = Object.keys({ ...one, ...other });
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.fromEntries(
    names.map((name) => [name, name in right ? merged(left[name] ?? {}, right[name]) : left[name]]),
  );
}

const path = (pattern: string) =>
  new RegExp(
    `^${pattern.replaceAll(/[.()]/g, '\\$&').replaceAll('{project}', PROJECT).replaceAll('*', '([^/:?]+)')}$`,
  );

const FIRESTORE = 'firestore.googleapis.com/v1{project}/databases';
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
    answer: ({ services }, { body }) => {
      const ids = body['serviceIds'] as string[];
      if (ids.length > 20) return 403;
      for (const id of ids) services.add(id);
      return { name: 'operations/enable-1' };
    },
  },
  {
    verb: 'GET',
    path: path('serviceusage.googleapis.com/v1/operations/enable-1'),
    answer: () => ({ name: 'operations/enable-1', done: true }),
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
  { verb: 'GET', path: path(`${FIRESTORE}/(default)`), answer: ({ database }) => database ?? 404 },
  {
    verb: 'POST',
    path: path(FIRESTORE),
    query: ['databaseId'],
    fields: ['locationId', 'type'],
    answer: (project, { body }) => {
      project.database = body as unknown as NonNullable<FakeProject['database']>;
      return { name: 'projects/acme-1/databases/(default)/operations/1', done: true };
    },
  },
  {
    verb: 'GET',
    path: path(`${FIRESTORE}/(default)/collectionGroups/-/indexes`),
    query: ['pageToken'],
    answer: ({ indexes }, { query }) => {
      // Two pages, so that a client must follow the token.
      const isFirst = query.get('pageToken') === null;
      return isFirst ? { indexes: indexes.slice(0, 2), nextPageToken: 'two' } : { indexes: indexes.slice(2) };
    },
  },
  {
    verb: 'GET',
    path: path(`${FIRESTORE}/(default)/collectionGroups/-/fields`),
    query: ['filter', 'pageToken'],
    answer: ({ fields }) => ({ fields }),
  },
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
      project.bucketLocation = String(body['location']).toUpperCase();
      return {};
    },
  },
  {
    verb: 'GET',
    path: path('storage.googleapis.com/storage/v1/b/acme-1.firebasestorage.app'),
    answer: ({ bucketLocation }) => ({ location: bucketLocation }),
  },
  { verb: 'GET', path: path(`${AUTH}/config`), answer: ({ auth }) => auth ?? 404 },
  {
    verb: 'PATCH',
    path: path(`${AUTH}/config`),
    query: ['updateMask'],
    fields: ['signIn', 'authorizedDomains', 'notification'],
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
      project.auth = { authorizedDomains: ['localhost', 'acme-1.firebaseapp.com'] };
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
    answer: ({ policy }) => policy,
  },
  {
    verb: 'POST',
    path: path(`iam.googleapis.com/v1{project}/serviceAccounts/${SERVICE_ACCOUNT}:setIamPolicy`),
    fields: ['policy'],
    answer: (project, { body }) => {
      const policy = body['policy'] as FakeProject['policy'];
      // A policy without the tag of the one that was read would undo the changes of others.
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
    path: path(`${SECRETS}/*/versions/latest:access`),
    answer: ({ secrets }, { parts: [name = ''] }) => {
      const value = secrets.get(name)?.at(-1);
      return value === undefined ? 404 : { payload: { data: Buffer.from(value).toString('base64') } };
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
    path: path('cloudfunctions.googleapis.com/v2{project}/locations/europe-west1/functions'),
    query: ['pageToken'],
    answer: ({ functions }) => ({
      functions: functions.map((name) => ({
        name: `projects/acme-1/locations/europe-west1/functions/${name}`,
        state: 'ACTIVE',
      })),
    }),
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
