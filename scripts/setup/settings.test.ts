import { expect, test } from 'vitest';
import type { Ask } from './ask.ts';
import { secretsStep } from './steps/secrets.ts';
import { settingsStep } from './steps/settings.ts';
import { openTarget, type Sources } from './target.ts';
import { deployedWorld, newWorld, type World } from './testing/world.ts';

test('wrong and misspelled settings of the file are named, and nothing of the set-up itself is', async () => {
  const world = await newWorld({}, [
    'SESSION_DAYS=99',
    'SESION_DAYS=3',
    'COLOR_NAME=red',
    'SIGN_IN_PROVIDERS=password',
    'POINT_IN_TIME_RECOVERY=true',
    'BACKUP_DAILY_DAYS=7',
    'BACKUP_WEEKLY_WEEKS=14',
    'DELETED_FILES_DAYS=7',
  ]);
  const { todo } = await world.run('apply', [settingsStep]);
  const advice = 'in functions/.env.acme-1, and deploy.';
  expect(todo.toSorted()).toEqual([
    `SESSION_DAYS must be a whole number from 1 to 14. Correct it ${advice}`,
    `There is no setting COLOR_NAME. Correct or remove it ${advice}`,
    `There is no setting SESION_DAYS. Did you mean SESSION_DAYS? Correct or remove it ${advice}`,
  ]);
  expect((await world.run('check', [settingsStep])).todo).toEqual(todo);
});

test('a setting without a default that is not set is named with its values', async () => {
  const world = await newWorld({ MAIL_FROM: '' });
  const { todo } = await world.run('apply', [settingsStep]);
  expect(todo).toEqual([
    expect.stringMatching(/^MAIL_FROM is not set\. Set the environment variable .*\(.*\)/),
  ]);
});

test('a malformed secret is named without its value, and not stored', async () => {
  const world = await newWorld({ MAIL_SMTP_URL: 'http://mail.example.com' });
  const { todo, failures } = await world.run('apply');
  expect(failures).toEqual([]);
  expect(todo.join('\n')).toContain('The secret MAIL_SMTP_URL must be smtps://user:password@host');
  expect(todo.join('\n')).not.toContain('mail.example.com');
  expect(world.fake.project.secrets.has('MAIL_SMTP_URL')).toBe(false);
});

test('a malformed secret in Secret Manager is named', async () => {
  const world = await deployedWorld();
  Object.assign(world.target, { secrets: {} });
  world.fake.project.secrets.set('MAIL_SMTP_URL', ['smtp.example.com']);
  expect((await world.run('check', [secretsStep])).todo).toEqual([
    expect.stringContaining('The secret MAIL_SMTP_URL must be smtps://'),
  ]);
});

/** Opens the target of a world anew, and answers the questions from a list. */
function opening({ target, fake }: World, answers: Record<string, string[]>, changed: Partial<Sources> = {}) {
  const asked: string[] = [];
  const ask: Ask = (question, { fallback }) => {
    asked.push(question);
    const name = /[A-Z_]+$/.exec(question)?.[0] ?? '';
    return Promise.resolve(answers[name]?.shift() ?? fallback ?? '');
  };
  const opened = openTarget({
    ...{ projectId: 'acme-1', google: target.google, settingsFolder: target.settingsFolder, ask },
    environment: { BACKUP_DAILY_DAYS: '7' },
    purpose: 'setup',
    ...changed,
  });
  return { opened, asked, fake };
}

test('a wrong answer is explained and asked for again', async () => {
  const world = await newWorld();
  const { opened, asked } = opening(world, {
    REGION: ['europe', 'europe-west3'],
    APP_URL: ['app.example.com', 'https://app.example.com'],
    MAIL_FROM: ['no-reply@example.com'],
  });
  const { settings, region } = await opened;
  expect(region).toBe('europe-west3');
  expect(settings).toMatchObject({ REGION: 'europe-west3', APP_URL: 'https://app.example.com' });
  expect(asked.filter((question) => question.endsWith('REGION') || question.endsWith('APP_URL'))).toEqual([
    'REGION',
    'REGION must be a region such as us-central1 or europe-west1. REGION',
    'APP_URL',
    expect.stringMatching(/^APP_URL must be .*\. APP_URL$/),
  ]);
});

test('after three wrong answers the set-up ends with the name of the setting', async () => {
  const world = await newWorld();
  const { opened } = opening(world, { REGION: ['a', 'b', 'c', 'europe-west3'] });
  await expect(opened).rejects.toThrow(/^REGION must be a region such as us-central1 or europe-west1\.$/);
});

test.each([
  ['europe-west6', 'europe-west6'],
  ['nam5', 'us-central1'],
  ['eur3', 'europe-west1'],
])('the database in %s decides about the region', async (locationId, region) => {
  const world = await newWorld();
  world.fake.project.services.add('firestore.googleapis.com');
  world.fake.project.database = { locationId, type: 'FIRESTORE_NATIVE' };
  const { opened, asked } = opening(world, {});
  expect((await opened).region).toBe(region);
  expect(asked).not.toContain('REGION');
});

test('without an answer, a file and a database the region is required', async () => {
  const world = await newWorld();
  const { opened } = opening(world, {}, { ask: undefined });
  await expect(opened).rejects.toThrow('Choose the region, such as --region europe-west1.');
});

test('the doctor takes the region in which functions run without a setting', async () => {
  const world = await newWorld();
  const { opened } = opening(world, {}, { ask: undefined, purpose: 'doctor' });
  expect((await opened).region).toBe('us-central1');
});
