import { FieldValue, type DocumentReference } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteTeamInSteps } from '../functions/src/teams/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { signUpOperator } from './support/operators.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { slowPurge } from './support/slow-purge.ts';
import {
  addMember,
  auditLogOf,
  castOf,
  createTeam,
  inviteTo,
  membersOf,
  setRole,
  setSeatLimit,
} from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, person: Person, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

/** Asks for JSON that is answered with success. */
async function read<Body>(person: Person, path: string): Promise<Body> {
  const response = await ask('GET', person, path);
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

const codeOf = async (answer: Promise<Response>) => (await errorOf(await answer)).code;

const teamDocument = (teamId: string) => adminFirestore().doc(`teams/${teamId}`);

const memberDocument = (teamId: string, { uid }: Person) =>
  adminFirestore().doc(`teams/${teamId}/members/${uid}`);

/** New values of fields. */
type Damage = [what: string, change: () => Record<string, unknown>];

const damage = (document: DocumentReference, [, change]: Damage) => document.update(change());

const reference = () => adminFirestore().doc('elsewhere/document');

const teamsOf = async (person: Person) => {
  const { teams } = await read<{ teams: { id: string }[] }>(person, 'teams');
  return teams.map(({ id }) => id);
};

describe.each<Damage>([
  ['a reference in ownerId', () => ({ ownerId: reference() })],
  ['no slug', () => ({ slug: FieldValue.delete() })],
  ['a text in seatLimit', () => ({ seatLimit: '3' })],
  ['an incomplete offer', () => ({ transfer: { from: 'a' } })],
])('a team with %s', (...kind) => {
  const isGone = async (teamId: string) => {
    const slugs = await adminFirestore().collection('teamSlugs').where('teamId', '==', teamId).get();
    expect([slugs.size, (await membersOf(teamId)).length]).toEqual([0, 0]);
    expect((await teamDocument(teamId).get()).exists).toBe(false);
  };

  test('is refused to its members with document_damaged, and to strangers as if it did not exist', async () => {
    const { teamId, owner, admin, member, outsider } = await castOf(app.url);
    await damage(teamDocument(teamId), kind);
    const routes: [string, Person, string, unknown?][] = [
      ['GET', member, ''],
      ['GET', member, '/members'],
      ['GET', admin, '/audit'],
      ['PATCH', admin, '', { name: 'New' }],
      ['PATCH', owner, `/members/${member.uid}`, { role: 'admin' }],
      ['DELETE', member, `/members/${member.uid}`],
      ['POST', owner, '/transfer', { uid: member.uid }],
      ['POST', member, '/transfer/accept'],
    ];
    for (const [method, person, path, json] of routes) {
      const answer = await ask(method, person, `teams/${teamId}${path}`, json);
      expect(await errorOf(answer)).toMatchObject({ status: 500, code: 'document_damaged' });
    }
    expect(await codeOf(ask('GET', outsider, `teams/${teamId}`))).toBe('team_not_found');
    expect(await membersOf(teamId)).toHaveLength(3);
  });

  test('is left out of the lists of teams', async () => {
    const { teamId, owner } = await castOf(app.url);
    const other = await createTeam(app.url, owner);
    await damage(teamDocument(teamId), kind);
    expect(await teamsOf(owner)).toEqual([other]);
    const session = await read<{ teams: { id: string }[] }>(owner, 'session');
    expect(session.teams.map(({ id }) => id)).toEqual([other]);
  });

  test('can be deleted by its owner, and by nobody else', async () => {
    const { teamId, owner, admin, outsider } = await castOf(app.url);
    await damage(teamDocument(teamId), kind);
    expect(await codeOf(ask('DELETE', admin, `teams/${teamId}`))).toBe('forbidden');
    expect(await codeOf(ask('DELETE', outsider, `teams/${teamId}`))).toBe('team_not_found');
    expect((await ask('DELETE', owner, `teams/${teamId}`)).status).toBe(204);
    await isGone(teamId);
    expect((await auditLogOf(teamId)).map(({ action }) => action)).toEqual([
      'team.created',
      'team.deletion_started',
      'team.deleted',
    ]);
  });

  test('is deleted with the account of its only member', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await damage(teamDocument(teamId), kind);
    expect((await ask('DELETE', owner, 'user')).status).toBe(204);
    await isGone(teamId);
  });

  test('gets another owner when its last owner deletes their account', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    await damage(teamDocument(teamId), kind);
    expect((await ask('DELETE', owner, 'user')).status).toBe(204);
    expect((await teamDocument(teamId).get()).get('ownerId')).toBe(admin.uid);
    const roles = (await membersOf(teamId)).map(({ uid, role }) => [uid, role]);
    expect(Object.fromEntries(roles)).toEqual({ [admin.uid]: 'owner', [member.uid]: 'member' });
  });

  test('can be deleted by an operator', async () => {
    const { teamId } = await castOf(app.url);
    const operator = await signUpOperator();
    await damage(teamDocument(teamId), kind);
    const path = `${app.url}/api/admin/teams/${teamId}`;
    expect((await call('DELETE', path, { headers: operator.bearer })).status).toBe(204);
    await isGone(teamId);
  });

  test('is recorded as being deleted once, although its deletion takes several calls', async () => {
    const { teamId, owner } = await castOf(app.url);
    await damage(teamDocument(teamId), kind);
    const { purge, now } = slowPurge(app.backend.now);
    const featureHooks = { ...app.backend.featureHooks, purgeTeam: [purge] };
    expect(await deleteTeamInSteps({ ...app.backend, featureHooks, now }, owner, teamId)).toBe(false);
    expect(await deleteTeamInSteps({ ...app.backend, featureHooks, now }, owner, teamId)).toBe(false);
    expect(await deleteTeamInSteps(app.backend, owner, teamId)).toBe(true);
    const actions = (await auditLogOf(teamId)).map(({ action }) => action);
    expect(actions).toEqual(['team.created', 'team.deletion_started', 'team.deleted']);
  });
});

