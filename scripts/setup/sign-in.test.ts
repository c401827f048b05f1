import { expect, test } from 'vitest';
import { signInStep } from './steps/sign-in.ts';
import { openTarget } from './target.ts';
import { deployedWorld, enabledWorld, newWorld, type World } from './testing/world.ts';

const authOf = ({ fake }: World) => fake.project.auth as Record<string, unknown>;

const PRICE = 'free for 50,000 monthly active users, and about $0.0055 for each further one';

test('a dry run names the price of Identity Platform', async () => {
  const { run } = await enabledWorld();
  expect((await run('plan', [signInStep])).lines.join()).toContain(
    `would: set up Firebase Authentication with Identity Platform, ${PRICE}.`,
  );
});

test.each([
  ['', true],
  ['yes', true],
  ['no', false],
])('the answer "%s" to the question about Identity Platform is remembered', async (answer, isWanted) => {
  const asked = await questionsAbout(await enabledWorld(), answer);
  expect(asked.questions).toEqual([expect.stringContaining(PRICE)]);
  expect(asked.opened.allowsIdentityPlatform).toBe(isWanted);
  expect(asked.opened.settings).toMatchObject({ IDENTITY_PLATFORM: String(isWanted) });
});

test('a new project is asked about Identity Platform before its API is enabled', async () => {
  expect((await questionsAbout(await newWorld())).questions).toHaveLength(1);
});

test('nobody is asked about Identity Platform if Authentication is set up, or if the choice is known', async () => {
  const known = { IDENTITY_PLATFORM: 'true' };
  expect((await questionsAbout(await enabledWorld(), 'no', known)).questions).toEqual([]);
  const { questions, opened } = await questionsAbout(await deployedWorld(), 'no');
  expect(questions).toEqual([]);
  expect(opened.settings).not.toHaveProperty('IDENTITY_PLATFORM');
});

test('without Identity Platform a person sets up Authentication in the console', async () => {
  const { fake, run } = await newWorld({ IDENTITY_PLATFORM: 'false' });
  const { todo, failures } = await run('apply');
  expect(failures).toEqual([]);
  expect(todo.join('\n')).toContain(
    'Press "Get started" at https://console.firebase.google.com/project/acme-1/',
  );
  expect(fake.project.auth).toBeUndefined();
  fake.project.auth = {};
  await run('apply', [signInStep]);
  expect(fake.project.auth).toHaveProperty('signIn');
});

test('another value of IDENTITY_PLATFORM is refused', async () => {
  await expect(newWorld({ IDENTITY_PLATFORM: 'no' })).rejects.toThrow(
    'IDENTITY_PLATFORM must be true or false.',
  );
});

/** Opens the target in a terminal, and answers the questions about Identity Platform. */
async function questionsAbout({ target }: World, answer = '', environment: Record<string, string> = {}) {
  const questions: string[] = [];
  const opened = await openTarget({
    ...{ projectId: 'acme-1', google: target.google, settingsFolder: target.settingsFolder },
    ...{ region: 'europe-west1', purpose: 'setup' },
    environment: { APP_URL: 'https://app.example.com', MAIL_FROM: 'a@example.com', ...environment },
    ask: (question, { fallback = '' }) => {
      if (!question.includes('Identity Platform')) return Promise.resolve(fallback);
      questions.push(question);
      return Promise.resolve(answer);
    },
  });
  return { questions, opened };
}

test('the links in mail of Firebase lead to ACTION_PATH', async () => {
  const world = await newWorld({}, ['ACTION_PATH=/account/confirm']);
  await world.run('apply');
  const callbackUri = 'https://app.example.com/account/confirm';
  expect(authOf(world)).toMatchObject({ notification: { sendEmail: { callbackUri } } });
  expect((await world.run('check', [signInStep])).lines.join('\n')).not.toContain('mail');
});

