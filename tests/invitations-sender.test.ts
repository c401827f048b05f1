import { FieldValue } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { APP_URL } from './support/config.ts';
import { useInvitations } from './support/invitations.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { errorOf, visit } from './support/requests.ts';
import {
  addMember,
  auditLogOf,
  castOf,
  createTeam,
  invitationStatus,
  inviteTo,
  mailedLinks,
  membersOf,
  setRole,
  setSeatLimit,
} from './support/teams.ts';

const service = useInvitations();

const accept = (person: Person, id: string) => service.ask('POST', person, `invitations/${id}/accept`);

const roleIn = async (teamId: string, { uid }: Person) =>
  (await membersOf(teamId)).find((member) => member.uid === uid)?.role;

interface Stage {
  teamId: string;
  /** The owner who removes the rights of the sender. */
  founder: Person;
  sender: Person;
}

/** A team with a founder and a second owner or an admin, who sends the invitations. */
async function stage(role: 'owner' | 'admin'): Promise<Stage> {
  const [founder, sender] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(service.url, founder);
  await Promise.all([addMember(teamId, sender, role), setSeatLimit(teamId, 10)]);
  return { teamId, founder, sender };
}

const expectOk = async (response: Promise<Response>) => {
  expect((await response).status).toBeLessThan(300);
};

/** An event after which a sender may no longer invite to the role `lost`, but still to the role `kept`. */
interface Loss {
  event: string;
  role: 'owner' | 'admin';
  lost: string;
  kept?: string;
  lose: (stage: Stage) => Promise<unknown>;
}

const memberPath = ({ teamId, sender }: Stage) => `teams/${teamId}/members/${sender.uid}`;

const LOSSES: readonly Loss[] = [
  {
    event: 'an admin is removed',
    role: 'admin',
    lost: 'member',
    lose: (set) => expectOk(service.ask('DELETE', set.founder, memberPath(set))),
  },
  {
    event: 'an owner is removed',
    role: 'owner',
    lost: 'owner',
    lose: (set) => expectOk(service.ask('DELETE', set.founder, memberPath(set))),
  },
  {
    event: 'an admin leaves',
    role: 'admin',
    lost: 'admin',
    lose: (set) => expectOk(service.ask('DELETE', set.sender, memberPath(set))),
  },
  {
    event: 'an admin becomes a member',
    role: 'admin',
    lost: 'member',
    lose: (set) => expectOk(service.ask('PATCH', set.founder, memberPath(set), { role: 'member' })),
  },
  {
    event: 'an owner becomes an admin',
    role: 'owner',
    lost: 'owner',
    kept: 'admin',
    lose: (set) => expectOk(service.ask('PATCH', set.founder, memberPath(set), { role: 'admin' })),
  },
  {
    event: 'an owner transfers the team',
    role: 'owner',
    lost: 'owner',
    kept: 'admin',
    lose: async ({ teamId, sender }) => {
      const heir = await signUp();
      await addMember(teamId, heir, 'member');
      await expectOk(service.ask('POST', sender, `teams/${teamId}/transfer`, { uid: heir.uid }));
      await expectOk(service.ask('POST', heir, `teams/${teamId}/transfer/accept`));
    },
  },
  {
    event: 'an admin deletes the account',
    role: 'admin',
    lost: 'member',
    lose: ({ sender }) => expectOk(service.ask('DELETE', sender, 'user')),
  },
  {
    event: 'the account of an owner is deleted by an admin',
    role: 'owner',
    lost: 'owner',
    lose: async ({ sender }) => {
      await adminAuth().deleteUser(sender.uid);
      await cleanUpAccount(service.app.backend, { uid: sender.uid });
    },
  },
];

describe.each(LOSSES)('after $event', ({ role, lost, kept, lose }) => {
  test('pending invitations that the sender may no longer send are cancelled and refused', async () => {
    const set = await stage(role);
    const { teamId, founder, sender } = set;
    const guest = await signUp();
    const { id } = await inviteTo(service.url, sender, teamId, guest.email, lost);
    const other = await inviteTo(service.url, founder, teamId, 'other@example.com', lost);
    const still = kept && (await inviteTo(service.url, sender, teamId, 'kept@example.com', kept)).id;
    await lose(set);

    expect(await invitationStatus(id)).toBe('cancelled');
    expect(await invitationStatus(other.id)).toBe('pending');
    if (still) expect(await invitationStatus(still)).toBe('pending');
    expect(await auditLogOf(teamId)).toContainEqual(
      expect.objectContaining({
        action: 'invitation.cancelled',
        target: id,
        details: { email: guest.email, role: lost, reason: 'sender_lost_rights' },
      }),
    );
    expect(await errorOf(await accept(guest, id))).toMatchObject({
      status: 410,
      code: 'invitation_cancelled',
    });
    expect(await roleIn(teamId, guest)).toBeUndefined();
  });
});