test('a user with a damaged membership who leaves does not become the owner of a team without an owner', async () => {
  const { teamId, owner, admin, member } = await castOf(app.url);
  await memberDocument(teamId, owner).update({ role: 'chief' });
  await memberDocument(teamId, admin).update({ displayName: 7 });
  expect((await ask('DELETE', admin, 'user')).status).toBe(204);
  expect((await teamDocument(teamId).get()).get('ownerId')).toBe(member.uid);
});

describe.each<Damage>([
  ['a reference in email', () => ({ email: reference() })],
  ['no role', () => ({ role: FieldValue.delete() })],
  ['an unknown role', () => ({ role: 'chief' })],
  ['a number in displayName', () => ({ displayName: 7 })],
])('a membership with %s', (...kind) => {
  test('is left out of the list of members, and the others can go on', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    await damage(memberDocument(teamId, member), kind);
    const { members } = await read<{ members: { uid: string }[] }>(admin, `teams/${teamId}/members`);
    expect(members.map(({ uid }) => uid).sort()).toEqual([owner.uid, admin.uid].sort());
    expect((await ask('PATCH', admin, `teams/${teamId}`, { name: 'New' })).status).toBe(200);
  });

  test('allows its user nothing in the team', async () => {
    const { teamId, member } = await castOf(app.url);
    const other = await createTeam(app.url, member);
    await damage(memberDocument(teamId, member), kind);
    expect(await codeOf(ask('GET', member, `teams/${teamId}`))).toBe('document_damaged');
    expect(await teamsOf(member)).toEqual([other]);
  });

  test('cannot be changed or be offered the team', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await damage(memberDocument(teamId, member), kind);
    const path = `teams/${teamId}/members/${member.uid}`;
    expect(await codeOf(ask('PATCH', owner, path, { role: 'admin' }))).toBe('document_damaged');
    expect(await codeOf(ask('DELETE', owner, path))).toBe('document_damaged');
    const offer = ask('POST', owner, `teams/${teamId}/transfer`, { uid: member.uid });
    expect(await codeOf(offer)).toBe('document_damaged');
  });

  test('does not prevent a change of the name of its user', async () => {
    const { teamId, member, owner } = await castOf(app.url);
    const intact = await createTeam(app.url, owner);
    await addMember(intact, member, 'member');
    await damage(memberDocument(teamId, member), kind);
    expect((await ask('PATCH', member, 'user', { displayName: 'New' })).status).toBe(200);
    expect((await memberDocument(intact, member).get()).get('displayName')).toBe('New');
  });

  test('is deleted with the team', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await damage(memberDocument(teamId, member), kind);
    expect((await ask('DELETE', owner, `teams/${teamId}`)).status).toBe(204);
    expect(await membersOf(teamId)).toEqual([]);
  });

  test('is deleted with the account of its user', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await damage(memberDocument(teamId, member), kind);
    expect((await ask('DELETE', member, 'user')).status).toBe(204);
    expect((await memberDocument(teamId, member).get()).exists).toBe(false);
    expect((await teamDocument(teamId).get()).get('ownerId')).toBe(owner.uid);
  });

  test('is deleted with the account of the only member, together with the team', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await damage(memberDocument(teamId, owner), kind);
    expect((await ask('DELETE', owner, 'user')).status).toBe(204);
    expect((await teamDocument(teamId).get()).exists).toBe(false);
    expect(await membersOf(teamId)).toEqual([]);
  });
});

