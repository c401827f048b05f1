import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STRIPE_API_VERSION } from '../../functions/src/backend-clients.ts';
import { HANDLED_EVENTS } from '../../functions/src/billing/webhook/webhook.service.ts';
import { exitCodeOf, summaryOf } from './run.ts';
import { bucketStep } from './steps/places.ts';
import { SERVICE_ACCOUNT } from './testing/google-method.ts';
import { enabledWorld, isChange, KEY, newWorld, RECONCILIATION, stripeChanges } from './testing/world.ts';

test('a new project is set up, as far as an API can do it', async () => {
  const world = await newWorld();
  const { fake, target } = world;
  const outcome = await world.run('apply');
  expect(fake.unknown).toEqual([]);
  expect(outcome.failures).toEqual([]);

  const { project } = fake;
  expect(project.services).toContain('cloudscheduler.googleapis.com');
  expect(project.database).toEqual({
    locationId: 'europe-west1',
    type: 'FIRESTORE_NATIVE',
    pointInTimeRecoveryEnablement: 'POINT_IN_TIME_RECOVERY_ENABLED',
    deleteProtectionState: 'DELETE_PROTECTION_ENABLED',
  });
  expect(project.bucketLocation).toBe('EUROPE-WEST1');
  expect(project.auth).toEqual({
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
    signIn: { email: { enabled: true, passwordRequired: true } },
    authorizedDomains: ['localhost', 'acme-1.firebaseapp.com', 'acme-1.web.app', 'app.example.com'],
    notification: { sendEmail: { callbackUri: 'https://app.example.com/auth/action' } },
  });
  expect(project.policy).toEqual({
    etag: 'abc',
    bindings: [
      { role: 'roles/iam.serviceAccountTokenCreator', members: [`serviceAccount:${SERVICE_ACCOUNT}`] },
    ],
  });
  expect(project.secrets.get('STRIPE_SECRET_KEY')).toEqual([KEY]);
  expect(project.secrets.get('MAIL_SMTP_URL')).toEqual(['extension']);
  expect(project.dashboards).toHaveLength(1);
  expect(project.policies.length).toBeGreaterThan(5);
  expect(readFileSync(join(target.settingsFolder, '.env.acme-1'), 'utf8').split('\n')).toEqual([
    'REGION="europe-west1"',
    'APP_URL="https://app.example.com"',
    'MAIL_FROM="Acme <no-reply@example.com>"',
    '',
  ]);

  const { data: prices } = (await target.stripe?.prices.list({ active: true })) ?? { data: [] };
  expect(
    prices.map((price) => [price.lookup_key, price.unit_amount, price.recurring?.interval]).toSorted(),
  ).toEqual([
    ['hearth_business_monthly', 4900, 'month'],
    ['hearth_business_yearly', 49000, 'year'],
    ['hearth_pro_monthly', 1200, 'month'],
    ['hearth_pro_yearly', 12000, 'year'],
  ]);
  expect(new Set(prices.map(({ product }) => product)).size).toBe(2);

  const { data: endpoints } = (await target.stripe?.webhookEndpoints.list()) ?? { data: [] };
  expect(endpoints).toMatchObject([
    {
      url: 'https://app.example.com/api/webhooks/stripe',
      enabled_events: HANDLED_EVENTS,
      api_version: STRIPE_API_VERSION,
      status: 'enabled',
    },
  ]);
  expect(project.secrets.get('STRIPE_WEBHOOK_SECRET')?.[0]).toMatch(/^whsec_/);
});

test('a person gets a checklist with links for the rest', async () => {
  const world = await newWorld();
  const outcome = await world.run('apply');
  expect(outcome.todo).toEqual([
    expect.stringContaining('https://console.firebase.google.com/project/acme-1/authentication/providers'),
    expect.stringContaining('https://console.cloud.google.com/monitoring/alerting?project=acme-1'),
    expect.stringContaining('npm run deploy -- --project acme-1, and then npm run setup again'),
  ]);
  expect(exitCodeOf(outcome)).toBe(2);
  expect(summaryOf(outcome, 'apply')).toContain('  [ ] Sign-in with Google is off.');
});

test('a second run changes nothing', async () => {
  const world = await newWorld();
  await world.run('apply');
  const before = await stripeChanges(world);
  expect(before).not.toEqual([]);
  world.fake.seen.length = 0;
  const again = await world.run('apply');
  expect(again).toMatchObject({ changes: 0, failures: [] });
  expect(world.fake.seen.filter(isChange)).toEqual([]);
  expect(await stripeChanges(world)).toEqual(before);
});

