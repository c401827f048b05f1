import { beforeAll, describe, expect, inject, test } from 'vitest';
import { ROUTES } from '../functions/src/app.ts';
import { isWrite } from '../functions/src/http/route.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { entriesBy, signUpOperator } from './support/operators.ts';
import { adminAuth, exchangeCustomToken, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { auditLogOf, createTeam } from './support/teams.ts';

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const NOT_ALLOWED = { status: 403, code: 'impersonation_not_allowed' };

/** The person as an operator sees them: the credentials are those of the impersonation. */
async function impersonate(operator: Person, target: Person): Promise<Person> {
  const response = await call('POST', `${app.url}/api/admin/users/${target.uid}/impersonation`, {
    headers: operator.bearer,
    json: { reason: 'A ticket', minutes: 10 },
  });
  const { token } = (await response.json()) as { token: string };
  expect(response.status).toBe(201);
  const idToken = await exchangeCustomToken(token);
  return { ...target, idToken, bearer: { Authorization: `Bearer ${idToken}` } };
}

/** Signs in by a custom token with these claims, as only the backend can make one. */
async function withClaims(uid: string, impersonation: object): Promise<Record<string, string>> {
  const token = await adminAuth().createCustomToken(uid, { impersonation });
  return { Authorization: `Bearer ${await exchangeCustomToken(token)}` };
}

const sessionOf = (headers: Record<string, string>) =>
  call('GET', `${app.url}/api/auth/session`, { headers });

test('the operator sees the service as the user, and the session says so', async () => {
  const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
  const teamId = await createTeam(app.url, target);
  const seen = await impersonate(operator, target);
  const body: unknown = await (await sessionOf(seen.bearer)).json();
  expect(body).toMatchObject({
    user: { uid: target.uid, email: target.email },
    teams: [{ id: teamId }],
    impersonation: { operatorId: operator.uid, endsAt: expect.any(String) as unknown },
  });
  expect(await (await sessionOf(target.bearer)).json()).not.toHaveProperty('impersonation');
});

test('a session by cookie is marked in the same way, and ends with the impersonation', async () => {
  const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
  const seen = await impersonate(operator, target);
  const response = await call('POST', `${app.url}/api/auth/session`, {
    headers: { Origin: APP_URL },
    json: { idToken: seen.idToken },
  });
  const { expiresAt } = (await response.json()) as { expiresAt: string };
  expect(Date.parse(expiresAt)).toBeLessThan(Date.now() + 11 * 60_000);
  const cookie = await startSession(app.url, seen);
  expect(await (await sessionOf(cookie)).json()).toMatchObject({
    user: { uid: target.uid },
    impersonation: { operatorId: operator.uid },
  });
  const headers = { ...cookie, Origin: APP_URL };
  expect((await call('DELETE', `${app.url}/api/auth/session`, { headers })).status).toBe(204);
  expect((await sessionOf(cookie)).status).toBe(401);
});

test('both ids and the reason are in the audit log', async () => {
  const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
  await impersonate(operator, target);
  expect(await entriesBy(operator.uid)).toMatchObject([
    { action: 'admin.impersonation_started', target: target.uid, details: { reason: 'A ticket' } },
  ]);
});

describe('an impersonating operator', () => {
  const WRITES = ROUTES.filter(
    (route) =>
      isWrite(route, route.method) &&
      (route.access ?? 'user') === 'user' &&
      route.impersonation === undefined &&
      route.operatorsOnly === undefined,
  );

  test('meets every route that changes something, and only two that allow it', () => {
    expect(WRITES.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['deleteUser', 'deleteTeam', 'checkout', 'portal', 'changePlan', 'purchase']),
    );
    const allowed = ROUTES.filter(({ impersonation }) => impersonation === 'allowed');
    expect(allowed.map(({ id }) => id)).toEqual(['changeUser', 'changeTeam']);
  });

  test.each(WRITES.map((route) => [route.id, route] as const))('is refused by %s', async (_id, route) => {
    const seen = await current();
    const path = route.path.replaceAll(/\{\w+\}/g, 'nobody');
    const response = await call(route.method.toUpperCase(), app.url + path, { headers: seen.bearer });
    expect(response.status).toBe(403);
    const isPage = route.errorShape === 'page-or-html-fragment' || route.errorShape === 'upload';
    if (!isPage) expect(await errorOf(response)).toMatchObject(NOT_ALLOWED);
  });

  let shared: Promise<Person> | undefined;
  const current = () =>
    (shared ??= Promise.all([signUpOperator(), signUp()]).then(([a, b]) => impersonate(a, b)));

  test('does not end the sessions of the user', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const seen = await impersonate(operator, target);
    const response = await call('DELETE', `${app.url}/api/auth/session?everywhere=true`, {
      headers: seen.bearer,
    });
    expect(await errorOf(response)).toMatchObject(NOT_ALLOWED);
    expect((await sessionOf(target.bearer)).status).toBe(200);
  });

  test('does not upload in the name of the user', async () => {
    const seen = await current();
    const response = await call('POST', `${app.url}/api/upload`, {
      headers: seen.bearer,
      body: new FormData(),
    });
    expect(response.status).toBe(403);
  });

  test('does not export the personal data without an entry in the audit log', async () => {
    const seen = await current();
    const response = await call('GET', `${app.url}/api/auth/user/export`, { headers: seen.bearer });
    expect(await errorOf(response)).toMatchObject({ status: 403, code: 'recent_sign_in_required' });
  });

  test('does not have the rights of an operator, even if the user became one', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const seen = await impersonate(operator, target);
    await adminAuth().setCustomUserClaims(target.uid, { admin: true });
    const response = await call('GET', `${app.url}/api/admin/search?text=x`, { headers: seen.bearer });
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('renames a team, and the audit log has both ids', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const teamId = await createTeam(app.url, target);
    const seen = await impersonate(operator, target);
    const path = `/api/auth/teams/${teamId}`;
    const response = await call('PATCH', app.url + path, {
      headers: seen.bearer,
      json: { name: 'Repaired' },
    });
    expect(response.status).toBe(200);
    expect((await auditLogOf(teamId)).at(-1)).toMatchObject({ action: 'team.updated', actorId: target.uid });
    expect((await entriesBy(operator.uid)).at(-1)).toMatchObject({
      action: 'admin.impersonated_request',
      target: target.uid,
      details: { request: `PATCH ${path}` },
    });
  });

  test('holds a token of their own account, which cannot change how the user signs in', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const { idToken } = await impersonate(operator, target);
    expect((await adminAuth().verifyIdToken(idToken)).uid).toBe(operator.uid);
    const before = await adminAuth().getUser(target.uid);
    await fetch(`${inject('stack').urls.auth}/identitytoolkit.googleapis.com/v1/accounts:update?key=test`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ idToken, password: 'stolen password' }),
    });
    expect(await adminAuth().getUser(target.uid)).toEqual(before);
  });
});