test('an owner whose membership is damaged in another field can be replaced by another owner', async () => {
  const { teamId, owner, admin } = await castOf(app.url);
  await setRole(teamId, admin, 'owner');
  await memberDocument(teamId, owner).update({ displayName: 7 });
  expect((await ask('DELETE', admin, `teams/${teamId}/members/${admin.uid}`)).status).toBe(204);
  expect((await teamDocument(teamId).get()).get('ownerId')).toBe(owner.uid);
});

test.each<Damage>([
  ['a reference in teamId', () => ({ teamId: reference() })],
  ['no teamId', () => ({ teamId: FieldValue.delete() })],
  ['a number in teamId', () => ({ teamId: 7 })],
])('a reserved slug with %s stays reserved, and is released with its team', async (...kind) => {
  const { teamId, owner, outsider } = await castOf(app.url);
  const { slug } = await read<{ slug: string }>(owner, `teams/${teamId}`);
  await damage(adminFirestore().doc(`teamSlugs/${slug}`), kind);
  const wanted = { name: 'Another', slug };
  expect(await codeOf(ask('POST', outsider, 'teams', wanted))).toBe('slug_taken');
  expect((await ask('DELETE', owner, `teams/${teamId}`)).status).toBe(204);
  expect((await ask('POST', outsider, 'teams', wanted)).status).toBe(201);
});

test.each<Damage>([
  ['a reference in target', () => ({ target: reference() })],
  ['no actorId', () => ({ actorId: FieldValue.delete() })],
  ['an unknown action', () => ({ action: 'team.sold' })],
])('an audit log entry with %s is left out of the list', async (...kind) => {
  const { teamId, owner } = await castOf(app.url);
  await ask('PATCH', owner, `teams/${teamId}`, { name: 'New' });
  const created = adminFirestore().collection('auditLog').where('teamId', '==', teamId);
  const [entry] = (await created.where('action', '==', 'team.created').get()).docs;
  if (entry === undefined) throw new Error('no entry');
  await damage(entry.ref, kind);
  const { entries } = await read<{ entries: { action: string }[] }>(owner, `teams/${teamId}/audit`);
  expect(entries.map(({ action }) => action)).toEqual(['team.updated']);
});

test.each<Damage>([
  ['a reference in email', () => ({ email: reference() })],
  ['no expiresAt', () => ({ expiresAt: FieldValue.delete() })],
  ['a number in teamName', () => ({ teamName: 7 })],
])('a pending invitation with %s is cancelled when its sender leaves', async (...kind) => {
  const { teamId, admin } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const { id } = await inviteTo(app.url, admin, teamId, 'a@example.com');
  const invitation = adminFirestore().doc(`invitations/${id}`);
  await damage(invitation, kind);
  expect((await ask('DELETE', admin, `teams/${teamId}/members/${admin.uid}`)).status).toBe(204);
  expect((await invitation.get()).get('status')).toBe('cancelled');
  const entry = (await auditLogOf(teamId)).find(({ action }) => action === 'invitation.cancelled');
  expect(entry).toMatchObject({ target: id, details: { reason: 'sender_lost_rights' } });
});

test('unknown fields are harmless, and stay', async () => {
  const { teamId, owner, admin } = await castOf(app.url);
  const note = { note: { by: reference() } };
  await Promise.all([
    teamDocument(teamId).update(note),
    memberDocument(teamId, admin).update(note),
    memberDocument(teamId, owner).update(note),
  ]);
  expect((await ask('PATCH', owner, `teams/${teamId}`, { name: 'New' })).status).toBe(200);
  expect((await ask('PATCH', owner, `teams/${teamId}/members/${admin.uid}`, { role: 'member' })).status).toBe(
    200,
  );
  const [team, member] = [await teamDocument(teamId).get(), await memberDocument(teamId, admin).get()];
  expect([team.get('name'), team.get('note')]).toEqual(['New', note.note]);
  expect([member.get('role'), member.get('note')]).toEqual(['member', note.note]);
});
