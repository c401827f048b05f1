import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, auditLogOf, castOf, createTeam, membersOf, offerTo, setRole } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, person: Person, path: string, json?: unknown, base = app.url) =>
  call(method, `${base}/api/auth/${path}`, { headers: person.bearer, json });

const offer = (from: Person, teamId: string, to: Person, coOwner?: boolean) =>
  ask('POST', from, `teams/${teamId}/transfer`, {
    uid: to.uid,
    ...(coOwner !== undefined && { coOwner }),
  });

const accept = (person: Person, teamId: string, base = app.url) =>
  ask('POST', person, `teams/${teamId}/transfer/accept`, undefined, base);

const decline = (person: Person, teamId: string) => ask('POST', person, `teams/${teamId}/transfer/decline`);

const codeOf = async (response: Response) => {
  const { status, code } = await errorOf(response);
  return [status, code];
};

const rolesOf = async (teamId: string, ...people: Person[]) => {
  const members = await membersOf(teamId);
  return people.map(({ uid }) => members.find((member) => member.uid === uid)?.role);
};

const storedTeam = async (teamId: string) => (await adminFirestore().doc(`teams/${teamId}`).get()).data();

const shownOffer = async (person: Person, teamId: string) => {
  const team = (await (await ask('GET', person, `teams/${teamId}`)).json()) as { transfer: unknown };
  return team.transfer;
};

const lastEntry = async (teamId: string) => (await auditLogOf(teamId)).at(-1);

describe('an offer of the team', () => {
  test('changes nobody’s role, and every member sees it', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    const response = await offer(owner, teamId, member);
    const made = (await response.json()) as { offeredAt: string; expiresAt: string };
    expect([response.status, made]).toEqual([
      200,
      {
        from: owner.uid,
        to: member.uid,
        coOwner: false,
        offeredAt: expect.any(String) as string,
        expiresAt: expect.any(String) as string,
      },
    ]);
    expect(Date.parse(made.expiresAt) - Date.parse(made.offeredAt)).toBe(7 * 86_400_000);
    expect(await rolesOf(teamId, owner, member)).toEqual(['owner', 'member']);
    expect(await storedTeam(teamId)).toMatchObject({ ownerId: owner.uid });
    for (const person of [owner, admin, member]) expect(await shownOffer(person, teamId)).toEqual(made);
    expect(await lastEntry(teamId)).toMatchObject({
      actorId: owner.uid,
      action: 'team.transfer_offered',
      target: member.uid,
    });
  });

  test('does not prevent the recipient from deleting their account', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await offer(owner, teamId, member);
    expect((await ask('DELETE', member, 'user')).status).toBe(204);
    expect(await storedTeam(teamId)).toMatchObject({ transfer: null });
  });

  test('is answered again when it is repeated, and blocks a different one', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    const first: unknown = await (await offer(owner, teamId, member)).json();
    expect(await (await offer(owner, teamId, member)).json()).toEqual(first);
    expect((await auditLogOf(teamId)).map(({ action }) => action)).toEqual([
      'team.created',
      'team.transfer_offered',
    ]);
    expect(await codeOf(await offer(owner, teamId, admin))).toEqual([409, 'transfer_pending']);
    expect(await codeOf(await offer(owner, teamId, member, true))).toEqual([409, 'transfer_pending']);
    expect(await shownOffer(owner, teamId)).toEqual(first);
  });

  test('is refused to oneself, to strangers, to an owner as a co-owner, and from a caller who is not an owner', async () => {
    const { teamId, owner, admin, member, outsider } = await castOf(app.url);
    const partner = await signUp();
    await addMember(teamId, partner, 'owner');
    const before = await storedTeam(teamId);
    expect(await codeOf(await offer(owner, teamId, owner))).toEqual([409, 'already_owner']);
    expect(await codeOf(await offer(owner, teamId, partner, true))).toEqual([409, 'already_owner']);
    expect(await codeOf(await offer(owner, teamId, outsider))).toEqual([404, 'member_not_found']);
    expect(await codeOf(await offer(admin, teamId, admin))).toEqual([403, 'forbidden']);
    expect(await codeOf(await offer(admin, teamId, member))).toEqual([403, 'forbidden']);
    expect(await codeOf(await offer(outsider, teamId, outsider))).toEqual([404, 'team_not_found']);
    expect(await storedTeam(teamId)).toEqual(before);
  });
});

