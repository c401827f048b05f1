import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminAuth, adminFirestore, nextSecond, signIn, signUp, startSession } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const session = () => `${app.url}/api/auth/session`;
const start = (idToken: unknown, headers: Record<string, string> = { Origin: APP_URL }) =>
  call('POST', session(), { headers, json: { idToken } });

describe('POST /api/auth/session', () => {
  test('answers a recent sign-in with a cookie for five days that scripts cannot read', async () => {
    const { idToken } = await signUp();
    const response = await start(idToken);
    expect(response.status).toBe(201);
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__session=[^;]+; Max-Age=432000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
  });

  test('marks the cookie as Secure if the URL of the app begins with https', async () => {
    await using secure = await serveApp({ config: { appUrl: 'https://app.example.com' } });
    const { idToken } = await signUp();
    const response = await call('POST', `${secure.url}/api/auth/session`, {
      headers: { Origin: 'https://app.example.com' },
      json: { idToken },
    });
    expect(response.headers.getSetCookie()[0]).toContain('; Secure;');
  });

  test.each([
    ['garbage', () => Promise.resolve('garbage')],
    ['a token of a deleted user', () => tokenAfter((uid) => adminAuth().deleteUser(uid))],
    [
      'a token of a disabled user',
      () => tokenAfter((uid) => adminAuth().updateUser(uid, { disabled: true })),
    ],
  ])('answers 401 to %s', async (_token, token) => {
    const response = await start(await token());
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('answers 401 to an expired token', async () => {
    const { idToken } = await signUp();
    expect((await start(withClaims(idToken, { exp: Math.floor(Date.now() / 1000) - 1 }))).status).toBe(401);
  });

  test('answers 401 to a token of another project', async () => {
    const { idToken } = await signUp();
    expect((await start(withClaims(idToken, { aud: 'demo-other' }))).status).toBe(401);
  });

  test('answers 401 to a revoked token', async () => {
    const { uid, idToken } = await signUp();
    await revokeAfterASecond(uid);
    expect((await start(idToken)).status).toBe(401);
  });

  test('answers 401 to a sign-in older than five minutes', async () => {
    const { idToken } = await signUp();
    const sixMinutesOn = () => new Date(Date.now() + 6 * 60_000);
    await using later = await serveApp({ backend: { now: sixMinutesOn } });
    const response = await call('POST', `${later.url}/api/auth/session`, {
      headers: { Origin: APP_URL },
      json: { idToken },
    });
    expect(response.status).toBe(401);
  });

  test.each([
    ['another site', { Origin: 'https://evil.example' }],
    ['a site whose name begins with our name', { Origin: `${APP_URL}.evil.example` }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['no origin', {}],
  ])('refuses a sign-in from %s', async (_origin, headers: Record<string, string>) => {
    const { idToken } = await signUp();
    const response = await start(idToken, headers);
    expect(await errorOf(response)).toMatchObject({ status: 403, code: 'foreign_origin' });
  });

  test.each([
    ['no token', {}],
    ['a token that is not a string', { idToken: 7 }],
    ['an unknown key', { idToken: 'x', admin: true }],
    ['a list', []],
  ])('answers 400 to %s', async (_body, json) => {
    const response = await call('POST', session(), { headers: { Origin: APP_URL }, json });
    expect(response.status).toBe(400);
  });

  test('refuses a cookie that browsers drop because of its size', async () => {
    const person = await signUp();
    const { uid } = person;
    await adminAuth().setCustomUserClaims(uid, { other: 'x'.repeat(980) });
    await adminAuth().updateUser(uid, { photoURL: `https://example.com/${'x'.repeat(2000)}` });
    const { idToken } = await signIn(person);
    const response = await start(idToken);
    expect(await errorOf(response)).toMatchObject({ status: 409, code: 'session_too_large' });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await adminFirestore().collection(`users/${uid}/sessions`).get()).size).toBe(0);
  });

  test('accepts JSON only, which a form of another site cannot send', async () => {
    const response = await call('POST', session(), { headers: { Origin: APP_URL }, body: '{"idToken":"x"}' });
    expect(response.status).toBe(415);
  });
});

describe('GET /api/auth/session', () => {
  test('answers the user, their teams with roles and their plan, by cookie and by token', async () => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person, 'Lighthouse');
    const expected = {
      user: { uid: person.uid, email: person.email, emailVerified: true, displayName: null, photoURL: null },
      teams: [{ id: teamId, name: 'Lighthouse', role: 'owner' }],
      plan: 'free',
    };
    const byCookie = await call('GET', session(), { headers: await startSession(app.url, person) });
    const byToken = await call('GET', session(), { headers: person.bearer });
    expect([await byCookie.json(), await byToken.json()]).toEqual([expected, expected]);
  });

  test('may not be cached', async () => {
    const response = await call('GET', session(), { headers: (await signUp()).bearer });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('answers the current state, not the state at the time of the token', async () => {
    const person = await signUp({ emailVerified: false });
    const cookie = await startSession(app.url, person);
    await adminAuth().updateUser(person.uid, { emailVerified: true });
    const response = await call('GET', session(), { headers: cookie });
    expect(await response.json()).toMatchObject({ user: { emailVerified: true } });
  });

  test.each([
    ['no credentials', {}],
    ['a made-up cookie', { Cookie: '__session=made-up' }],
    ['a made-up token', { Authorization: 'Bearer made-up' }],
    ['another scheme', { Authorization: 'Basic dTpw' }],
    ['an empty cookie', { Cookie: '__session=' }],
  ])('answers 401 to %s', async (_credentials, headers: Record<string, string>) => {
    const response = await call('GET', session(), { headers });
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('does not use the cookie if the token is invalid', async () => {
    const cookie = await startSession(app.url, await signUp());
    const response = await call('GET', session(), { headers: { ...cookie, Authorization: 'Bearer bad' } });
    expect(response.status).toBe(401);
  });

  test('answers 401 for a session of a disabled user, here at the latest when a cached state has expired', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    await adminAuth().updateUser(person.uid, { disabled: true });
    await using other = await serveApp();
    expect((await call('GET', `${other.url}/api/auth/session`, { headers: cookie })).status).toBe(401);
    await using cacheless = await serveApp({ config: { userCacheSeconds: 0 } });
    expect((await call('GET', `${cacheless.url}/api/auth/session`, { headers: cookie })).status).toBe(401);
  });

  test('a disabled user cannot change data, and after the attempt cannot read data', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    expect((await call('GET', session(), { headers: cookie })).status).toBe(200);
    await adminAuth().updateUser(person.uid, { disabled: true });
    const change = { headers: { ...cookie, Origin: APP_URL }, json: { displayName: 'Ada' } };
    expect((await call('PATCH', `${app.url}/api/auth/user`, change)).status).toBe(401);
    expect((await call('GET', session(), { headers: cookie })).status).toBe(401);
  });
});

describe('DELETE /api/auth/session', () => {
  test('ends the session, clears the cookie and keeps other sessions', async () => {
    const person = await signUp();
    const cookie = await startSession(app.url, person);
    await nextSecond();
    const other = await startSession(app.url, await signIn(person));
    const response = await call('DELETE', session(), { headers: { ...cookie, Origin: APP_URL } });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/^__session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    const statusOf = async (headers: Record<string, string>) =>
      (await call('GET', session(), { headers })).status;
    expect([await statusOf(cookie), await statusOf(other), await statusOf(person.bearer)]).toEqual([
      401, 200, 200,
    ]);
  });

  test('ends every session with ?everywhere=true', async () => {
    const person = await signUp();
    const cookies = [await startSession(app.url, person), await startSession(app.url, person)];
    await nextSecond();
    const response = await call('DELETE', `${session()}?everywhere=true`, {
      headers: { ...cookies[0], Origin: APP_URL },
    });
    expect(response.status).toBe(204);
    for (const headers of cookies) expect((await call('GET', session(), { headers })).status).toBe(401);
    const again = await signIn(person);
    expect((await call('GET', session(), { headers: again.bearer })).status).toBe(200);
  });

  test('also clears the cookie of a session that has ended', async () => {
    const response = await call('DELETE', session(), {
      headers: { Cookie: '__session=old', Origin: APP_URL },
    });
    expect([response.status, response.headers.getSetCookie().length]).toEqual([204, 1]);
  });

  test('is refused for another site', async () => {
    const cookie = await startSession(app.url, await signUp());
    const response = await call('DELETE', `${session()}?everywhere=true`, {
      headers: { ...cookie, Origin: 'https://evil.example' },
    });
    expect(response.status).toBe(403);
    expect((await call('GET', session(), { headers: cookie })).status).toBe(200);
  });
});

/** Changes claims of a token. Tokens of the Auth emulator are not signed. */
function withClaims(idToken: string, claims: object): string {
  const [header, payload = '', signature] = idToken.split('.');
  const decoded = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...decoded, ...claims })).toString('base64url');
  return [header, changed, signature].join('.');
}

