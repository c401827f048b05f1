import {
  FieldValue,
  type DocumentReference,
  type Firestore,
  type Timestamp,
  type Transaction,
} from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import { firestoreAt, silentServer } from '../functions/src/firestore/testing/unreachable.ts';
import { openApiDocument } from '../functions/src/openapi/document.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { dbOn } from './support/database.ts';
import {
  adminAuth,
  adminFirestore,
  nextSecond,
  signIn,
  signUp,
  startSession,
  type Person,
} from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';

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

const CLEARED = '__session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax';

const statusOf = async (headers: Record<string, string>) =>
  (await call('GET', `${app.url}/api/auth/session`, { headers })).status;

async function startSessionFrom(userAgent: string, person: Person): Promise<Response> {
  return call('POST', `${app.url}/api/auth/session`, {
    headers: { Origin: APP_URL, 'User-Agent': userAgent },
    json: { idToken: person.idToken },
  });
}

describe('GET /api/auth/sessions', () => {
  test('lists the sessions by cookie and marks the current one', async () => {
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

  test('lists no session of others, stores no cookie, and cuts a long user agent', async () => {
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

  test('leaves out a session that signed out', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    expect((await signOut(cookie)).status).toBe(204);
    expect(await sessions(person.bearer)).toEqual([]);
  });

  test('leaves out sessions that ended by signing out everywhere, a password reset or a removed sign-in method', async () => {
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

  test('leaves out sessions whose cookie has expired', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    const later = new Date(Date.now() + app.config.sessionDays * 86_400_000);
    await using tomorrow = await serveApp({ backend: { now: () => later } });
    expect(await sessions(person.bearer, tomorrow.url)).toEqual([]);
  });

  test('has pages and requires a signed-in user', async () => {
    const person = await signUp();
    await startSession(app.url, person);
    // Two cookies of the same second are equal.
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

describe('DELETE /api/auth/sessions/{id}', () => {
  const endSession = (headers: Record<string, string>, id: string) =>
    call('DELETE', `${app.url}/api/auth/sessions/${id}`, { headers: { Origin: APP_URL, ...headers } });

  test('ends one session and no other', async () => {
    const person = await signUp();
    const [stolen] = [await startSession(app.url, person), await nextSecond()];
    const own = await startSession(app.url, await signIn(person));
    const id = (await sessions(own)).find(({ current }) => !current)?.id ?? '';
    const response = await endSession(own, id);
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, []]);
    expect(await statusOf(stolen)).toBe(401);
    expect((await sessions(own)).map(({ current }) => current)).toEqual([true]);
    expect(await errorOf(await endSession(own, id))).toMatchObject({
      status: 404,
      code: 'session_not_found',
    });
  });

  test('clears the cookie if the session ends itself', async () => {
    const cookie = await startSession(app.url, await signUp());
    const response = await endSession(cookie, (await sessions(cookie))[0]?.id ?? '');
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, [CLEARED]]);
    expect(await statusOf(cookie)).toBe(401);
  });

  test('answers 404 for a session of another user, which stays open', async () => {
    const [person, other] = await Promise.all([signUp(), signUp()]);
    const cookie = await startSession(app.url, other);
    const id = (await sessions(cookie))[0]?.id ?? '';
    const response = await endSession(person.bearer, id);
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'session_not_found' });
    expect(await statusOf(cookie)).toBe(200);
  });

  test('answers 400 for a malformed id', async () => {
    expect((await endSession((await signUp()).bearer, '..%2F..%2Fteams')).status).toBe(400);
  });

  test('is refused for another site', async () => {
    const cookie = await startSession(app.url, await signUp());
    const id = (await sessions(cookie))[0]?.id ?? '';
    const response = await endSession({ ...cookie, Origin: 'https://evil.example' }, id);
    expect(await errorOf(response)).toMatchObject({ status: 403, code: 'foreign_origin' });
    expect(await statusOf(cookie)).toBe(200);
  });
});

describe('a cookie whose session has ended', () => {
  const document = openApiDocument({ appUrl: APP_URL }, ROUTES);
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { security: object[]; responses: Record<string, unknown> }>)
      .filter(([, { security }]) => security.length > 0 && !security.some((one) => !Object.keys(one).length))
      .map(([method, { responses }]) => ({ method, path, isLink: '303' in responses })),
  );
  let ended: { Cookie: string };
  beforeAll(async () => {
    ended = await startSession(app.url, await signUp());
    expect((await signOut(ended)).status).toBe(204);
  });

  test.each(routes)(
    'is refused by $method $path, which leaves the cookie of a newer session',
    async ({ method, path, isLink }) => {
      const url = app.url + path.replaceAll(/\{\w+\}/g, 'none');
      const headers = { ...ended, Origin: APP_URL };
      const program = await call(method.toUpperCase(), url, { headers });
      const isSent = path.startsWith('/api/team/');
      expect([program.status, program.headers.getSetCookie()]).toEqual([isSent ? 303 : 401, []]);
      if (!isLink) return;
      const browser = await visit(url, headers);
      expect([browser.status, browser.headers.getSetCookie()]).toEqual([303, []]);
      expect(locationOf(browser).pathname).toBe('/auth/sign-in');
    },
  );

  test('is refused even if one of its requests was in progress when it ended', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/customers', status: 'hold' },
    });
    const underWay = visit(`${app.url}/api/auth/portal`, cookie);
    await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
    expect((await signOut(cookie)).status).toBe(204);
    await call('POST', `${app.stripe.url}/_emulator/release`);
    expect((await underWay).status).toBe(303);
    expect(await statusOf(cookie)).toBe(401);
  });
});