test('every host of the app is an authorized domain', async () => {
  const world = await newWorld({}, [
    'OWN_ORIGINS=https://www.example.com,https://app.example.org',
    'HOSTING_SITES=acme-app,project-two',
  ]);
  await world.run('apply');
  expect(authOf(world)['authorizedDomains']).toEqual([
    'localhost',
    'acme-1.firebaseapp.com',
    'acme-1.web.app',
    'app.example.com',
    'www.example.com',
    'app.example.org',
    'acme-app.web.app',
    'acme-app.firebaseapp.com',
    'project-two.web.app',
    'project-two.firebaseapp.com',
  ]);
  expect((await world.run('apply')).changes).toBe(0);
});

test('a project without sign-in by Google is complete if SIGN_IN_PROVIDERS leaves it out', async () => {
  const world = await deployedWorld({}, ['SIGN_IN_PROVIDERS=password']);
  world.fake.project.google = undefined;
  expect((await world.run('check', [signInStep])).todo).toEqual([]);
});

test('passwords are not enabled if SIGN_IN_PROVIDERS leaves them out', async () => {
  const world = await newWorld({ SIGN_IN_PROVIDERS: 'google' });
  await world.run('apply');
  expect(authOf(world)).not.toHaveProperty('signIn');
});

test.each([
  ['google', 'Sign-in with e-mail and password', 'or add password to SIGN_IN_PROVIDERS.'],
  ['password', 'Sign-in with Google', 'or add google to SIGN_IN_PROVIDERS.'],
])('with SIGN_IN_PROVIDERS=%s, %s that is on is reported and stays on', async (providers, title, advice) => {
  const world = await deployedWorld();
  Object.assign(world.target, { providers: [providers] });
  const { changes, todo } = await world.run('apply', [signInStep]);
  expect(changes).toBe(0);
  expect(todo).toEqual([expect.stringContaining(`${title} is on, and SIGN_IN_PROVIDERS leaves it out.`)]);
  expect(todo[0]).toContain(advice);
  expect(authOf(world)).toMatchObject({ signIn: { email: { enabled: true } } });
  expect(world.fake.project.google).toEqual({ enabled: true });
});

test('a sign-in provider that nobody knows is refused', async () => {
  const wrong = newWorld({ SIGN_IN_PROVIDERS: 'password,gogle' });
  await expect(wrong).rejects.toThrow('SIGN_IN_PROVIDERS must be password, google or password,google.');
});

test.each<[name: string, auth: (auth: Record<string, unknown>) => unknown, problem: string]>([
  ['no password', (auth) => delete auth['signIn'], 'Sign-in with e-mail and password is off.'],
  [
    'an optional password',
    (auth) => (auth['signIn'] = { email: { enabled: true, passwordRequired: false } }),
    'Sign-in with e-mail and password is off.',
  ],
  [
    'email enumeration protection that is off',
    (auth) => (auth['emailPrivacyConfig'] = { enableImprovedEmailPrivacy: false }),
    'Firebase Auth shows who has an account: email enumeration protection is off.',
  ],
  [
    'a missing domain',
    (auth) => (auth['authorizedDomains'] = ['acme-1.web.app', 'acme-1.firebaseapp.com']),
    'app.example.com is no authorized domain, so nobody can sign in there.',
  ],
  [
    'another action URL',
    (auth) => (auth['notification'] = { sendEmail: { callbackUri: 'https://app.example.com/other' } }),
    "The links in Firebase's mail do not lead to the app.",
  ],
])('the doctor sees %s', async (_name, damage, problem) => {
  const world = await deployedWorld();
  damage(authOf(world));
  const { todo } = await world.run('check', [signInStep]);
  expect(todo).toEqual([expect.stringContaining(problem)]);
});

test('the doctor sees that sign-in with Google is off, or not set up at all', async () => {
  const world = await deployedWorld();
  world.fake.project.google = { enabled: false };
  expect((await world.run('check', [signInStep])).todo).toEqual([
    expect.stringMatching(/^Sign-in with Google is off\..* or set SIGN_IN_PROVIDERS=password\.$/),
  ]);
  const other = await enabledWorld();
  expect((await other.run('check', [signInStep])).todo).toEqual(['Firebase Authentication is not set up.']);
});