async function tokenAfter(change: (uid: string) => Promise<unknown>): Promise<string> {
  const { uid, idToken } = await signUp();
  await change(uid);
  return idToken;
}

async function revokeAfterASecond(uid: string): Promise<void> {
  await nextSecond();
  await adminAuth().revokeRefreshTokens(uid);
}

test.each([
  '/api/auth/Portal',
  '/api/auth/Checkout/pro',
  '/api/Auth/session',
  '/api/auth/Teams',
  '/API/health',
])('%s in another case is another path, which does not exist', async (path) => {
  const person = await signUp();
  expect((await call('GET', app.url + path, { headers: person.bearer })).status).toBe(404);
});

describe('an app with several origins', () => {
  const config = {
    appUrl: 'https://app.example.com',
    ownOrigins: ['https://www.example.com'],
    hostingSites: ['hearth-shop'],
    previewChannels: true,
  };

  test.each([
    'https://www.example.com',
    'https://hearth-shop.web.app',
    'https://hearth-shop.firebaseapp.com',
    'https://hearth-shop--pr42-a1b2c3d4.web.app',
  ])('signs in, writes by cookie and returns from signing in at %s', async (origin) => {
    await using several = await serveApp({ config });
    const { idToken } = await signUp();
    const signedIn = await call('POST', `${several.url}/api/auth/session`, {
      headers: { Origin: origin },
      json: { idToken },
    });
    expect(signedIn.status).toBe(201);
    const Cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const team = { headers: { Origin: origin, Cookie }, json: { name: 'Acme' } };
    expect((await call('POST', `${several.url}/api/auth/teams`, team)).status).toBe(201);

    const path = '/api/auth/checkout/pro';
    const signedOut = await visit(several.url + path, { 'X-Forwarded-Host': new URL(origin).host });
    expect(signedOut.headers.get('location')).toBe(
      `/auth/sign-in?callback=${encodeURIComponent(origin + path)}`,
    );
  });

  test.each([
    'https://hearth-shop-evil.web.app',
    'https://hearth-shop--a1b2c3d4.web.app',
    'https://evil.com',
  ])('refuses sign-ins from %s', async (origin) => {
    await using several = await serveApp({ config });
    const { idToken } = await signUp();
    const headers = { Origin: origin };
    const answer = await call('POST', `${several.url}/api/auth/session`, { headers, json: { idToken } });
    expect(await errorOf(answer)).toMatchObject({ status: 403, code: 'foreign_origin' });
  });
});