describe('the document of a session', () => {
  /** Firestore whose transactions fail if they write a document whose path matches. */
  function failingFor(pattern: RegExp, code: number): () => Promise<Firestore> {
    const firestore = adminFirestore();
    const runTransaction: Firestore['runTransaction'] = async (body, options) => {
      const written: string[] = [];
      const set = ({ path }: DocumentReference) => {
        written.push(path);
      };
      const run = (tx: Transaction) => body(withMethod(tx, 'set', set));
      const result = await firestore.runTransaction(run, options);
      if (written.some((path) => pattern.test(path))) throw Object.assign(new Error('failed'), { code });
      return result;
    };
    return () => Promise.resolve(withMethod(firestore, 'runTransaction', runTransaction));
  }

  function withMethod<Target extends object>(target: Target, name: keyof Target, method: unknown): Target {
    return new Proxy(target, {
      get: (_target, key) => {
        const value: unknown = key === name ? method : Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  test.each([
    ['unavailable', 14, 503],
    ['permission denied', 7, 500],
  ])(
    'is written before the cookie is returned: no cookie if Firestore answers "%s"',
    async (_error, code, status) => {
      await using broken = await serveApp({ backend: { db: dbOn(failingFor(/\/sessions\//, code)) } });
      const response = await call('POST', `${broken.url}/api/auth/session`, {
        headers: { Origin: APP_URL },
        json: { idToken: (await signUp()).idToken },
      });
      expect([response.status, response.headers.getSetCookie()]).toEqual([status, []]);
    },
  );

  test('expires with the cookie and not before, although our clock is an hour slow', async () => {
    const hourAgo = () => new Date(Date.now() - 3_600_000);
    await using slow = await serveApp({ backend: { now: hourAgo } });
    const person = await signUp();
    const { Cookie } = await startSession(slow.url, person);
    const payload = Buffer.from(Cookie.split('.')[1] ?? '', 'base64url').toString();
    const { exp } = JSON.parse(payload) as { exp: number };
    const [session] = (await adminFirestore().collection(`users/${person.uid}/sessions`).get()).docs;
    expect((session?.get('expiresAt') as Timestamp).toMillis()).toBe(exp * 1000);
  });

  test('may lack the ids at providers, which an older version did not store', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    const [session] = (await adminFirestore().collection(`users/${person.uid}/sessions`).get()).docs;
    await session?.ref.update({ providerUids: FieldValue.delete() });
    expect([await statusOf(cookie), (await sessions(cookie)).length]).toEqual([200, 1]);
  });

  test('cannot be read while Firestore does not answer, and the user stays signed in', async () => {
    const cookie = await startSession(app.url, await signUp());
    using silent = await silentServer();
    const firestore = firestoreAt(silent.port);
    const db = dbOn(() => Promise.resolve(firestore), { request: 50 });
    await using broken = await serveApp({ backend: { db } });
    const response = await call('GET', `${broken.url}/api/auth/session`, { headers: cookie });
    expect([await errorOf(response), response.headers.getSetCookie()]).toMatchObject([
      { status: 503, code: 'busy' },
      [],
    ]);
    const out = await call('DELETE', `${broken.url}/api/auth/session`, {
      headers: { ...cookie, Origin: APP_URL },
    });
    expect([out.status, out.headers.getSetCookie()]).toEqual([503, []]);
  });
});

test('signing out everywhere also ends cookies of the same second', async () => {
  const person = await signUp();
  const cookie = await startSession(app.url, person);
  expect((await signOut(cookie, '?everywhere=true')).status).toBe(204);
  expect(await statusOf(cookie)).toBe(401);
});

test('signing out everywhere also ends ID tokens of the same second', async () => {
  const person = await signUp();
  const cookie = await startSession(app.url, person);
  expect((await signOut(cookie, '?everywhere=true')).status).toBe(204);
  expect(await statusOf(person.bearer)).toBe(401);
  expect((await startSessionFrom('Lynx/2.9', person)).status).toBe(401);
});

test('signing out with a cookie without a session clears the cookie', async () => {
  const response = await signOut({ Cookie: '__session=nonsense' });
  expect([response.status, response.headers.getSetCookie()[0]]).toEqual([
    204,
    expect.stringMatching(/^__session=;/),
  ]);
});
