import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signIn, signUp } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { addMember, createTeam, inviteTo } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Anonymous {
  uid: string;
  idToken: string;
  bearer: { Authorization: string };
}

async function authApi(method: string, json: object): Promise<{ localId: string; idToken: string }> {
  const url = `${inject('stack').urls.auth}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=test`;
  const response = await call('POST', url, { json: { ...json, returnSecureToken: true } });
  expect(response.status).toBe(200);
  return (await response.json()) as { localId: string; idToken: string };
}

async function signInAnonymously(): Promise<Anonymous> {
  const { localId: uid, idToken } = await authApi('signUp', {});
  return { uid, idToken, bearer: { Authorization: `Bearer ${idToken}` } };
}

const startTeam = ({ bearer }: Pick<Anonymous, 'bearer'>, url = app.url) =>
  call('POST', `${url}/api/auth/teams`, { headers: bearer, json: { name: 'Acme' } });

test('an anonymous account cannot create a team until it has a sign-in method', async () => {
  const person = await signInAnonymously();
  expect(await errorOf(await startTeam(person))).toMatchObject({ status: 403, code: 'anonymous_account' });
  const teams = await adminFirestore().collection('teams').where('ownerId', '==', person.uid).get();
  expect(teams.size).toBe(0);
  const email = `${crypto.randomUUID()}@example.com`;
  const password = 'correct horse';
  await authApi('update', { idToken: person.idToken, email, password });
  expect((await startTeam(await signIn({ uid: person.uid, email, password }))).status).toBe(201);
});

test('an anonymous account can create teams if that is configured', async () => {
  await using open = await serveApp({ config: { anonymousTeams: true } });
  expect((await startTeam(await signInAnonymously(), open.url)).status).toBe(201);
});

test('an anonymous account cannot invite or accept, even if it can create teams', async () => {
  await using open = await serveApp({ config: { anonymousTeams: true } });
  const person = await signInAnonymously();
  const { id: teamId } = (await (await startTeam(person, open.url)).json()) as { id: string };
  const json = { email: 'a@example.com', role: 'member' };
  const invite = await call('POST', `${open.url}/api/auth/teams/${teamId}/invitations`, {
    headers: person.bearer,
    json,
  });
  expect(await errorOf(invite)).toMatchObject({ status: 403, code: 'email_unverified' });
  const owner = await signUp();
  const { id } = await inviteTo(app.url, owner, await createTeam(app.url, owner), 'b@example.com');
  const accept = await call('POST', `${app.url}/api/auth/invitations/${id}/accept`, {
    headers: person.bearer,
  });
  expect(await errorOf(accept)).toMatchObject({ status: 403, code: 'not_recipient' });
});

test.each(['checkout/pro', 'portal'])('an anonymous account cannot buy: %s', async (path) => {
  const person = await signInAnonymously();
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  const refused = await call('GET', `${app.url}/api/auth/${path}`, { headers: person.bearer });
  expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'anonymous_account' });
  const page = await visit(`${app.url}/api/auth/${path}`, person.bearer);
  expect([page.status, await page.text()]).toMatchObject([
    403,
    expect.stringContaining('Create an account first'),
  ]);
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  expect(await log.json()).toMatchObject({ counts: {} });
});

test('an anonymous account cannot buy for a team that it owns', async () => {
  const person = await signInAnonymously();
  const teamId = await createTeam(app.url, await signUp());
  await addMember(teamId, { ...person, email: '', password: '' }, 'owner');
  const refused = await call('GET', `${app.url}/api/auth/checkout/pro?team=${teamId}`, {
    headers: person.bearer,
  });
  expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'anonymous_account' });
});