describe('a sender of more invitations than one transaction cancels', () => {
  const COUNT = 120;

  async function stageWithMany(role: 'owner' | 'admin', invited: string) {
    const set = await stage(role);
    const { id } = await inviteTo(service.url, set.sender, set.teamId, 'a@example.com', invited);
    const firestore = adminFirestore();
    const template = (await firestore.doc(`invitations/${id}`).get()).data() ?? {};
    const writer = firestore.bulkWriter();
    for (let index = 1; index < COUNT; index++) {
      const invitation = { ...template, email: `${index}@example.com` };
      void writer.create(firestore.collection('invitations').doc(), invitation);
    }
    await writer.close();
    return set;
  }

  async function countsOf(teamId: string) {
    const invitations = adminFirestore().collection('invitations').where('teamId', '==', teamId);
    const pending = (await invitations.where('status', '==', 'pending').get()).size;
    const entries = (await auditLogOf(teamId)).filter(({ action }) => action === 'invitation.cancelled');
    return { pending, entries: new Set(entries.map(({ target }) => target)).size };
  }

  const many = LOSSES.filter(({ event }) => event !== 'an owner is removed');
  test.each(many)('has none left after $event', async ({ role, lost, lose }) => {
    const set = await stageWithMany(role, lost);
    await lose(set);
    expect(await countsOf(set.teamId)).toEqual({ pending: 0, entries: COUNT });
  });

  test('keeps those that the sender may send again', async () => {
    const { teamId, sender } = await stageWithMany('admin', 'member');
    const rest = { teamId, uid: sender.uid, actorId: sender.uid };
    const { endRemainingRights } = service.app.backend.featureHooks;
    await endRemainingRights(service.app.backend, rest);
    await setRole(teamId, sender, 'owner');
    await endRemainingRights(service.app.backend, rest);
    expect(await countsOf(teamId)).toEqual({ pending: COUNT, entries: 0 });
  });
});

test('cancelled invitations free their seats', async () => {
  const { teamId, founder, sender } = await stage('admin');
  await setSeatLimit(teamId, 3);
  await inviteTo(service.url, sender, teamId, 'a@example.com');
  await expectOk(service.ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`));
  await inviteTo(service.url, founder, teamId, 'b@example.com');
  await inviteTo(service.url, founder, teamId, 'c@example.com');
});

test('a promotion cancels nothing', async () => {
  const { teamId, founder, sender } = await stage('admin');
  const { id } = await inviteTo(service.url, sender, teamId, 'a@example.com', 'admin');
  await expectOk(
    service.ask('POST', founder, `teams/${teamId}/transfer`, { uid: sender.uid, coOwner: true }),
  );
  await expectOk(service.ask('POST', sender, `teams/${teamId}/transfer/accept`));
  expect(await invitationStatus(id)).toBe('pending');
});

describe('accepting checks the sender, even if the invitation was not cancelled', () => {
  /** A pending invitation whose sender lost rights by a direct write. */
  async function orphaned(change: (teamId: string, sender: Person) => Promise<unknown>, role = 'admin') {
    const { teamId, founder, sender } = await stage('owner');
    const guest = await signUp();
    const { id } = await inviteTo(service.url, sender, teamId, guest.email, role);
    await change(teamId, sender);
    return { teamId, founder, sender, guest, id };
  }

  const removed = (teamId: string, { uid }: Person) =>
    adminFirestore().doc(`teams/${teamId}/members/${uid}`).delete();

  test.each([
    ['is not a member', 'member', removed],
    ['has the role member', 'member', (teamId: string, sender: Person) => setRole(teamId, sender, 'member')],
    ['has a lower role', 'owner', (teamId: string, sender: Person) => setRole(teamId, sender, 'admin')],
  ])('an invitation whose sender %s is refused by the API and its links', async (_sender, role, change) => {
    const { teamId, guest, id } = await orphaned(change, role);
    expect(await errorOf(await accept(guest, id))).toMatchObject({
      status: 410,
      code: 'invitation_cancelled',
    });
    const link = (await mailedLinks(guest.email)).accept.replace(APP_URL, service.url);
    const cookie = await startSession(service.url, guest);
    for (const url of [link, link.slice(0, link.lastIndexOf('.'))]) {
      const answer = await visit(url, cookie);
      expect([answer.status, await answer.text()]).toEqual([
        410,
        expect.stringContaining('<h3>This invitation was cancelled.</h3>'),
      ]);
    }
    expect((await visit(link, guest.bearer)).status).toBe(410);
    expect(await roleIn(teamId, guest)).toBeUndefined();
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('an invitation is accepted if its sender has a lower role that allows it', async () => {
    const { teamId, guest, id } = await orphaned((teamId, sender) => setRole(teamId, sender, 'admin'));
    expect((await accept(guest, id)).status).toBe(200);
    expect(await roleIn(teamId, guest)).toBe('admin');
  });

  test('an invitation of a removed sender can be rejected', async () => {
    const { guest, id } = await orphaned(removed);
    expect((await service.ask('POST', guest, `invitations/${id}/reject`)).status).toBe(204);
  });

  test.each([
    ['names no sender', FieldValue.delete()],
    ['names a number', 7],
    ['names a path', 'a/b'],
    ['names an empty text', ''],
    ['names a list', ['x']],
  ])('an invitation that %s is refused until it is resent', async (_sender, invitedBy: unknown) => {
    const { founder, teamId, guest, id } = await orphaned(() => Promise.resolve());
    await adminFirestore().doc(`invitations/${id}`).update({ invitedBy });
    expect(await errorOf(await accept(guest, id))).toMatchObject({
      status: 410,
      code: 'invitation_cancelled',
    });
    await expectOk(service.ask('POST', founder, `teams/${teamId}/invitations/${id}/resend`));
    expect((await accept(guest, id)).status).toBe(200);
  });

  test('accepting fails unless it is committed before a concurrent removal of the sender', async () => {
    const { teamId, founder, sender } = await stage('admin');
    const guest = await signUp();
    const { id } = await inviteTo(service.url, sender, teamId, guest.email);
    const [accepted, removal] = await Promise.all([
      accept(guest, id),
      service.ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`),
    ]);
    expect(removal.status).toBe(204);
    const actions = (await auditLogOf(teamId)).map(({ action }) => action);
    const order = [actions.indexOf('invitation.accepted'), actions.indexOf('member.removed')] as const;
    if (accepted.status === 200) expect(order[0]).toBeLessThan(order[1]);
    else expect([accepted.status, order[0]]).toEqual([410, -1]);
  });
});

