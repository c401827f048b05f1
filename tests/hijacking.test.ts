import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  confirmPasswordReset,
  connectAuthEmulator,
  getAuth,
  GoogleAuthProvider,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  type Auth,
} from 'firebase/auth';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { codeMailedTo } from './support/mailbox.ts';
import { adminAuth, nextSecond, signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';

const { urls, projectId } = inject('stack');

let app: AppUnderTest;
let client: FirebaseApp;
let auth: Auth;
beforeAll(async () => {
  app = await serveApp();
  client = initializeApp({ apiKey: 'local', projectId }, randomUUID());
  auth = getAuth(client);
  connectAuthEmulator(auth, urls.auth, { disableWarnings: true });
});
afterAll(async () => {
  await deleteApp(client);
  await app[Symbol.asyncDispose]();
});

const statusOf = async (headers: Record<string, string>) =>
  (await call('GET', `${app.url}/api/auth/session`, { headers })).status;

async function signInWithGoogle(email: string): Promise<Record<string, string>> {
  const claims = { sub: randomUUID(), email, email_verified: true };
  const { user } = await signInWithCredential(auth, GoogleAuthProvider.credential(JSON.stringify(claims)));
  return { Authorization: `Bearer ${await user.getIdToken()}` };
}

async function resetCode(email: string): Promise<string> {
  await sendPasswordResetEmail(auth, email);
  return codeMailedTo(email, 'PASSWORD_RESET');
}

/** Somebody registers an address that is not theirs, and stays signed in. */
async function register(): Promise<{ attacker: Person; cookie: { Cookie: string } }> {
  const attacker = await signUp({ emailVerified: false });
  return { attacker, cookie: await startSession(app.url, attacker) };
}

describe("who registered somebody else's address and never verified it", () => {
  test('has neither session, token nor password once the owner signs in with Google', async () => {
    const { attacker, cookie } = await register();
    expect([await statusOf(cookie), await statusOf(attacker.bearer)]).toEqual([200, 200]);

    const owner = await signInWithGoogle(attacker.email);
    expect(await statusOf(owner)).toBe(200);
    expect([await statusOf(cookie), await statusOf(attacker.bearer)]).toEqual([401, 401]);
    await expect(signInWithEmailAndPassword(auth, attacker.email, attacker.password)).rejects.toMatchObject({
      code: expect.stringMatching(/^auth\/(wrong-password|invalid-credential|user-not-found)$/) as string,
    });
  });

  test('has neither session, token nor password once the owner resets the password', async () => {
    const { attacker, cookie } = await register();
    await nextSecond();
    await confirmPasswordReset(auth, await resetCode(attacker.email), 'of the true owner');
    expect([await statusOf(cookie), await statusOf(attacker.bearer)]).toEqual([401, 401]);
    await expect(signInWithEmailAndPassword(auth, attacker.email, attacker.password)).rejects.toThrow();
    const { user } = await signInWithEmailAndPassword(auth, attacker.email, 'of the true owner');
    expect(await statusOf({ Authorization: `Bearer ${await user.getIdToken()}` })).toBe(200);
  });
});

test('a code for a password reset works once, also when it is used twice at the same time', async () => {
  const { email } = await signUp();
  const code = await resetCode(email);
  const attempts = await Promise.allSettled(
    ['first one', 'second one'].map((password) => confirmPasswordReset(auth, code, password)),
  );
  expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a second way to sign in does not end the sessions of the first when the address was verified', async () => {
  const person = await signUp({ emailVerified: true });
  const cookie = await startSession(app.url, person);
  await signInWithGoogle(person.email);
  expect(await statusOf(cookie)).toBe(200);
});

test('a way to sign in that is taken from the account takes its sessions along', async () => {
  const person = await signUp({ emailVerified: true });
  const cookie = await startSession(app.url, person);
  const google = await signInWithGoogle(person.email);
  expect([await statusOf(cookie), await statusOf(google)]).toEqual([200, 200]);
  await adminAuth().updateUser(person.uid, { providersToUnlink: ['google.com'] });
  expect([await statusOf(cookie), await statusOf(google)]).toEqual([200, 401]);
});
