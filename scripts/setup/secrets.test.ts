import { expect, test } from 'vitest';
import { secretVersionsStep } from './steps/functions.ts';
import { secretsStep } from './steps/secrets.ts';
import { webhookStep } from './steps/stripe-webhook.ts';
import { openTarget } from './target.ts';
import { deployedWorld, KEY, newWorld } from './testing/world.ts';

test('functions that run with an older version of a secret need a deployment', async () => {
  const { fake, run } = await deployedWorld();
  fake.project.secrets.get('MAIL_SMTP_URL')?.push('smtps://a:b@smtp.example.com');
  const count = fake.project.functions.length;
  expect((await run('check', [secretVersionsStep])).todo).toEqual([
    `${count} functions do not use version 2 of the secret MAIL_SMTP_URL, which is the newest. ` +
      'Deploy again, from the commit that is deployed: npm run deploy -- --project acme-1 --only functions',
  ]);
});

test('a newer version that is disabled does not count', async () => {
  const { fake, run } = await deployedWorld();
  fake.project.secrets.get('MAIL_SMTP_URL')?.push('smtps://a:b@smtp.example.com');
  fake.project.disabledVersions.add('MAIL_SMTP_URL/2');
  expect((await run('check', [secretVersionsStep])).todo).toEqual([]);
});

test('a set-up that replaces a secret asks for a deployment', async () => {
  const { fake, target, run } = await deployedWorld();
  Object.assign(target, { secrets: { ...target.secrets, MAIL_SMTP_URL: 'smtps://a:b@smtp.example.com' } });
  const { lines, todo } = await run('apply');
  expect(lines.join('\n')).toContain('done: store the secret MAIL_SMTP_URL');
  expect(fake.project.secrets.get('MAIL_SMTP_URL')).toHaveLength(2);
  expect(todo.join('\n')).toContain('do not use version 2 of the secret MAIL_SMTP_URL');
});

test('nothing is to be deployed again before the first deployment', async () => {
  const { run } = await newWorld();
  await run('apply');
  expect((await run('check', [secretVersionsStep])).todo).toEqual([]);
});

test('a newest version that is disabled is reported, because a deployment refuses it', async () => {
  const { fake, target, run, stripeUrl } = await deployedWorld();
  const { secrets, disabledVersions } = fake.project;
  for (const name of ['MAIL_SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    secrets.get(name)?.push('other');
    disabledVersions.add(`${name}/2`);
  }
  const { google, settingsFolder, projectId } = target;
  const environment = { STRIPE_API_URL: stripeUrl };
  const opened = await openTarget({ projectId, google, settingsFolder, environment, purpose: 'doctor' });
  // The key is that of version 1.
  expect(await opened.stripe?.webhookEndpoints.list()).toMatchObject({ data: [{}] });
  Object.assign(target, opened);
  expect(await run('check', [secretsStep, webhookStep])).toMatchObject({
    failures: [],
    todo: [
      expect.stringMatching(
        /^Version 2 of the secret STRIPE_SECRET_KEY is disabled\. .* Enable this version, or/,
      ),
      expect.stringMatching(/^Version 2 of the secret MAIL_SMTP_URL is disabled\. /),
      expect.stringMatching(/^Version 2 of the secret STRIPE_WEBHOOK_SECRET is disabled\. /),
    ],
  });
});

test('a given secret replaces a newest version that is disabled', async () => {
  const { fake, run } = await deployedWorld();
  fake.project.disabledVersions.add('MAIL_SMTP_URL/1');
  expect(await run('apply', [secretsStep])).toMatchObject({ changes: 1, failures: [], todo: [] });
  expect(fake.project.secrets.get('MAIL_SMTP_URL')).toEqual(['extension', 'extension']);
});

test('an endpoint whose secret has no enabled version is replaced', async () => {
  const { fake, run } = await deployedWorld();
  fake.project.disabledVersions.add('STRIPE_WEBHOOK_SECRET/1');
  expect(await run('apply', [webhookStep])).toMatchObject({ changes: 1, failures: [], todo: [] });
});

test('the doctor uses the stored key of Stripe, and a set-up the given one', async () => {
  const { fake, target, stripeUrl } = await deployedWorld();
  const { google, settingsFolder, projectId } = target;
  fake.project.secrets.set('STRIPE_SECRET_KEY', ['sk_test_stored']);
  const environment = { STRIPE_API_URL: stripeUrl, STRIPE_SECRET_KEY: KEY };
  const open = (purpose: 'doctor' | 'setup') =>
    openTarget({ projectId, google, settingsFolder, environment, purpose });
  // The local Stripe accepts only the given key.
  await expect((await open('doctor')).stripe?.prices.list()).rejects.toThrow('Invalid API Key');
  await expect((await open('setup')).stripe?.prices.list()).resolves.toMatchObject({ object: 'list' });
});
