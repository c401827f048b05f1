import { Timestamp } from 'firebase-admin/firestore';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminAuth, adminFirestore, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const signOut = (cookie: { Cookie: string }, query = '') =>
  call('DELETE', `${app.url}/api/auth/session${query}`, { headers: { ...cookie, Origin: APP_URL } });

const statusOf = async (headers: Record<string, string>) =>
  (await call('GET', `${app.url}/api/auth/session`, { headers })).status;

describe('an ended session or sign-in', () => {
  let person: Person;
  let cookie: { Cookie: string };
  /** Another instance, which has the state of the user in its cache. */
  let other: AppUnderTest;
  const atOther = async (headers: Record<string, string>) =>
    (await call('GET', `${other.url}/api/auth/session`, { headers })).status;
  beforeEach(async () => {
    person = await signUp();
    cookie = await startSession(app.url, person);
    other = await serveApp();
    expect([await atOther(cookie), await atOther(person.bearer)]).toEqual([200, 200]);
  });
  afterEach(() => other[Symbol.asyncDispose]());

  test.each<[what: string, end: () => Promise<Response>]>([
    ['signing out', () => signOut(cookie)],
    ['signing out everywhere', () => signOut(cookie, '?everywhere=true')],
    [
      'ending the session from the list',
      async () => {
        const list = await call('GET', `${app.url}/api/auth/sessions`, { headers: cookie });
        const { sessions } = (await list.json()) as { sessions: { id: string }[] };
        const url = `${app.url}/api/auth/sessions/${sessions[0]?.id ?? ''}`;
        return call('DELETE', url, { headers: person.bearer });
      },
    ],
    ['deleting the account', () => call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer })],
  ])('%s ends the cookie immediately on another instance, which has cached the user', async (_what, end) => {
    expect((await end()).status).toBe(204);
    expect(await atOther(cookie)).toBe(401);
  });

  test('signing out everywhere ends ID tokens immediately here, and for changes on all instances', async () => {
    expect((await signOut(cookie, '?everywhere=true')).status).toBe(204);
    expect(await statusOf(person.bearer)).toBe(401);
    const change = { headers: person.bearer, json: { displayName: 'Ada' } };
    expect((await call('PATCH', `${other.url}/api/auth/user`, change)).status).toBe(401);
    expect(await atOther(person.bearer)).toBe(401);
  });

  test('signing out everywhere ends a user whose profile is damaged', async () => {
    await adminFirestore().doc(`users/${person.uid}`).set({ createdAt: 'damaged' });
    expect((await signOut(cookie, '?everywhere=true')).status).toBe(204);
    expect(await atOther(cookie)).toBe(401);
    const profile = (await adminFirestore().doc(`users/${person.uid}`).get()).data();
    expect(Object.keys(profile ?? {}).sort()).toEqual(['createdAt', 'signInsEndedAt']);
    expect(profile?.signInsEndedAt).toBeInstanceOf(Timestamp);
    await startSession(app.url, await signIn(person));
  });
});

test('a sign-in from before the end that a damaged profile names is refused', async () => {
  const person = await signUp();
  const signInsEndedAt = new Date(Date.now() + 60_000);
  await adminFirestore().doc(`users/${person.uid}`).set({ createdAt: 'damaged', signInsEndedAt });
  const response = await call('POST', `${app.url}/api/auth/session`, {
    headers: { Origin: APP_URL },
    json: { idToken: person.idToken },
  });
  expect(await errorOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('signing out everywhere keeps the session of a sign-in from afterwards', async () => {
  const person = await signUp();
  const before = await startSession(app.url, person);
  const sessions = adminFirestore().collection(`users/${person.uid}/sessions`);
  const [session] = (await sessions.get()).docs;
  const later = { ...session?.data(), signedInAt: new Date(Date.now() + 60_000) };
  await sessions.doc('afterwards').set(later);
  expect((await signOut(before, '?everywhere=true')).status).toBe(204);
  expect((await sessions.get()).docs.map(({ id }) => id)).toEqual(['afterwards']);
});

describe('signing out everywhere during a sign-in', () => {
  /** Signs out everywhere while the sign-in asks Firebase Auth for the cookie. */
  async function signInWhile(order: 'cookie first' | 'sign-out first'): Promise<Response> {
    const person = await signUp();
    const auth = adminAuth();
    const signOutEverywhere = async () => {
      const url = `${app.url}/api/auth/session?everywhere=true`;
      expect((await call('DELETE', url, { headers: person.bearer })).status).toBe(204);
    };
    const createSessionCookie: typeof auth.createSessionCookie = async (...parameters) => {
      if (order === 'sign-out first') await signOutEverywhere();
      const cookie = await auth.createSessionCookie(...parameters);
      if (order === 'cookie first') await signOutEverywhere();
      return cookie;
    };
    const get = (target: typeof auth, name: string | symbol) =>
      name === 'createSessionCookie' ? createSessionCookie : (Reflect.get(target, name) as unknown);
    await using slow = await serveApp({ backend: { auth: new Proxy(auth, { get }) } });
    return await call('POST', `${slow.url}/api/auth/session`, {
      headers: { Origin: APP_URL },
      json: { idToken: person.idToken },
    });
  }

  test('refuses the sign-in whose cookie is made already, and stores no session', async () => {
    const response = await signInWhile('cookie first');
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('refuses the sign-in before its cookie is made', async () => {
    expect(await errorOf(await signInWhile('sign-out first'))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
  });
});