describe('an impersonation ends', () => {
  test('at its time', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const until = Math.floor(Date.now() / 1000) - 1;
    expect((await sessionOf(await withClaims(operator.uid, { uid: target.uid, until }))).status).toBe(401);
  });

  test('with the rights of the operator', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const seen = await impersonate(operator, target);
    await adminAuth().setCustomUserClaims(operator.uid, {});
    const rename = { headers: seen.bearer, json: { displayName: 'Ada' } };
    expect((await call('PATCH', `${app.url}/api/auth/user`, rename)).status).toBe(401);
  });

  test('with the account of the operator', async () => {
    const [operator, target] = await Promise.all([signUpOperator(), signUp()]);
    const seen = await impersonate(operator, target);
    await adminAuth().updateUser(operator.uid, { disabled: true });
    const rename = { headers: seen.bearer, json: { displayName: 'Ada' } };
    expect((await call('PATCH', `${app.url}/api/auth/user`, rename)).status).toBe(401);
  });
});

test.each([
  ['nobody', { until: 9_999_999_999 }],
  ['no end', { uid: 'somebody' }],
  ['an end that is no number', { uid: 'somebody', until: 'later' }],
])('a token that names %s is refused', async (_what, claims) => {
  const operator = await signUpOperator();
  expect((await sessionOf(await withClaims(operator.uid, claims))).status).toBe(401);
});

test('a token of a user without the claim admin is refused', async () => {
  const [person, target] = await Promise.all([signUp(), signUp()]);
  const until = Math.floor(Date.now() / 1000) + 600;
  expect((await sessionOf(await withClaims(person.uid, { uid: target.uid, until }))).status).toBe(401);
});

test('operators are not impersonated, and nobody is impersonated for more than an hour', async () => {
  const [operator, other, target] = await Promise.all([signUpOperator(), signUpOperator(), signUp()]);
  const ask = (uid: string, minutes: number) =>
    call('POST', `${app.url}/api/admin/users/${uid}/impersonation`, {
      headers: operator.bearer,
      json: { reason: 'A ticket', minutes },
    });
  expect(await errorOf(await ask(other.uid, 10))).toMatchObject({
    status: 403,
    code: 'admin_not_impersonated',
  });
  expect(await errorOf(await ask(target.uid, 61))).toMatchObject({ status: 400, code: 'invalid_request' });
});
