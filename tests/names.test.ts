import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createProfile } from '../functions/src/account/user.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { stripeOf } from './support/billing.ts';
import { adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { createTeam, inviteTo, mailTo } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const LINK = 'URGENT: sign in at https://evil.example/login';
const BIDI = 'Microsoft\u202e Security';

describe('the API refuses a name with', () => {
  test.each([
    ['a link', LINK, 'web address'],
    ['www', 'www.evil.example', 'web address'],
    ['a domain and a path', 'evil.example/login', 'web address'],
    ['a bidi control', BIDI, 'invisible characters'],
    ['two lines', 'Ada\nB', 'one line'],
  ])('%s, for a new team, a renamed team and a user', async (_part, name, problem) => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    const answers = await Promise.all([
      call('POST', `${app.url}/api/auth/teams`, { headers: person.bearer, json: { name } }),
      call('PATCH', `${app.url}/api/auth/teams/${teamId}`, { headers: person.bearer, json: { name } }),
      call('PATCH', `${app.url}/api/auth/user`, { headers: person.bearer, json: { displayName: name } }),
    ]);
    for (const refusal of await Promise.all(answers.map(errorOf))) {
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(refusal.error).toContain(problem);
    }
  });
});

test('the API accepts names with emoji, and in scripts that need joiners', async () => {
  const person = await signUp();
  for (const name of ['Family 👨‍👩‍👧‍👦', 'می\u200cخواهم', 'ශ්\u200dරී ලංකා', 'Booking.com']) {
    const team = await call('POST', `${app.url}/api/auth/teams`, { headers: person.bearer, json: { name } });
    expect(await team.json()).toMatchObject({ name });
    const json = { displayName: name };
    const user = await call('PATCH', `${app.url}/api/auth/user`, { headers: person.bearer, json });
    expect(await user.json()).toMatchObject({ displayName: name });
  }
});

/** Sets name and picture in Firebase Auth, like the client SDK, without our API. */
async function updateProfile({ idToken }: Person, displayName: string, photoUrl: string): Promise<void> {
  const url = `${inject('stack').urls.auth}/identitytoolkit.googleapis.com/v1/accounts:update?key=test`;
  const response = await call('POST', url, { json: { idToken, displayName, photoUrl } });
  expect(response.status).toBe(200);
}

const DIRTY = `Microsoft\r\nSecurity \u202e ${LINK} ${'x'.repeat(1600)}`;
const CLEAN = 'Microsoft Security URGENT: sign in at '.padEnd(100, 'x');

async function impostor(): Promise<Person> {
  const person = await signUp();
  await updateProfile(person, DIRTY, `javascript:${'x'.repeat(4000)}`);
  return person;
}

describe('a name and picture that a client SDK has set', () => {
  test.each(['avatar.png', 'https://', 'http://['])(
    'are left out if the picture is %s, which is no URL',
    async (picture) => {
      const person = await signUp();
      await updateProfile(person, 'Ada', picture);
      await startSession(app.url, person);
      const session = await call('GET', `${app.url}/api/auth/session`, { headers: person.bearer });
      expect(await session.json()).toMatchObject({ user: { displayName: 'Ada', photoURL: null } });
      const deletion = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
      expect(deletion.status).toBe(204);
    },
  );

  test('are clean in the session and in the profile', async () => {
    const person = await impostor();
    await startSession(app.url, person);
    const session = await call('GET', `${app.url}/api/auth/session`, { headers: person.bearer });
    expect(await session.json()).toMatchObject({ user: { displayName: CLEAN, photoURL: null } });
    const profile = await adminFirestore().doc(`users/${person.uid}`).get();
    expect(profile.data()).toMatchObject({ displayName: CLEAN, photoURL: null });
  });

  test('are clean in the profile that the trigger of a new user creates', async () => {
    const person = await impostor();
    await createProfile(app.backend, person.uid);
    const profile = await adminFirestore().doc(`users/${person.uid}`).get();
    expect(profile.data()).toMatchObject({ displayName: CLEAN, photoURL: null });
  });

  test('are clean after the API changed only one of them', async () => {
    const person = await impostor();
    const json = { photoURL: 'https://example.com/me.png' };
    const user = await call('PATCH', `${app.url}/api/auth/user`, { headers: person.bearer, json });
    expect(await user.json()).toMatchObject({ displayName: CLEAN, ...json });
  });

  test('are clean in the list of members, for the founder and for a member who joined', async () => {
    const [owner, member] = await Promise.all([impostor(), impostor()]);
    const teamId = await createTeam(app.url, owner);
    const { id } = await inviteTo(app.url, owner, teamId, member.email);
    await call('POST', `${app.url}/api/auth/invitations/${id}/accept`, { headers: member.bearer });
    const { docs } = await adminFirestore().collection(`teams/${teamId}/members`).get();
    expect(docs.map((found) => found.get('displayName') as string)).toEqual([CLEAN, CLEAN]);
  });

  test('are clean in the subject and the text of an invitation', async () => {
    const person = await impostor();
    const email = `${crypto.randomUUID()}@example.com`;
    await inviteTo(app.url, person, await createTeam(app.url, person), email);
    const [mail] = await mailTo(email);
    expect(mail?.subject).toBe(`${CLEAN} invites you to Acme`);
    expect(`${mail?.text ?? ''}${mail?.html ?? ''}`).not.toMatch(/evil|\u202e|x{200}/);
  });

  test('are clean at Stripe', async () => {
    const person = await impostor();
    await visit(`${app.url}/api/auth/portal`, person.bearer);
    const query = `metadata['firebaseUID']:'${person.uid}'`;
    expect((await stripeOf(app).customers.search({ query })).data).toMatchObject([{ name: CLEAN }]);
  });
});

describe('names in documents that are older than the rules, or that an operator wrote', () => {
  test('are clean in the list of members', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await adminFirestore().doc(`teams/${teamId}/members/${owner.uid}`).update({ displayName: DIRTY });
    const members = await call('GET', `${app.url}/api/auth/teams/${teamId}/members`, {
      headers: owner.bearer,
    });
    expect(await members.json()).toMatchObject({ members: [{ displayName: CLEAN }] });
  });

  test('are clean in invitations, in their mail and at Stripe', async () => {
    const [owner, recipient] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await adminFirestore().doc(`teams/${teamId}`).update({ name: DIRTY });
    const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
    const invitation = adminFirestore().doc(`invitations/${id}`);
    expect((await invitation.get()).get('teamName')).toBe(CLEAN);
    expect((await mailTo(recipient.email))[0]?.subject).toBe(
      `${owner.email.replace('.com', '\u2024com')} invites you to ${CLEAN}`,
    );
    await invitation.update({ teamName: DIRTY });
    const own = await call('GET', `${app.url}/api/auth/invitations`, { headers: recipient.bearer });
    expect(await own.json()).toMatchObject({ invitations: [{ teamName: CLEAN }] });
    const resend = `${app.url}/api/auth/teams/${teamId}/invitations/${id}/resend`;
    await call('POST', resend, { headers: owner.bearer });
    expect((await invitation.get()).get('teamName')).toBe(CLEAN);
    await visit(`${app.url}/api/auth/portal?team=${teamId}`, owner.bearer);
    const query = `metadata['teamId']:'${teamId}'`;
    expect((await stripeOf(app).customers.search({ query })).data).toMatchObject([{ name: CLEAN }]);
  });
});
