import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BRAND } from '../../shared/src/brand.ts';
import { addressStep } from './steps/deployed.ts';
import { DOCTOR_STEPS } from './steps.ts';
import { deployedWorld, isChange, RECONCILIATION, type World } from './testing/world.ts';

/** The problems that the doctor finds, apart from the address, which no test reaches. */
async function problemsOf(world: World): Promise<string[]> {
  world.fake.seen.length = 0;
  const { todo, failures } = await world.run('check', DOCTOR_STEPS);
  expect(world.fake.unknown).toEqual([]);
  expect(world.fake.seen.filter(isChange)).toEqual([]);
  const address = [...todo, ...failures].filter((line) => line.includes('app.example.com/api/health'));
  expect(address).toHaveLength(1);
  return [...todo, ...failures].filter((line) => !address.includes(line));
}

/** The first index of a collection. A project may have indexes of its own anywhere in its list. */
const indexOf = ({ project }: World['fake'], collection: string) =>
  project.indexes.find(({ name }) => name.includes(`/${collection}/`)) ?? {};

test('the doctor finds nothing wrong with a complete deployment', async () => {
  expect(await problemsOf(await deployedWorld())).toEqual([]);
});

test.each<[name: string, damage: (world: World) => unknown, problem: RegExp | string]>([
  [
    'the Blaze plan',
    ({ fake }) => (fake.project.billingEnabled = false),
    /no billing account.*Choose the Blaze/,
  ],
  ['an API', ({ fake }) => fake.project.services.delete('run.googleapis.com'), /not enabled: run\.google/],
  [
    'the region of the bucket',
    ({ fake }) => (fake.project.bucketLocation = 'US'),
    /bucket is in us, and the/,
  ],
  [
    'the region of Firestore',
    ({ fake }) => (fake.project.database = { locationId: 'nam5', type: 'FIRESTORE_NATIVE' }),
    /database is in nam5.*Set REGION/,
  ],
  [
    'point-in-time recovery',
    ({ fake }) => delete fake.project.database?.pointInTimeRecoveryEnablement,
    /Point-in-time recovery is off, so documents/,
  ],
  ['a backup schedule', ({ fake }) => fake.project.backupSchedules.pop(), /no weekly backups/],
  [
    'the retention of backups',
    ({ fake }) => Object.assign(fake.project.backupSchedules[0] ?? {}, { retention: '86400s' }),
    /daily backups are kept for 1 days, not 7/,
  ],
  [
    'delete protection',
    ({ fake }) => delete fake.project.database?.deleteProtectionState,
    /not protected from being deleted/,
  ],
  [
    'soft delete',
    ({ fake }) => (fake.project.softDeleteSeconds = 0),
    /restored for 0 days after they were deleted, not 7/,
  ],
  [
    'the right to sign as itself',
    ({ fake }) => (fake.project.policy = { etag: 'x' }),
    /lacks roles on itself: roles\/iam\.serviceAccountTokenCreator\./,
  ],
  [
    'a service account without rights',
    ({ fake }) => (fake.project.projectPolicy = { etag: 'x' }),
    /lacks roles on the project: .*roles\/datastore\.user, .*/,
  ],
  [
    'the API for impersonation',
    ({ fake }) => fake.project.services.delete('iamcredentials.googleapis.com'),
    /not enabled: iamcred/,
  ],
  [
    'a Hosting site without a web app',
    ({ fake }) => delete fake.project.sites[0]?.appId,
    /The Hosting site acme-1 has no web app/,
  ],
  ['a secret', ({ fake }) => fake.project.secrets.delete('MAIL_SMTP_URL'), /no MAIL_SMTP_URL/],
  [
    'a price',
    async ({ target }) => {
      const prices = await target.stripe?.prices.list({ lookup_keys: ['hearth_pro_yearly'] });
      await target.stripe?.prices.update(prices?.data[0]?.id ?? '', { active: false });
    },
    /no price for hearth_pro_yearly/,
  ],
  [
    'a function',
    ({ fake }) => {
      const { functions } = fake.project;
      fake.project.functions = functions.filter(({ name }) => !name.endsWith('/syncSeats'));
    },
    /do not run in europe-west1: syncSeats\. Run npm/,
  ],
  [
    'a restored database',
    ({ fake }) => Object.assign(fake.project.database ?? {}, { createTime: '2026-11-20T12:00:00Z' }),
    /^These functions are older .*: createCheckoutSession, deliverMail, deliverPlanChange, deliverPush\. Run npx .*$/,
  ],
  [
    'a trigger of the former database',
    ({ fake: { project } }) => {
      Object.assign(project.database ?? {}, { createTime: '2026-11-20T12:00:00Z' });
      for (const one of project.functions)
        if (!one.name.endsWith('/deliverMail')) one.createTime = '2026-11-21T12:00:00Z';
    },
    /: deliverMail\. Run npx firebase functions:delete deliverMail --region europe-west1 --force --project acme-1\. Run/,
  ],
  [
    'the rules',
    ({ fake }) => fake.project.rules.set('cloud.firestore', 'old'),
    /not those of firestore\.rules/,
  ],
  [
    'the rules of Storage',
    ({ fake }) => fake.project.rules.delete('firebase.storage/acme-1.firebasestorage.app'),
    /storage\.rules is not deployed/,
  ],
  [
    'an index',
    ({ fake }) => {
      const missing = indexOf(fake, 'usageBatches');
      fake.project.indexes = fake.project.indexes.filter((index) => index !== missing);
    },
    /index "usageBatches .*" is not ready\. Run npm/,
  ],
  [
    'a TTL policy',
    ({ fake }) => {
      for (const field of fake.project.fields) delete field.ttlConfig;
    },
    /TTL policy of invitations\.deleteAt is not ready\. Run npm/,
  ],
  [
    'an index of a collection group',
    ({ fake }) => {
      const members = fake.project.fields.find(({ name }) => name.endsWith('/members/fields/uid'));
      members?.indexConfig?.indexes.pop();
    },
    /index "members COLLECTION_GROUP uid ASCENDING" is not ready\. Run npm/,
  ],
  [
    'an index that needs repair',
    ({ fake }) => Object.assign(indexOf(fake, 'invitations'), { state: 'NEEDS_REPAIR' }),
    /index "invitations .*" is not ready\. Run npm/,
  ],
  [
    'an index that is being built',
    ({ fake }) => Object.assign(indexOf(fake, 'invitations'), { state: 'CREATING' }),
    /index "invitations .*" is being built\. Wait/,
  ],
  [
    'a setting',
    ({ folder }) => {
      appendFileSync(join(folder, '.env.acme-1'), 'SESSION_DAYS=99\n');
    },
    /SESSION_DAYS must be a whole number from 1 to 14/,
  ],
  [
    'a setting that is not in the file',
    ({ folder }) => {
      writeFileSync(join(folder, '.env.acme-1'), 'REGION=europe-west1\n');
    },
    /lacks or differs in APP_URL, MAIL_FROM/,
  ],
  [
    'an older version of a secret',
    ({ fake }) => fake.project.secrets.get('MAIL_SMTP_URL')?.push('extension'),
    /do not use version 2 of the secret MAIL_SMTP_URL.*Deploy again, from the commit that is deployed: npm run deploy/,
  ],
  ['an alert', ({ fake }) => fake.project.policies.pop(), /Cloud Monitoring has no alert "/],
  ['the dashboard', ({ fake }) => fake.project.dashboards.pop(), `no dashboard "${BRAND.name}"`],
  [
    'an alert without a channel',
    ({ fake }) => Object.assign(fake.project.policies[0] ?? {}, { notificationChannels: [] }),
    /1 alerts notify nobody\. Add a notification channel/,
  ],
  [
    'a schedule that does not exist',
    ({ fake }) => fake.project.jobs.delete('firebase-schedule-sendUsage-europe-west1'),
    /sendUsage has no schedule\. Run npm run deploy -- --project acme-1 --only functions:sendUsage\. /,
  ],
  [
    'a schedule of a function that is deployed',
    ({ fake }) => fake.project.jobs.delete(RECONCILIATION),
    /^reconcileBilling has no schedule\. Run .* --only functions:reconcileBilling\. .*\nreconcile.*$/,
  ],
  [
    'a schedule that is paused',
    ({ fake }) =>
      fake.project.jobs.set('firebase-schedule-sendUsage-europe-west1', {
        ...{ state: 'PAUSED', lastAttemptTime: '2026-11-22T11:58:00Z' },
      }),
    /sendUsage is paused\. Run gcloud scheduler jobs resume firebase-schedule-sendUsage-europe-west1 --loc/,
  ],
  [
    'a queue that does not exist',
    ({ fake }) => fake.project.queues.delete('syncSeats'),
    /no queue for syncSeats\. Run npm run deploy -- --project acme-1 --only functions:syncSeats\. A/,
  ],
  [
    'a queue that is paused',
    ({ fake }) => fake.project.queues.set('syncSeats', 'PAUSED'),
    /queue syncSeats does not run \(PAUSED\)\. Run gcloud tasks queues resume syncSeats --location eur/,
  ],
  [
    'a schedule that has never run',
    ({ fake }) => fake.project.jobs.set('firebase-schedule-sendUsage-europe-west1', {}),
    /sendUsage has never run/,
  ],
  [
    'a schedule that stopped',
    ({ fake }) => fake.project.jobs.set(RECONCILIATION, { lastAttemptTime: '2026-11-22T09:59:00Z' }),
    /reconcileBilling ran last at 2026-11-22T09:59/,
  ],
  [
    'a schedule that fails',
    ({ fake }) =>
      fake.project.jobs.set(RECONCILIATION, {
        lastAttemptTime: '2026-11-22T11:59:00Z',
        status: { code: 13 },
      }),
    /reconcileBilling failed/,
  ],
])('the doctor sees %s', async (_name, damage, problem) => {
  const world = await deployedWorld();
  await damage(world);
  const problems = await problemsOf(world);
  expect(problems.join('\n')).toMatch(problem);
});

/** The problems with an address that answers in this way. */
async function problemsWithAnswer(status: number, body: string): Promise<string[]> {
  const server = createServer((_request, response) => {
    response.writeHead(status);
    response.end(body);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const world = await deployedWorld();
  const { port } = server.address() as AddressInfo;
  Object.assign(world.target, { appUrl: `http://127.0.0.1:${port}` });
  return (await world.run('check', [addressStep])).todo;
}

test.each([
  [404, 'Site Not Found', 'answers 404. Connect the domain to Hosting'],
  [
    403,
    'Your client does not have permission',
    'answers 403. Google may not let everybody call api. Run npm run deploy -- --project acme-1 --only functions:api.',
  ],
  [200, '<!doctype html>', 'does not answer as this service does.'],
  [200, '"ok"', 'does not answer as this service does.'],
  [200, '{"status":"other"}', 'does not answer as this service does.'],
])('the doctor sees an address that answers %i with %s', async (status, body, problem) => {
  expect(await problemsWithAnswer(status, body)).toEqual([expect.stringContaining(problem)]);
});

test('the doctor accepts an address where the service answers', async () => {
  expect(await problemsWithAnswer(200, '{"status":"ok"}')).toEqual([]);
});
