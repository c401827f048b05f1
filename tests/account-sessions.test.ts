import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import {
  adminAuth,
  adminFirestore,
  nextSecond,
  signIn,
  signUp,
  startSession,
  type Person,
} from './support/people.ts';
import { call, errorOf } from './support/requests.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Session {
  id: string;
  current: boolean;
  signInMethod: string;
  userAgent: string | null;
  signedInAt: string;
  expiresAt: string;
}

async function sessions(headers: Record<string, string>, appUrl = app.url): Promise<Session[]> {
  const response = await call('GET', `${appUrl}/api/auth/sessions`, { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { sessions: Session[] }).sessions;
}

const signOut = (cookie: { Cookie: string }, query = '') =>
  call('DELETE', `${app.url}/api/auth/session${query}`, { headers: { ...cookie, Origin: APP_URL } });

async function startSessionFrom(userAgent: string, person: Person): Promise<Response> {
  return call('POST', `${app.url}/api/auth/session`, {
    headers: { Origin: APP_URL, 'User-Agent': userAgent },
    json: { idToken: person.idToken },
  });
}

describe('GET /api/auth/sessions', () => {
  test('lists the sessions by cookie and tells which one asks', async () => {
    const person = await signUp();
    const first = await startSession(app.url, person);
    await nextSecond();
    await startSessionFrom('Lynx/2.9', await signIn(person));
    const list = await sessions(first);
    expect(list.map(({ current, userAgent }) => ({ current, userAgent }))).toEqual([
      { current: false, userAgent: 'Lynx/2.9' },
      { current: true, userAgent: 'node' },
    ]);
    const [latest] = list;
    expect(latest).toMatchObject({
      signInMethod: 'password',
      id: expect.stringMatching(/^[\w-]{22}$/) as string,
    });
    const life = Date.parse(latest?.expiresAt ?? '') - Date.parse(latest?.signedInAt ?? '');
    expect(life).toBeGreaterThan(app.config.sessionDays * 86_400_000 - 60_000);
  });

  test('lists nobody else’s, keeps no cookie, and cuts a boundless user agent', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const cookie = await startSession(app.url, other);
    expect(await sessions(person.bearer)).toEqual([]);
    const { docs } = await adminFirestore().collection(`users/${other.uid}/sessions`).get();
    expect(JSON.stringify(docs.map((document) => [document.id, document.data()]))).not.toContain(
      cookie.Cookie.slice(-20),
    );
    await startSessionFrom('x'.repeat(5000), person);
    expect((await sessions(person.bearer)).map(({ userAgent }) => userAgent)).toEqual(['x'.repeat(256)]);
  });

  test('leaves out one that signed out', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    expect((await signOut(cookie)).status).toBe(204);
    expect(await sessions(person.bearer)).toEqual([]);
  });

  test('leaves out those that were ended everywhere, by a reset, or with their way to sign in', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    await nextSecond();
    expect((await signOut(cookie, '?everywhere=true')).status).toBe(204);
    const again = await signIn(person);
    expect(await sessions(again.bearer)).toEqual([]);
    expect((await adminFirestore().collection(`users/${person.uid}/sessions`).get()).size).toBe(0);

    await startSession(app.url, again);
    expect(await sessions(again.bearer)).toHaveLength(1);
    await nextSecond();
    await adminAuth().revokeRefreshTokens(person.uid);
    expect(await sessions((await signIn(person)).bearer)).toEqual([]);
  });

  test('leaves out those whose cookie has ended', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const later = new Date(Date.now() + app.config.sessionDays * 86_400_000);
    await using tomorrow = await serveApp({ services: { now: () => later } });
    expect(await sessions(person.bearer, tomorrow.url)).toEqual([]);
  });

  test('comes in pages and is for who is signed in', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    // Two cookies of one second are the same.
    await nextSecond();
    await startSessionFrom('Lynx/2.9', person);
    const list = `${app.url}/api/auth/sessions?limit=1`;
    const read = async (url: string) =>
      (await (await call('GET', url, { headers: person.bearer })).json()) as {
        sessions: Session[];
        nextCursor: string;
      };
    const { sessions: first, nextCursor } = await read(list);
    const { sessions: second, nextCursor: end } = await read(`${list}&cursor=${nextCursor}`);
    expect([first.length, second.length, end]).toEqual([1, 1, null]);
    expect(first[0]?.id).not.toBe(second[0]?.id);
    expect(await errorOf(await call('GET', list))).toMatchObject({ status: 401 });
  });
});

test('signing out with a cookie that is no session still clears it', async () => {
  const response = await signOut({ Cookie: '__session=nonsense' });
  expect([response.status, response.headers.getSetCookie()[0]]).toEqual([
    204,
    expect.stringMatching(/^__session=;/),
  ]);
});
