import { expect, test } from 'vitest';
import { exitCodeOf, summaryOf } from './run.ts';
import { FREE_APIS, PAID_APIS } from './steps/project.ts';
import { isChange, newWorld } from './testing/world.ts';

test('a dry run of a new project says what cannot be checked yet, and nothing fails', async () => {
  const { fake, run } = await newWorld();
  const outcome = await run('plan');
  const { lines, failures, todo } = outcome;
  const text = lines.join('\n');
  expect(text).toContain('would: enable 11 APIs.');
  expect(text).toContain('Blaze plan\n       cannot be checked until cloudbilling.googleapis.com is enabled');
  expect(text).toContain('Firestore\n       cannot be checked until firestore.googleapis.com is enabled');
  expect(text).toContain('Secrets\n       cannot be checked until secretmanager.googleapis.com is enabled');
  expect(failures).toEqual([]);
  expect(todo).toEqual([]);
  expect(summaryOf(outcome, 'plan')).toMatch(
    /changes would be made\.\nNot checked, because an API is not enabled: .*Firestore.*\.$/,
  );
  expect(fake.seen.filter(isChange)).toEqual([]);
});

test('a new project without a billing account gets what is free, and one run after the Blaze plan the rest', async () => {
  const { fake, target, run } = await newWorld();
  const { project } = fake;
  project.billingEnabled = false;
  const first = await run('apply');
  expect(first.failures).toEqual([]);
  expect(fake.unknown).toEqual([]);
  expect(project.services).toContain('firestore.googleapis.com');
  expect(project.services).not.toContain('run.googleapis.com');
  expect(project.database).toMatchObject({ locationId: 'europe-west1' });
  const todo = first.todo.join('\n');
  expect(todo).toContain('Choose the Blaze plan at https://console.firebase.google.com/project/acme-1/usage');
  expect(todo).toContain('These APIs need the Blaze plan: artifactregistry.googleapis.com, cloudbuild');
  expect(todo).toContain('Google makes one on the Blaze plan only.');
  expect(todo).toContain('https://console.firebase.google.com/project/acme-1/authentication, and run npm');
  expect(todo).toContain('123456-compute@developer.gserviceaccount.com does not exist.');
  expect(todo).toContain(
    'Enable secretmanager.googleapis.com, and run this again. It checks: Secrets, Webhook endpoint of Stripe.',
  );
  expect(exitCodeOf(first)).toBe(2);
  // The secret of an endpoint could not be stored.
  expect((await target.stripe?.webhookEndpoints.list())?.data).toEqual([]);

  project.billingEnabled = true;
  const second = await run('apply');
  expect(second.failures).toEqual([]);
  expect([...project.services]).toEqual(expect.arrayContaining([...FREE_APIS, ...PAID_APIS]));
  expect(project.bucketLocation).toBe('EUROPE-WEST1');
  expect([...project.secrets.keys()].toSorted()).toEqual([
    'MAIL_SMTP_URL',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ]);
});

test('calls wait until Google knows that an API is enabled', async () => {
  const { fake, run } = await newWorld();
  fake.project.callsUntilEnabled = 3;
  const { failures, todo } = await run('apply');
  expect(failures).toEqual([]);
  expect(todo.join('\n')).not.toContain('cannot be checked');
  expect(fake.project.secrets.size).toBe(3);
});

test('an API that stays disabled is given up after five minutes', async () => {
  const { fake, run } = await newWorld();
  fake.project.callsUntilEnabled = 1000;
  const { failures, todo } = await run('apply');
  expect(failures).toEqual([]);
  expect(todo.join('\n')).toContain(
    'Enable firestore.googleapis.com, and run this again. It checks: Firestore',
  );
  const calls = fake.seen.filter(({ path }) => path.startsWith('firestore.googleapis.com/'));
  // Each of two steps calls it once, and the first one waits 30 times 10 seconds.
  expect(calls).toHaveLength(32);
});

test('without the API that enables others a person gets the command for it', async () => {
  const { fake, run } = await newWorld();
  fake.project.services.delete('serviceusage.googleapis.com');
  const { failures, todo } = await run('apply');
  expect(failures).toEqual([]);
  expect(todo.join('\n')).toContain(
    'Run gcloud services enable serviceusage.googleapis.com --project acme-1, and then npm run setup again.',
  );
});

test('Google refuses a batch with one API that needs a billing account', async () => {
  const { fake, target } = await newWorld();
  fake.project.billingEnabled = false;
  const path = 'serviceusage.googleapis.com/v1/projects/acme-1/services:batchEnable';
  const serviceIds = ['firestore.googleapis.com', 'run.googleapis.com'];
  await expect(target.google.post(path, { serviceIds })).rejects.toThrow('Billing must be enabled');
  expect(fake.project.services).not.toContain('firestore.googleapis.com');
});
