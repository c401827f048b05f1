import { beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { signUpOperator, entriesBy } from './support/operators.ts';
import { adminAuth, nextSecond, signIn, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';

const ADMIN_ROUTES = ROUTES.filter(({ path }) => path.startsWith('/api/admin/'));

let app: AppUnderTest;
/** The same service an hour and a minute later. */
let later: AppUnderTest;
/** The same service six minutes later. */
let soon: AppUnderTest;
let operator: Person;
let user: Person;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
  soon = resources.use(await serveApp({ backend: { now: () => new Date(Date.now() + 6 * 60_000) } }));
  later = resources.use(await serveApp({ backend: { now: () => new Date(Date.now() + 61 * 60_000) } }));
  [operator, user] = await Promise.all([signUpOperator(), signUp()]);
});

interface Asked {
  method: string;
  path: string;
}

const QUERIES: Readonly<Record<string, string>> = {
  adminSearch: '?text=nobody',
  adminFindInvitations: '?email=nobody@example.com',
  adminFindMail: '?email=nobody@example.com',
};

/** Each route with ids that belong to nothing, and the body that it expects. */
const CASES: [id: string, asked: Asked & { json: object | undefined }][] = ADMIN_ROUTES.map((route) => [
  route.id,
  {
    method: route.method.toUpperCase(),
    path: `${route.path.replaceAll(/\{\w+\}/g, route.path.includes('/subscriptions/') ? 'sub_1' : 'nobody')}${QUERIES[route.id] ?? ''}`,
    json: BODIES()[route.id],
  },
]);

function BODIES(): Readonly<Record<string, object>> {
  return {
    adminChangeUser: { disabled: true },
    adminImpersonate: { reason: 'support' },
    adminChangeOwner: { uid: 'nobody' },
    adminGivePlan: { plan: 'pro', until: '2999-01-01T00:00:00Z' },
  };
}

const ask = (
  { url }: AppUnderTest,
  { method, path, json }: (typeof CASES)[number][1],
  headers: Record<string, string> = {},
) => call(method, url + path, { headers, json });

test('there are routes to check', () => {
  expect(CASES.length).toBeGreaterThan(15);
});

describe.each(CASES)('%s', (_id, asked) => {
  test('is unknown to a user without the claim', async () => {
    const response = await ask(app, asked, user.bearer);
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('asks a visitor to sign in', async () => {
    const response = await ask(app, asked);
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('asks an operator who signed in long ago to sign in again', async () => {
    const response = await ask(later, asked, operator.bearer);
    expect(await errorOf(response)).toMatchObject({ status: 403, code: 'recent_sign_in_required' });
  });

  test('wants a sign-in of the last five minutes to change something', async () => {
    const response = await ask(soon, asked, operator.bearer);
    const error = asked.method === 'GET' ? undefined : { status: 403, code: 'recent_sign_in_required' };
    const { status } = response;
    if (error === undefined) expect([200, 404]).toContain(status);
    else expect(await errorOf(response)).toMatchObject(error);
  });
});

test('a user gets 404 for an unknown URL below /api/admin as well', async () => {
  const response = await call('GET', `${app.url}/api/admin/anything`, { headers: user.bearer });
  expect(await errorOf(response)).toMatchObject({ status: 404, code: 'not_found' });
});

test('a user who was an operator a moment ago has no access', async () => {
  const former = await signUpOperator();
  const search = { method: 'GET', path: '/api/admin/search?text=nobody', json: undefined };
  expect((await ask(app, search, former.bearer)).status).toBe(200);
  await adminAuth().setCustomUserClaims(former.uid, {});
  expect((await ask(app, search, former.bearer)).status).toBe(404);
});

test('a disabled operator is signed out', async () => {
  const former = await signUpOperator();
  await adminAuth().updateUser(former.uid, { disabled: true });
  const search = { method: 'GET', path: '/api/admin/search?text=nobody', json: undefined };
  expect((await ask(app, search, former.bearer)).status).toBe(401);
});

test('an operator whose sessions were ended is signed out, by cookie too', async () => {
  const former = await signUpOperator();
  const cookie = await startSession(app.url, former);
  const headers = { ...cookie, Origin: APP_URL };
  expect((await call('GET', `${app.url}/api/admin/search?text=x`, { headers })).status).toBe(200);
  await nextSecond();
  await adminAuth().revokeRefreshTokens(former.uid);
  expect((await call('GET', `${app.url}/api/admin/search?text=x`, { headers })).status).toBe(401);
});

test('a request with the cookie of an operator from another site changes nothing', async () => {
  const fresh = await signIn(operator);
  const cookie = await startSession(app.url, fresh);
  const headers = { ...cookie, Origin: 'https://evil.example' };
  const response = await call('PATCH', `${app.url}/api/admin/users/${user.uid}`, {
    headers,
    json: { disabled: true },
  });
  expect(await errorOf(response)).toMatchObject({ status: 403, code: 'foreign_origin' });
  expect((await adminAuth().getUser(user.uid)).disabled).toBe(false);
});

test('App Check is required if it is on', async () => {
  await using strict = await serveApp({ config: { appCheckRequired: true } });
  const response = await call('GET', `${strict.url}/api/admin/search?text=x`, { headers: operator.bearer });
  expect(await errorOf(response)).toMatchObject({ status: 403, code: 'app_check_required' });
});

test('a refused request leaves no entry in the audit log', async () => {
  expect((await entriesBy(user.uid)).filter(({ action }) => action.startsWith('admin.'))).toEqual([]);
});