describe('another admin', () => {
  test('becomes the sender by resending an invitation', async () => {
    const { teamId, founder, sender } = await stage('admin');
    const guest = await signUp();
    const { id } = await inviteTo(service.url, sender, teamId, guest.email);
    await expectOk(service.ask('POST', founder, `teams/${teamId}/invitations/${id}/resend`));
    expect((await adminFirestore().doc(`invitations/${id}`).get()).get('invitedBy')).toBe(founder.uid);
    await expectOk(service.ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`));
    expect(await invitationStatus(id)).toBe('pending');
    expect((await accept(guest, id)).status).toBe(200);
  });

  test('replaces an invitation of a sender who may no longer invite by inviting again', async () => {
    const { teamId, founder, sender } = await stage('admin');
    const guest = await signUp();
    const first = await inviteTo(service.url, sender, teamId, guest.email);
    const path = `teams/${teamId}/invitations`;
    const again = () => service.ask('POST', founder, path, { emails: [guest.email], role: 'member' });
    interface Results {
      results: { status: number; invitation: { id: string } }[];
    }
    const { results: same } = (await (await again()).json()) as Results;
    expect(same).toMatchObject([{ status: 200, invitation: { id: first.id } }]);

    await setRole(teamId, sender, 'member');
    const { results } = (await (await again()).json()) as Results;
    expect(results).toMatchObject([{ status: 201 }]);
    expect(await invitationStatus(first.id)).toBe('cancelled');
    expect((await accept(guest, results[0]?.invitation.id ?? '')).status).toBe(200);
  });
});

test('a former owner cannot regain the team with an invitation to a second account', async () => {
  const { teamId, owner, member } = await castOf(service.url);
  await setSeatLimit(teamId, 10);
  const second = await signUp();
  const { id } = await inviteTo(service.url, owner, teamId, second.email, 'owner');
  await expectOk(service.ask('POST', owner, `teams/${teamId}/transfer`, { uid: member.uid }));
  await expectOk(service.ask('POST', member, `teams/${teamId}/transfer/accept`));
  await expectOk(service.ask('DELETE', member, `teams/${teamId}/members/${owner.uid}`));
  expect((await accept(second, id)).status).toBe(410);
  expect((await service.ask('DELETE', second, `teams/${teamId}/members/${member.uid}`)).status).toBe(404);
});
