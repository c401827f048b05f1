import { randomInt, randomUUID } from 'node:crypto';
import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  confirmPasswordReset,
  connectAuthEmulator,
  getAuth,
  EmailAuthProvider,
  GoogleAuthProvider,
  linkWithCredential,
  sendPasswordResetEmail,
  signInAnonymously,
  signInWithCredential,
  signInWithEmailAndPassword,
  type Auth,
  type User,
} from 'firebase/auth';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { changeAccount } from '../functions/src/admin/users/change-account.service.ts';
import type { Backend } from '../functions/src/backend.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { codeMailedTo } from './support/mailbox.ts';
import { adminAuth, nextSecond, signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';

const { urls, projectId } = inject('stack');

let app: AppUnderTest;
let client: FirebaseApp;
let auth: Auth;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
  client = resources.adopt(initializeApp({ apiKey: 'local', projectId }, randomUUID()), deleteApp);
  auth = getAuth(client);
  connectAuthEmulator(auth, urls.auth, { disableWarnings: true });
});

const statusOf = async (headers: Record<string, string>) =>
  (await call('GET', `${app.url}/api/auth/session`, { headers })).status;

const googleAccount = (email: string) =>
  GoogleAuthProvider.credential(JSON.stringify({ sub: randomUUID(), email, email_verified: true }));

const bearerOf = async (user: User) => ({ Authorization: `Bearer ${await user.getIdToken()}` });

async function signInWithGoogle(email: string): Promise<Record<string, string>> {
  return bearerOf((await signInWithCredential(auth, googleAccount(email))).user);
}

async function resetCode(email: string): Promise<string> {
  await sendPasswordResetEmail(auth, email);
  return codeMailedTo(email, 'PASSWORD_RESET');
}

