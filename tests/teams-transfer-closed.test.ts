import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, auditLogOf, castOf, membersOf, offerTo } from './support/teams.ts';

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

const withdraw = (person: Person, teamId: string) => ask('DELETE', person, `teams/${teamId}/transfer`);

const codeOf = async (response: Response) => {
  const { status, code } = await errorOf(response);
  return [status, code];
};

const rolesOf = async (teamId: string, ...people: Person[]) => {
  const members = await membersOf(teamId);
  return people.map(({ uid }) => members.find((member) => member.uid === uid)?.role);
};

const storedTeam = async (teamId: string) => (await adminFirestore().doc(`teams/${teamId}`).get()).data();

const lastEntry = async (teamId: string) => (await auditLogOf(teamId)).at(-1);

describe('an offer is closed', () => {
  test('by the recipient who declines, also after its time', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await offerTo(teamId, owner, member, { expiresAt: new Date(0) });
    expect((await decline(member, teamId)).status).toBe(204);
    expect(await storedTeam(teamId)).toMatchObject({ transfer: null });
    expect(await lastEntry(teamId)).toMatchObject({
      actorId: member.uid,
      action: 'team.transfer_declined',
      target: member.uid,
    });
    expect((await decline(member, teamId)).status).toBe(404);
  });

  test('by the owner who made it, or another one', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    const partner = await signUp();
    await addMember(teamId, partner, 'owner');
    for (const by of [owner, partner]) {
      await offer(owner, teamId, member);
      expect(await codeOf(await withdraw(admin, teamId))).toEqual([403, 'forbidden']);
      expect(await codeOf(await withdraw(member, teamId))).toEqual([403, 'forbidden']);
      expect((await withdraw(by, teamId)).status).toBe(204);
      expect(await lastEntry(teamId)).toMatchObject({
        actorId: by.uid,
        action: 'team.transfer_withdrawn',
        target: member.uid,
      });
      expect(await codeOf(await accept(member, teamId))).toEqual([404, 'transfer_not_found']);
    }
    expect(await codeOf(await withdraw(owner, teamId))).toEqual([404, 'transfer_not_found']);
  });

  test('once, when it is accepted and withdrawn at the same time', async () => {
    const { teamId, owner, member } = await castOf(app.url);
    await offer(owner, teamId, member);
    const answers = await Promise.all([accept(member, teamId), withdraw(owner, teamId)]);
    const [accepted, withdrawn] = answers.map(({ status }) => status);
    // A former owner may not withdraw an offer.
    expect([
      [204, 403],
      [404, 204],
    ]).toContainEqual([accepted, withdrawn]);
    expect(await rolesOf(teamId, member)).toEqual([accepted === 204 ? 'owner' : 'member']);
  });

  interface Sides {
    teamId: string;
    owner: Person;
    partner: Person;
    recipient: Person;
  }

  const memberPath = (teamId: string, { uid }: Person) => `teams/${teamId}/members/${uid}`;

  const ENDS: [what: string, end: (sides: Sides) => Promise<unknown>][] = [
    ['its maker leaves', ({ teamId, owner }) => ask('DELETE', owner, memberPath(teamId, owner))],
    [
      'its maker is removed',
      ({ teamId, owner, partner }) => ask('DELETE', partner, memberPath(teamId, owner)),
    ],
    [
      'its maker is demoted',
      ({ teamId, owner, partner }) => ask('PATCH', partner, memberPath(teamId, owner), { role: 'admin' }),
    ],
    ['its maker deletes the account', ({ owner }) => ask('DELETE', owner, 'user')],
    [
      'the account of its maker is deleted elsewhere',
      async ({ owner }) => {
        await adminAuth().deleteUser(owner.uid);
        await cleanUpAccount(app.backend, { uid: owner.uid });
      },
    ],
    [
      'its recipient leaves',
      ({ teamId, recipient }) => ask('DELETE', recipient, memberPath(teamId, recipient)),
    ],
    [
      'its recipient is removed',
      ({ teamId, owner, recipient }) => ask('DELETE', owner, memberPath(teamId, recipient)),
    ],
    [
      'its recipient is demoted',
      ({ teamId, owner, recipient }) =>
        ask('PATCH', owner, memberPath(teamId, recipient), { role: 'member' }),
    ],
    ['its recipient deletes the account', ({ recipient }) => ask('DELETE', recipient, 'user')],
    [
      'the account of its recipient is deleted elsewhere',
      async ({ recipient }) => {
        await adminAuth().deleteUser(recipient.uid);
        await cleanUpAccount(app.backend, { uid: recipient.uid });
      },
    ],
  ];

  /** The log names a deleted user by a pseudonym. */
  const nameInLog = ({ uid }: Person): Promise<unknown> =>
    adminAuth()
      .getUser(uid)
      .then(
        () => uid,
        () => expect.stringMatching(/^deleted:/) as unknown,
      );

  test.each(ENDS)('when %s', async (_what, end) => {
    const { teamId, owner, admin: recipient } = await castOf(app.url);
    const partner = await signUp();
    await addMember(teamId, partner, 'owner');
    await offer(owner, teamId, recipient);
    await end({ teamId, owner, partner, recipient });
    expect(await storedTeam(teamId)).toMatchObject({ transfer: null });
    expect(await auditLogOf(teamId)).toContainEqual(
      expect.objectContaining({
        action: 'team.transfer_withdrawn',
        target: await nameInLog(recipient),
        details: { reason: 'party_lost_rights' },
      }),
    );
    expect(await rolesOf(teamId, partner)).toEqual(['owner']);
  });

  test('not by a promotion of its recipient, nor by actions of others', async () => {
    const { teamId, owner, admin, member } = await castOf(app.url);
    await offer(owner, teamId, member);
    await ask('PATCH', owner, memberPath(teamId, member), { role: 'admin' });
    await ask('DELETE', admin, memberPath(teamId, admin));
    expect((await accept(member, teamId)).status).toBe(204);
  });
});
