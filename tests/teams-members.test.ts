import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, auditLogOf, castOf, membersOf, setRole } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, person: Person, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/teams/${path}`, { headers: person.bearer, json });

const changeRole = (actor: Person, teamId: string, uid: string, role: string) =>
  ask('PATCH', actor, `${teamId}/members/${uid}`, { role });

const remove = (actor: Person, teamId: string, uid: string) =>
  ask('DELETE', actor, `${teamId}/members/${uid}`);

const roleOf = async (teamId: string, { uid }: Person) =>
  (await membersOf(teamId)).find((member) => member.uid === uid)?.role;

const ownerOf = async (teamId: string): Promise<unknown> =>
  (await adminFirestore().doc(`teams/${teamId}`).get()).get('ownerId');

describe('GET /api/auth/teams/{teamId}/members', () => {
  test('lists members in the order in which they joined, page by page', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    const late = await signUp();
    await addMember(teamId, late, 'member');
    type Listed = { members: { uid: string; role: string; email: string }[]; nextCursor: string | null };
    const read = async (query: string) =>
      (await (await ask('GET', member, `${teamId}/members?${query}`)).json()) as Listed;

    const first = await read('limit=3');
    expect(first.members).toContainEqual({
      uid: admin.uid,
      role: 'admin',
      email: admin.email,
      displayName: null,
      joinedAt: expect.any(String) as string,
    });
    const second = await read(`limit=3&cursor=${first.nextCursor ?? ''}`);
    expect([...first.members, ...second.members].map(({ uid }) => uid)).toEqual([
      owner.uid,
      ...(first.members[1]?.uid === admin.uid ? [admin.uid, member.uid] : [member.uid, admin.uid]),
      late.uid,
    ]);
    expect(second.nextCursor).toBeNull();
  });
});

describe('PATCH /api/auth/teams/{teamId}/members/{uid}', () => {
  // Actor, role before, role after, answer.
  test.each([
    ['owner', 'member', 'admin', 200],
    ['owner', 'member', 'owner', 409],
    ['owner', 'admin', 'owner', 409],
    ['owner', 'admin', 'member', 200],
    ['owner', 'owner', 'member', 200],
    ['admin', 'member', 'admin', 200],
    ['admin', 'admin', 'member', 200],
    ['admin', 'member', 'owner', 403],
    ['admin', 'owner', 'admin', 403],
    ['member', 'member', 'admin', 403],
    ['member', 'admin', 'member', 403],
  ] as const)('by an %s from %s to %s answers %i', async (actor, from, to, status) => {
    const cast = await castOf(app.url);
    const target = await signUp();
    await addMember(cast.teamId, target, from);
    const answer = await changeRole(cast[actor], cast.teamId, target.uid, to);
    expect(answer.status).toBe(status);
    expect(await roleOf(cast.teamId, target)).toBe(status === 200 ? to : from);
  });

  test('allows an admin a lower role, and nobody a higher one', async () => {
    const { teamId, admin, member } = await castOf(app.url);
    expect((await changeRole(admin, teamId, admin.uid, 'owner')).status).toBe(403);
    expect((await changeRole(member, teamId, member.uid, 'admin')).status).toBe(403);
    expect((await changeRole(admin, teamId, admin.uid, 'member')).status).toBe(200);
    expect(await roleOf(teamId, admin)).toBe('member');
  });

  test('keeps the last owner an owner', async () => {
    const { teamId, owner } = await castOf(app.url);
    const answer = await changeRole(owner, teamId, owner.uid, 'admin');
    expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'last_owner' });
    expect(await roleOf(teamId, owner)).toBe('owner');
  });

  test('makes another owner the responsible one when the responsible owner gets a lower role', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await setRole(teamId, admin, 'owner');
    expect(await ownerOf(teamId)).toBe(owner.uid);
    expect((await changeRole(owner, teamId, owner.uid, 'member')).status).toBe(200);
    expect(await ownerOf(teamId)).toBe(admin.uid);
  });

  test('allows only one of two owners to demote the other at the same time', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await setRole(teamId, admin, 'owner');
    const answers = await Promise.all([
      changeRole(owner, teamId, admin.uid, 'member'),
      changeRole(admin, teamId, owner.uid, 'member'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const owners = (await membersOf(teamId)).filter(({ role }) => role === 'owner');
    expect(owners.map(({ uid }) => uid)).toEqual([await ownerOf(teamId)]);
  });

  test('writes and records nothing if the role is the same', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    expect((await changeRole(owner, teamId, member.uid, 'member')).status).toBe(200);
    expect((await auditLogOf(teamId)).map(({ action }) => action)).toEqual(['team.created']);
  });

  test('answers 404 for a person who is not in the team, and 400 to an invalid role or id', async () => {
    const { teamId, owner, outsider, member } = await castOf(app.url);
    const unknown = await changeRole(owner, teamId, outsider.uid, 'admin');
    expect(await errorOf(unknown)).toMatchObject({ status: 404, code: 'member_not_found' });
    expect((await changeRole(owner, teamId, member.uid, 'root')).status).toBe(400);
    for (const id of ['a%2Fb', '__a__', '%2e%2e', 'x'.repeat(129)]) {
      expect([400, 404]).toContain((await changeRole(owner, teamId, id, 'admin')).status);
    }
  });
});

describe('DELETE /api/auth/teams/{teamId}/members/{uid}', () => {
  test.each([
    ['owner', 'owner', 204],
    ['owner', 'admin', 204],
    ['owner', 'member', 204],
    ['admin', 'owner', 403],
    ['admin', 'admin', 204],
    ['admin', 'member', 204],
    ['member', 'owner', 403],
    ['member', 'admin', 403],
    ['member', 'member', 403],
  ] as const)('by an %s for an %s answers %i', async (actor, role, status) => {
    const cast = await castOf(app.url);
    const target = await signUp();
    await addMember(cast.teamId, target, role);
    expect((await remove(cast[actor], cast.teamId, target.uid)).status).toBe(status);
    expect(await roleOf(cast.teamId, target)).toBe(status === 204 ? undefined : role);
  });

  test.each(['admin', 'member'] as const)('allows an %s to leave', async (role) => {
    const cast = await castOf(app.url);
    const person = cast[role];
    expect((await remove(person, cast.teamId, person.uid)).status).toBe(204);
    expect((await ask('GET', person, cast.teamId)).status).toBe(404);
    expect((await auditLogOf(cast.teamId)).at(-1)).toMatchObject({
      actorId: person.uid,
      action: 'member.left',
      target: person.uid,
    });
  });

  test('does not let the last owner leave', async () => {
    const { teamId, owner } = await castOf(app.url);
    const answer = await remove(owner, teamId, owner.uid);
    expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'last_owner' });
    expect(await roleOf(teamId, owner)).toBe('owner');
  });

  test('allows all owners but one to leave at the same time', async () => {
    const { teamId, owner } = await castOf(app.url);
    const partners = await Promise.all(Array.from({ length: 4 }, () => signUp()));
    await Promise.all(partners.map((partner) => addMember(teamId, partner, 'owner')));
    const answers = await Promise.all(
      [owner, ...partners].map((person) => remove(person, teamId, person.uid)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 409]);
    const owners = (await membersOf(teamId)).filter(({ role }) => role === 'owner');
    expect(owners.map(({ uid }) => uid)).toEqual([await ownerOf(teamId)]);
  });

  test('answers 404 if the person or the caller is not in the team', async () => {
    const { teamId, owner, outsider } = await castOf(app.url);
    const unknown = await remove(owner, teamId, outsider.uid);
    expect(await errorOf(unknown)).toMatchObject({ status: 404, code: 'member_not_found' });
    const stranger = await remove(outsider, teamId, outsider.uid);
    expect(await errorOf(stranger)).toMatchObject({ status: 404, code: 'team_not_found' });
  });
});
