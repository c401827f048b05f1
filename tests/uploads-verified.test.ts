import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { documentOf, eventOf, isThere, finalize, sendAs } from './support/direct-uploads.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, signInAnonymously, signInByCustomToken, signUp, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { usedBytes } from './support/uploads.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const upload = ({ bearer: headers }: Person, query = '', { url } = app) =>
  call('POST', `${url}/api/upload${query}`, { headers, body: formWith(png(), 'photo.png') });

const REFUSED = { error: 'Verify your e-mail address before you upload files.' };

async function accountWith(properties: Parameters<ReturnType<typeof adminAuth>['createUser']>[0]) {
  return signInByCustomToken((await adminAuth().createUser(properties)).uid);
}

/** A number that no other test uses. */
const phoneNumber = () => `+1555${String(Math.random()).slice(2, 9)}`;

const ACCOUNTS: [string, () => Promise<Person>, number][] = [
  ['a verified address', () => signUp(), 200],
  ['an address that is not verified', () => signUp({ emailVerified: false }), 403],
  ['a phone number and no address', () => accountWith({ phoneNumber: phoneNumber() }), 200],
  ['neither, signed in by a custom token', () => accountWith({}), 403],
  ['neither, signed in anonymously', () => signInAnonymously(), 403],
];

describe('through the API, an account with', () => {
  test.each(ACCOUNTS)('%s', async (_what, signIn, status) => {
    const person = await signIn();
    for (const query of ['', '?visibility=private']) {
      const answer = await upload(person, query);
      expect(answer.status).toBe(status);
      if (status === 403) expect(await answer.json()).toEqual(REFUSED);
    }
  });

  test('an address that is verified after the token was made may upload immediately', async () => {
    const person = await signUp({ emailVerified: false });
    await adminAuth().updateUser(person.uid, { emailVerified: true });
    expect((await upload(person)).status).toBe(200);
  });

  test('an unverified address may upload if that is configured', async () => {
    const person = await signUp({ emailVerified: false });
    for (const config of [{ uploadVerifiedOnly: false }, { uploadRequiresAuth: false }]) {
      await using open = await serveApp({ config });
      expect((await upload(person, '', open)).status).toBe(200);
    }
  });
});

describe('for direct uploads', () => {
  test('the rules refuse a sender whose address is not verified', async () => {
    const person = await signUp({ emailVerified: false });
    await expect(sendAs(person)).rejects.toMatchObject({ code: 'storage/unauthorized' });
  });

  test('a file is removed if the address is no longer verified when its event comes', async () => {
    const person = await signUp();
    const sent = await sendAs(person);
    await adminAuth().updateUser(person.uid, { emailVerified: false });
    await finalize(app, await eventOf(app, sent.path));
    expect(await documentOf(sent)).toMatchObject({ status: 'refused', reason: 'email_unverified' });
    expect([await isThere(app, sent.path), await usedBytes(person.uid)]).toEqual([false, 0]);
  });

  test('a file is stored if no verified address is required', async () => {
    await using open = await serveApp({ config: { uploadVerifiedOnly: false } });
    const person = await signUp();
    const sent = await sendAs(person);
    await adminAuth().updateUser(person.uid, { emailVerified: false });
    await finalize(open, await eventOf(open, sent.path));
    expect(await documentOf(sent)).toMatchObject({ status: 'stored' });
  });
});
