import { expect, test } from 'vitest';
import { secretVersionsStep } from './steps/functions.ts';
import { deployedWorld, newWorld } from './testing/world.ts';

test('functions that run with an older version of a secret need a deployment', async () => {
  const { fake, run } = await deployedWorld();
  fake.project.secrets.get('MAIL_SMTP_URL')?.push('smtps://a:b@smtp.example.com');
  const count = fake.project.functions.length;
  expect((await run('check', [secretVersionsStep])).todo).toEqual([
    `${count} functions do not use version 2 of the secret MAIL_SMTP_URL, which is the newest. ` +
      'Deploy again: npm run deploy -- --project acme-1 --only functions',
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
