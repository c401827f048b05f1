import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { createTeam, invitationStatus, inviteTo, membersOf, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const invite = (person: Person, teamId: string, json: unknown) =>
  call('POST', `${app.url}/api/auth/teams/${teamId}/invitations`, { headers: person.bearer, json });

async function join(teamId: string, role: string): Promise<Person> {
  const person = await signUp();
  const { id } = await inviteTo(app.url, owner, teamId, person.email, role);
  const response = await visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, person.bearer);
  expect(response.status).toBe(303);
  return person;
}

describe('POST /api/auth/teams', () => {
  test('creates a team with the caller as its owner', async () => {
    const name = `Lighthouse-${owner.uid}`;
    const response = await call('POST', `${app.url}/api/auth/teams`, {
      headers: owner.bearer,
      json: { name: `  ${name}  ` },
    });
    const team = (await response.json()) as { id: string };
    expect([response.status, team]).toEqual([
      201,
      { id: team.id, name, slug: name.toLowerCase(), role: 'owner' },
    ]);
    expect(await membersOf(team.id)).toEqual([expect.objectContaining({ uid: owner.uid, role: 'owner' })]);
  });

  test('stores the address of the founder only if it is verified', async () => {
    const unverified = await signUp({ emailVerified: false });
    const teams = await Promise.all([createTeam(app.url, owner), createTeam(app.url, unverified)]);
    expect((await Promise.all(teams.map(membersOf))).flat()).toMatchObject([
      { uid: owner.uid, email: owner.email },
      { uid: unverified.uid, email: null },
    ]);
  });

  test.each([
    ['no name', {}],
    ['an empty name', { name: '   ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a name that is no text', { name: { $ne: null } }],
    ['an unknown key', { name: 'A', seatLimit: 999 }],
    ['an attempt at the prototype', JSON.parse('{"name":"A","__proto__":{"role":"owner"}}')],
  ])('answers 400 to %s', async (_what, json) => {
    const response = await call('POST', `${app.url}/api/auth/teams`, { headers: owner.bearer, json });
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('answers 401 without a user, and 403 by cookie from another site', async () => {
    const json = { name: 'A' };
    const cookie = await startSession(app.url, owner);
    const ask = (headers: Record<string, string>) =>
      call('POST', `${app.url}/api/auth/teams`, { headers, json }).then(({ status }) => status);
    expect(await ask({})).toBe(401);
    expect(await ask({ ...cookie, Origin: 'https://evil.example' })).toBe(403);
    expect(await ask(cookie)).toBe(403);
    expect(await ask({ ...cookie, Origin: APP_URL })).toBe(201);
  });
});

describe('POST /api/auth/teams/{teamId}/invitations', () => {
  test('answers the links and an expiry in seven days, under an id that nobody can guess', async () => {
    const teamId = await createTeam(app.url, owner);
    const before = Date.now();
    const invitation = await inviteTo(app.url, owner, teamId, 'New.Person@Example.com', 'admin');
    const link = (action: string) => `${APP_URL}/api/team/${action}-invitation?invitationId=${invitation.id}`;
    expect(invitation).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      email: 'new.person@example.com',
      role: 'admin',
      expiresAt: invitation.expiresAt,
      acceptUrl: link('accept'),
      rejectUrl: link('reject'),
    });
    const days = (Date.parse(invitation.expiresAt) - before) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(7);
    expect(days).toBeLessThan(7.01);
  });

  test.each([
    ['owner', 'owner', 201],
    ['owner', 'admin', 201],
    ['owner', 'member', 201],
    ['admin', 'owner', 403],
    ['admin', 'admin', 201],
    ['admin', 'member', 201],
    ['member', 'owner', 403],
    ['member', 'admin', 403],
    ['member', 'member', 403],
  ])('by an %s for an %s answers %i', async (sender, role, status) => {
    const teamId = await createTeam(app.url, owner);
    const person = sender === 'owner' ? owner : await join(teamId, sender);
    const response = await invite(person, teamId, { email: 'someone@example.com', role });
    expect(response.status).toBe(status);
  });

  test('answers 404 to a stranger, as for a team that does not exist', async () => {
    const teamId = await createTeam(app.url, owner);
    const stranger = await signUp();
    const json = { email: 'a@example.com', role: 'member' };
    const answers = [await invite(stranger, teamId, json), await invite(stranger, 'nothing', json)];
    const [theirs, none] = await Promise.all(answers.map(errorOf));
    expect(theirs).toEqual(none);
    expect(theirs).toMatchObject({ status: 404, code: 'team_not_found' });
  });

  test.each([
    ['no e-mail', { role: 'member' }],
    ['an e-mail that is none', { email: 'nobody', role: 'member' }],
    ['an e-mail with a line break', { email: 'a@example.com\nBcc: b@example.com', role: 'member' }],
    ['an unknown role', { email: 'a@example.com', role: 'root' }],
    ['an unknown key', { email: 'a@example.com', role: 'member', status: 'accepted' }],
  ])('answers 400 to %s', async (_what, json) => {
    const teamId = await createTeam(app.url, owner);
    expect((await invite(owner, teamId, json)).status).toBe(400);
  });

  test.each(['..', 'a%2Fmembers', '__x__', 'a'.repeat(65)])(
    'answers 4xx to the team id "%s"',
    async (teamId) => {
      const response = await invite(owner, teamId, { email: 'a@example.com', role: 'member' });
      expect([400, 404]).toContain(response.status);
    },
  );

  test('answers the same invitation when the request is repeated', async () => {
    const teamId = await createTeam(app.url, owner);
    const first = await inviteTo(app.url, owner, teamId, 'a@example.com');
    const again = await invite(owner, teamId, { email: 'A@EXAMPLE.com', role: 'member' });
    expect([again.status, await again.json()]).toEqual([200, first]);
  });

  test('replaces the invitation when the role differs', async () => {
    const teamId = await createTeam(app.url, owner);
    const first = await inviteTo(app.url, owner, teamId, 'a@example.com', 'member');
    const second = await inviteTo(app.url, owner, teamId, 'a@example.com', 'admin');
    expect(second.id).not.toBe(first.id);
    expect([await invitationStatus(first.id), await invitationStatus(second.id)]).toEqual([
      'cancelled',
      'pending',
    ]);
  });

  test('is not blocked by an expired invitation', async () => {
    const teamId = await createTeam(app.url, owner);
    const first = await inviteTo(app.url, owner, teamId, 'a@example.com');
    await adminFirestore()
      .doc(`invitations/${first.id}`)
      .update({ expiresAt: new Date(0) });
    const second = await inviteTo(app.url, owner, teamId, 'a@example.com');
    expect(second.id).not.toBe(first.id);
  });

  test('answers 409 for a member', async () => {
    const teamId = await createTeam(app.url, owner);
    const member = await join(teamId, 'member');
    const response = await invite(owner, teamId, { email: member.email, role: 'admin' });
    expect(await errorOf(response)).toMatchObject({ status: 409, code: 'already_member' });
  });

  test('counts open invitations as seats, and no others', async () => {
    const teamId = await createTeam(app.url, owner);
    await setSeatLimit(teamId, 2);
    const first = await inviteTo(app.url, owner, teamId, 'a@example.com');
    const refused = await invite(owner, teamId, { email: 'b@example.com', role: 'member' });
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'no_seat' });
    await adminFirestore()
      .doc(`invitations/${first.id}`)
      .update({ expiresAt: new Date(0) });
    await inviteTo(app.url, owner, teamId, 'b@example.com');
  });

  test('fills the last seat once for ten concurrent requests', async () => {
    const teamId = await createTeam(app.url, owner);
    await setSeatLimit(teamId, 2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        invite(owner, teamId, { email: `p${index}@example.com`, role: 'member' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(403)]);
  });
});