test('a dry run prints every change and makes none', async () => {
  const world = await enabledWorld();
  const outcome = await world.run('plan');
  expect(world.fake.seen.filter(isChange)).toEqual([]);
  expect(await stripeChanges(world)).toEqual([]);
  expect(() => readFileSync(join(world.folder, '.env.acme-1'))).toThrow();
  const text = outcome.lines.join('\n');
  for (const change of [
    'would: write REGION, APP_URL, MAIL_FROM',
    'would: create the database in europe-west1',
    'would: store the secret STRIPE_SECRET_KEY',
    'would: create the prices hearth_pro_monthly, hearth_pro_yearly of Pro',
    'would: create the webhook endpoint',
  ])
    expect(text).toContain(change);
  expect(text).not.toContain(KEY);
  expect(outcome.changes).toBeGreaterThan(15);
});

test('other settings, comments and authorized domains stay', async () => {
  const world = await newWorld();
  writeFileSync(join(world.folder, '.env.acme-1'), '# ours\nTRIAL_DAYS=14\nREGION=us-central1\n');
  world.fake.project.auth = { authorizedDomains: ['other.example.com'], mfa: { state: 'ENABLED' } };
  await world.run('apply');
  expect(readFileSync(join(world.folder, '.env.acme-1'), 'utf8').split('\n').slice(0, 3)).toEqual([
    '# ours',
    'TRIAL_DAYS=14',
    'REGION="europe-west1"',
  ]);
  expect(world.fake.project.auth).toMatchObject({
    authorizedDomains: ['other.example.com', 'app.example.com', 'acme-1.web.app', 'acme-1.firebaseapp.com'],
    mfa: { state: 'ENABLED' },
  });
});

test('a webhook endpoint whose secret is lost is replaced', async () => {
  const world = await newWorld();
  await world.run('apply');
  const [before] = (await world.target.stripe?.webhookEndpoints.list())?.data ?? [];
  world.fake.project.secrets.delete('STRIPE_WEBHOOK_SECRET');
  await world.run('apply');
  const after = (await world.target.stripe?.webhookEndpoints.list())?.data ?? [];
  expect(after).toHaveLength(1);
  expect(after[0]?.id).not.toBe(before?.id);
  expect(world.fake.project.secrets.get('STRIPE_WEBHOOK_SECRET')).toHaveLength(1);
});

test('a webhook endpoint gets missing events and is enabled again, and keeps its others', async () => {
  const world = await newWorld();
  await world.run('apply');
  const { stripe } = world.target;
  const [endpoint] = (await stripe?.webhookEndpoints.list())?.data ?? [];
  await stripe?.webhookEndpoints.update(endpoint?.id ?? '', {
    disabled: true,
    enabled_events: ['payout.paid', 'invoice.paid'],
  });
  expect((await world.run('apply')).changes).toBe(2);
  const [after] = (await stripe?.webhookEndpoints.list())?.data ?? [];
  expect(after?.status).toBe('enabled');
  expect(after?.enabled_events.toSorted()).toEqual([...HANDLED_EVENTS, 'payout.paid'].toSorted());
});

test('a price of another amount is reported, never changed', async () => {
  const world = await newWorld();
  const { stripe } = world.target;
  const product = await stripe?.products.create({ name: 'Mine' });
  await stripe?.prices.create({
    product: product?.id ?? '',
    currency: 'usd',
    unit_amount: 900,
    lookup_key: 'hearth_pro_monthly',
    recurring: { interval: 'month' },
  });
  const outcome = await world.run('apply');
  expect(outcome.todo.join('\n')).toContain(
    'The price hearth_pro_monthly is 900 usd month at Stripe, and 1200 usd month in the files of the plans.',
  );
  const yearly = await stripe?.prices.list({ lookup_keys: ['hearth_pro_yearly'] });
  expect(yearly?.data[0]?.product).toBe(product?.id);
});

test('without the key of Stripe everything else is set up', async () => {
  const world = await newWorld({ STRIPE_SECRET_KEY: '' });
  const outcome = await world.run('apply');
  expect(outcome.failures).toEqual([]);
  expect(outcome.todo.join('\n')).toContain('Set the environment variable STRIPE_SECRET_KEY');
  expect(world.fake.project.database).toBeDefined();
});

test('the first reconciliation runs once, as soon as it is deployed', async () => {
  const world = await newWorld();
  world.fake.project.jobs.set(RECONCILIATION, {});
  const runs = () => world.fake.seen.filter(({ path }) => path.endsWith(`${RECONCILIATION}:run`)).length;
  await world.run('apply');
  await world.run('apply');
  expect(runs()).toBe(1);
});

test('no bucket is made far from a database that the project has already', async () => {
  const world = await enabledWorld();
  world.fake.project.database = { locationId: 'eur3', type: 'FIRESTORE_NATIVE' };
  Object.assign(world.target, { region: 'us-central1' });
  expect((await world.run('apply', [bucketStep])).todo).toEqual([
    'There is no bucket in us-central1. The database is in eur3, and a bucket cannot be moved later. Run npm run setup with --region and a region of eur3.',
  ]);
  expect(world.fake.project.bucketLocation).toBeUndefined();
  Object.assign(world.target, { region: 'europe-west1' });
  expect((await world.run('apply', [bucketStep])).changes).toBe(1);
});