describe('accepting an offer', () => {
  test('makes the recipient the responsible owner, and the former one an admin', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await offer(owner, teamId, member);
    expect((await accept(member, teamId)).status).toBe(204);
    expect(await rolesOf(teamId, owner, member)).toEqual(['admin', 'owner']);
    expect(await storedTeam(teamId)).toMatchObject({ ownerId: member.uid, transfer: null });
    expect(await lastEntry(teamId)).toMatchObject({
      actorId: member.uid,
      action: 'team.transferred',
      target: member.uid,
      details: { from: 'member', offeredBy: owner.uid },
    });
  });

  test('makes a second owner if it offers co-ownership, and the responsible owner stays', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await offer(owner, teamId, admin, true);
    expect((await accept(admin, teamId)).status).toBe(204);
    expect(await rolesOf(teamId, owner, admin)).toEqual(['owner', 'owner']);
    expect(await storedTeam(teamId)).toMatchObject({ ownerId: owner.uid, transfer: null });
    expect(await lastEntry(teamId)).toMatchObject({
      actorId: admin.uid,
      action: 'member.role_changed',
      target: admin.uid,
      details: { from: 'admin', to: 'owner', offeredBy: owner.uid },
    });
  });

  test('is allowed to the recipient only, and works once', async () => {
    const { teamId, owner, admin, member, outsider } = await castOf(app.url);
    expect(await codeOf(await accept(member, teamId))).toEqual([404, 'transfer_not_found']);
    await offer(owner, teamId, member);
    for (const other of [owner, admin]) {
      expect(await codeOf(await accept(other, teamId))).toEqual([404, 'transfer_not_found']);
      expect(await codeOf(await decline(other, teamId))).toEqual([404, 'transfer_not_found']);
    }
    expect(await codeOf(await accept(outsider, teamId))).toEqual([404, 'team_not_found']);
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(member, teamId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    expect(await rolesOf(teamId, owner, member)).toEqual(['admin', 'owner']);
  });

  test('is refused after seven days; then another offer takes its place', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    await offer(owner, teamId, member);
    const expiresAt = (await storedTeam(teamId))?.['transfer'] as { expiresAt: { toMillis: () => number } };
    const end = expiresAt.expiresAt.toMillis();
    await using later = await serveApp({ backend: { now: () => new Date(end) } });
    expect(await codeOf(await accept(member, teamId, later.url))).toEqual([410, 'transfer_expired']);
    expect(await rolesOf(teamId, owner, member)).toEqual(['owner', 'member']);
    const team: unknown = await (await ask('GET', member, `teams/${teamId}`, undefined, later.url)).json();
    expect(team).toMatchObject({ transfer: null });
    const json = { uid: admin.uid };
    expect((await ask('POST', owner, `teams/${teamId}/transfer`, json, later.url)).status).toBe(200);
    expect((await accept(admin, teamId, later.url)).status).toBe(204);
  });

  test('works until the millisecond of its expiry', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await offerTo(teamId, owner, member, { expiresAt: new Date(2_000_000_000_000) });
    await using before = await serveApp({ backend: { now: () => new Date(1_999_999_999_999) } });
    expect((await accept(member, teamId, before.url)).status).toBe(204);
  });

  test('needs a verified address', async () => {
    const { teamId, owner } = await castOf(app.url);
    const guest = await signUp({ emailVerified: false });
    await addMember(teamId, guest, 'member');
    await offer(owner, teamId, guest);
    expect(await codeOf(await accept(guest, teamId))).toEqual([403, 'email_unverified']);
    expect(await rolesOf(teamId, owner, guest)).toEqual(['owner', 'member']);
  });

  test('is refused when its maker is no longer an owner', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    const partner = await signUp();
    await addMember(teamId, partner, 'owner');
    await offer(owner, teamId, member);
    // Past the API, which ends the offer.
    await setRole(teamId, owner, 'admin');
    expect(await codeOf(await accept(member, teamId))).toEqual([410, 'transfer_withdrawn']);
    expect(await rolesOf(teamId, owner, member)).toEqual(['admin', 'member']);
  });

  test('counts for the limit of teams, also for two accepted at the same time', async () => {
    await using limited = await serveApp({ config: { teamLimit: 2 } });
    const [owner, heir] = await Promise.all([signUp(), signUp()]);
    await createTeam(app.url, heir);
    const teams = await Promise.all([createTeam(app.url, owner), createTeam(app.url, owner)]);
    for (const teamId of teams) {
      await addMember(teamId, heir, 'member');
      await offer(owner, teamId, heir);
    }
    const answers = await Promise.all(teams.map((teamId) => accept(heir, teamId, limited.url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
    const refused = answers.find(({ status }) => status === 403);
    expect(await codeOf(refused as Response)).toEqual([403, 'team_limit']);
    const owned = await adminFirestore().collection('teams').where('ownerId', '==', heir.uid).get();
    expect(owned.size).toBe(2);
  });
});

test('nobody can make a member an owner without consent, so the last owner has always agreed', async () => {
  const { teamId, owner, member } = await castOf(app.url);
  const promoted = await ask('PATCH', owner, `teams/${teamId}/members/${member.uid}`, { role: 'owner' });
  expect(await codeOf(promoted)).toEqual([409, 'consent_required']);
  const left = await ask('DELETE', owner, `teams/${teamId}/members/${owner.uid}`);
  expect(await codeOf(left)).toEqual([409, 'last_owner']);
  expect((await ask('DELETE', member, 'user')).status).toBe(204);
});
