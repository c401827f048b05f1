import { masked, path, type FakeProject, type FakeSchedule, type Method } from './google-method.ts';

const FIRESTORE = 'firestore.googleapis.com/v1{project}/databases';

/** Databases and backups, as https://firestore.googleapis.com/$discovery/rest?version=v1 describes them. */
export const FIRESTORE_METHODS: Method[] = [
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
    verb: 'PATCH',
    path: path(`${FIRESTORE}/(default)`),
    query: ['updateMask'],
    fields: ['pointInTimeRecoveryEnablement', 'deleteProtectionState'],
    answer: (project, { body, query }) => {
      const { database, billingEnabled } = project;
      if (database === undefined) return 404;
      if (!masked(body, query.get('updateMask') ?? '')) return 403;
      if ('pointInTimeRecoveryEnablement' in body && !billingEnabled) return 403;
      project.database = { ...database, ...body };
      return { name: 'projects/acme-1/databases/(default)/operations/2' };
    },
  },
  {
    verb: 'GET',
    path: path(`${FIRESTORE}/(default)/operations/2`),
    answer: () => ({ name: 'projects/acme-1/databases/(default)/operations/2', done: true }),
  },
  {
    verb: 'GET',
    path: path(`${FIRESTORE}/(default)/backupSchedules`),
    answer: ({ database, backupSchedules }) => (database === undefined ? 404 : { backupSchedules }),
  },
  {
    verb: 'POST',
    path: path(`${FIRESTORE}/(default)/backupSchedules`),
    fields: ['retention', 'dailyRecurrence', 'weeklyRecurrence'],
    answer: ({ billingEnabled, backupSchedules }, { body }) => {
      const key = 'dailyRecurrence' in body ? 'dailyRecurrence' : 'weeklyRecurrence';
      // A database has one schedule of each recurrence.
      if (!billingEnabled || backupSchedules.some((one) => one[key] !== undefined)) return 403;
      const name = `projects/acme-1/databases/(default)/backupSchedules/${key}`;
      backupSchedules.push({ name, ...(body as Omit<FakeSchedule, 'name'>) });
      return { name };
    },
  },
  {
    verb: 'PATCH',
    path: path(`${FIRESTORE}/(default)/backupSchedules/*`),
    query: ['updateMask'],
    fields: ['retention'],
    answer: ({ backupSchedules }, { parts: [id = ''], body, query }) => {
      const schedule = backupSchedules.find(({ name }) => name.endsWith(`/${id}`));
      if (!masked(body, query.get('updateMask') ?? '')) return 403;
      return schedule === undefined ? 404 : Object.assign(schedule, body);
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
    // Google lists only the fields that a filter of these two parts selects.
    answer: ({ fields }, { query }) => {
      const filter = query.get('filter') ?? '';
      const isSelected = ({ ttlConfig, indexConfig }: FakeProject['fields'][number]) =>
        (filter.includes('ttlConfig:*') && ttlConfig !== undefined) ||
        (filter.includes('indexConfig.usesAncestorConfig=false') && indexConfig !== undefined);
      return { fields: fields.filter(isSelected) };
    },
  },
];