/** Revocation has a precision of seconds: it does not end a sign-in in the same second. An attacker may time that. */
async function forgetRevocation({ uid }: Person): Promise<void> {
  const path = `identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:update`;
  const response = await fetch(`${urls.auth}/${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    body: JSON.stringify({ localId: uid, validSince: '1' }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** A number that no other test has. */
const phoneNumber = () => `+1555${String(randomInt(1e6, 1e7))}`;

/** An attacker registers another person's address and stays signed in. */
async function register(): Promise<{ attacker: Person; cookie: { Cookie: string } }> {
  const attacker = await signUp({ emailVerified: false });
  return { attacker, cookie: await startSession(app.url, attacker) };
}

describe("a person who registered somebody else's address and never verified it", () => {
  test('loses session, token and password when the owner of the address signs in with Google', async () => {
    const { attacker, cookie } = await register();
    expect([await statusOf(cookie), await statusOf(attacker.bearer)]).toEqual([200, 200]);

    const owner = await signInWithGoogle(attacker.email);
    expect(await statusOf(owner)).toBe(200);
    expect([await statusOf(cookie), await statusOf(attacker.bearer)]).toEqual([401, 401]);
    await expect(signInWithEmailAndPassword(auth, attacker.email, attacker.password)).rejects.toMatchObject({
      code: 'auth/invalid-credential',
    });
  });

  test('loses session, token and password when the owner of the address resets the password', async () => {
    const { attacker, cookie } = await register();
    await nextSecond();
    await confirmPasswordReset(auth, await resetCode(attacker.email), 'of the true owner');
    expect([await statusOf(cookie), await statusOf(attacker.bearer)]).toEqual([401, 401]);
    await expect(signInWithEmailAndPassword(auth, attacker.email, attacker.password)).rejects.toThrow();
    const { user } = await signInWithEmailAndPassword(auth, attacker.email, 'of the true owner');
    expect(await statusOf(await bearerOf(user))).toBe(200);
  });

  test('cannot sign in with a linked Google account once the owner resets the password', async () => {
    const { attacker } = await register();
    const { user } = await signInWithEmailAndPassword(auth, attacker.email, attacker.password);
    const backDoor = googleAccount(`attacker-${attacker.email}`);
    await linkWithCredential(user, backDoor);
    const signedIn = await bearerOf((await signInWithCredential(auth, backDoor)).user);
    expect(await statusOf(signedIn)).toBe(200);
    await nextSecond();
    await confirmPasswordReset(auth, await resetCode(attacker.email), 'of the true owner');
    expect(await statusOf(signedIn)).toBe(401);
    const { user: another } = await signInWithCredential(auth, backDoor);
    expect(another.uid).not.toBe(attacker.uid);
  });

  test('cannot continue with a linked Google account once the owner signs in with Google', async () => {
    const { attacker } = await register();
    const { user } = await signInWithEmailAndPassword(auth, attacker.email, attacker.password);
    const backDoor = googleAccount(`attacker-${attacker.email}`);
    await linkWithCredential(user, backDoor);
    const idToken = await (await signInWithCredential(auth, backDoor)).user.getIdToken();
    const bearer = { Authorization: `Bearer ${idToken}` };
    const cookie = await startSession(app.url, { ...attacker, idToken });
    expect([await statusOf(bearer), await statusOf(cookie)]).toEqual([200, 200]);

    const owner = await signInWithGoogle(attacker.email);
    expect((await adminAuth().getUser(attacker.uid)).emailVerified).toBe(true);
    await forgetRevocation(attacker);
    expect([await statusOf(bearer), await statusOf(cookie), await statusOf(owner)]).toEqual([401, 401, 200]);
    const exchanged = await call('POST', `${app.url}/api/auth/session`, {
      headers: { Origin: APP_URL },
      json: { idToken },
    });
    expect(exchanged.status).toBe(401);
    const list = await call('GET', `${app.url}/api/auth/sessions`, { headers: owner });
    expect(await list.json()).toEqual({ sessions: [], nextCursor: null });
  });

  test('loses all ways to sign in when an operator verifies the address for its owner', async () => {
    const { attacker, cookie } = await register();
    const { user } = await signInWithEmailAndPassword(auth, attacker.email, attacker.password);
    const backDoor = googleAccount(`attacker-${attacker.email}`);
    await linkWithCredential(user, backDoor);
    await adminAuth().updateUser(attacker.uid, { phoneNumber: phoneNumber() });
    const linked = await bearerOf((await signInWithCredential(auth, backDoor)).user);
    expect(await statusOf(linked)).toBe(200);

    await changeAccount(app.backend, { id: 'cli:support' }, attacker.uid, { verifiedEmail: attacker.email });
    expect(await adminAuth().getUser(attacker.uid)).toMatchObject({
      emailVerified: true,
      phoneNumber: undefined,
      providerData: [{ providerId: 'password', uid: attacker.email }],
    });
    for (const headers of [cookie, attacker.bearer, linked]) expect(await statusOf(headers)).toBe(401);
    await forgetRevocation(attacker);
    expect([await statusOf(cookie), await statusOf(linked)]).toEqual([401, 401]);
    await expect(signInWithEmailAndPassword(auth, attacker.email, attacker.password)).rejects.toThrow();
    const { user: another } = await signInWithCredential(auth, backDoor);
    expect(another.uid).not.toBe(attacker.uid);

    await confirmPasswordReset(auth, await resetCode(attacker.email), 'of the true owner');
    const { user: owner } = await signInWithEmailAndPassword(auth, attacker.email, 'of the true owner');
    expect(owner.uid).toBe(attacker.uid);
    expect(await statusOf(await bearerOf(owner))).toBe(200);
  });

  test('keeps nothing either if the operator repeats a verification that was interrupted', async () => {
    const { attacker } = await register();
    const { auth: full } = app.backend;
    const failing = { ...full, revokeRefreshTokens: () => Promise.reject(new Error('The process dies.')) };
    const verify = (backend: Backend) =>
      changeAccount(backend, { id: 'cli:support' }, attacker.uid, { verifiedEmail: attacker.email });
    await expect(verify({ ...app.backend, auth: failing })).rejects.toThrow();
    expect((await adminAuth().getUser(attacker.uid)).emailVerified).toBe(false);
    await verify(app.backend);
    expect(await statusOf(attacker.bearer)).toBe(401);
    expect((await adminAuth().getUser(attacker.uid)).emailVerified).toBe(true);
  });

  test('cannot continue with an anonymous session from before they set the address', async () => {
    const { user } = await signInAnonymously(auth);
    const attacker = { uid: user.uid, email: `${randomUUID()}@example.com`, password: 'of the attacker' };
    const nameless = await bearerOf(user);
    expect(await statusOf(nameless)).toBe(200);
    await linkWithCredential(user, EmailAuthProvider.credential(attacker.email, attacker.password));
    expect(await statusOf(nameless)).toBe(401);
  });
});

test('a code for a password reset works once, even if it is used twice at the same time', async () => {
  const { email } = await signUp();
  const code = await resetCode(email);
  const attempts = await Promise.allSettled(
    ['first one', 'second one'].map((password) => confirmPasswordReset(auth, code, password)),
  );
  expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a second sign-in method does not end the sessions of the first if the address was verified', async () => {
  const person = await signUp({ emailVerified: true });
  const cookie = await startSession(app.url, person);
  await signInWithGoogle(person.email);
  expect(await statusOf(cookie)).toBe(200);
});

test('the sessions of a removed sign-in method end', async () => {
  const person = await signUp({ emailVerified: true });
  const cookie = await startSession(app.url, person);
  const google = await signInWithGoogle(person.email);
  expect([await statusOf(cookie), await statusOf(google)]).toEqual([200, 200]);
  await adminAuth().updateUser(person.uid, { providersToUnlink: ['google.com'] });
  // Here the state of the user may be cached for some seconds; requests that change something do not use it.
  const change = { headers: google, json: { displayName: 'Ada' } };
  expect((await call('PATCH', `${app.url}/api/auth/user`, change)).status).toBe(401);
  expect([await statusOf(cookie), await statusOf(google)]).toEqual([200, 401]);
});
