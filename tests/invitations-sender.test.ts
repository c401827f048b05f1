import { FieldValue } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
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

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ask = (method: string, person: Person, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

const accept = (person: Person, id: string) => ask('POST', person, `invitations/${id}/accept`);

const roleIn = async (teamId: string, { uid }: Person) =>
  (await membersOf(teamId)).find((member) => member.uid === uid)?.role;

interface Stage {
  teamId: string;
  /** Removes the rights of the sender. */
  founder: Person;
  sender: Person;
}

/** A team with two owners, or an owner and an admin; the second is to send invitations. */
async function stage(role: 'owner' | 'admin'): Promise<Stage> {
  const [founder, sender] = await Promise.all([signUp(), signUp()]);
  const teamId = await createTeam(app.url, founder);
  await Promise.all([addMember(teamId, sender, role), setSeatLimit(teamId, 10)]);
  return { teamId, founder, sender };
}

const expectOk = async (response: Promise<Response>) => {
  expect((await response).status).toBeLessThan(300);
};

/** A way in which a sender loses the right to invite to the role `lost`, but not to the role `kept`, if any. */
interface Loss {
  what: string;
  role: 'owner' | 'admin';
  lost: string;
  kept?: string;
  lose: (stage: Stage) => Promise<unknown>;
}

const memberPath = ({ teamId, sender }: Stage) => `teams/${teamId}/members/${sender.uid}`;

const LOSSES: readonly Loss[] = [
  {
    what: 'an admin is removed',
    role: 'admin',
    lost: 'member',
    lose: (set) => expectOk(ask('DELETE', set.founder, memberPath(set))),
  },
  {
    what: 'an owner is removed',
    role: 'owner',
    lost: 'owner',
    lose: (set) => expectOk(ask('DELETE', set.founder, memberPath(set))),
  },
  {
    what: 'an admin leaves',
    role: 'admin',
    lost: 'admin',
    lose: (set) => expectOk(ask('DELETE', set.sender, memberPath(set))),
  },
  {
    what: 'an admin becomes a member',
    role: 'admin',
    lost: 'member',
    lose: (set) => expectOk(ask('PATCH', set.founder, memberPath(set), { role: 'member' })),
  },
  {
    what: 'an owner becomes an admin',
    role: 'owner',
    lost: 'owner',
    kept: 'admin',
    lose: (set) => expectOk(ask('PATCH', set.founder, memberPath(set), { role: 'admin' })),
  },
  {
    what: 'an owner hands the team over',
    role: 'owner',
    lost: 'owner',
    kept: 'admin',
    lose: async ({ teamId, sender }) => {
      const heir = await signUp();
      await addMember(teamId, heir, 'member');
      await expectOk(ask('POST', sender, `teams/${teamId}/transfer`, { uid: heir.uid }));
      await expectOk(ask('POST', heir, `teams/${teamId}/transfer/accept`));
    },
  },
  {
    what: 'an admin deletes the account',
    role: 'admin',
    lost: 'member',
    lose: ({ sender }) => expectOk(ask('DELETE', sender, 'user')),
  },
  {
    what: 'the account of an owner is deleted elsewhere',
    role: 'owner',
    lost: 'owner',
    lose: async ({ sender }) => {
      await adminAuth().deleteUser(sender.uid);
      await cleanUpAccount(app.backend, { uid: sender.uid });
    },
  },
];

describe.each(LOSSES)('when $what', ({ role, lost, kept, lose }) => {
  test('pending invitations that they may no longer send are cancelled, and cannot be accepted', async () => {
    const set = await stage(role);
    const { teamId, founder, sender } = set;
    const guest = await signUp();
    const { id } = await inviteTo(app.url, sender, teamId, guest.email, lost);
    const other = await inviteTo(app.url, founder, teamId, 'other@example.com', lost);
    const still = kept && (await inviteTo(app.url, sender, teamId, 'kept@example.com', kept)).id;
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

test('cancelled invitations give their seats back', async () => {
  const { teamId, founder, sender } = await stage('admin');
  await setSeatLimit(teamId, 3);
  await inviteTo(app.url, sender, teamId, 'a@example.com');
  await expectOk(ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`));
  await inviteTo(app.url, founder, teamId, 'b@example.com');
  await inviteTo(app.url, founder, teamId, 'c@example.com');
});

test('a promotion cancels nothing', async () => {
  const { teamId, founder, sender } = await stage('admin');
  const { id } = await inviteTo(app.url, sender, teamId, 'a@example.com', 'admin');
  await expectOk(ask('POST', founder, `teams/${teamId}/transfer`, { uid: sender.uid, coOwner: true }));
  await expectOk(ask('POST', sender, `teams/${teamId}/transfer/accept`));
  expect(await invitationStatus(id)).toBe('pending');
});

describe('accepting checks the sender, even if the invitation was not cancelled', () => {
  /** A pending invitation whose sender lost rights by a direct write. */
  async function orphaned(change: (teamId: string, sender: Person) => Promise<unknown>, role = 'admin') {
    const { teamId, founder, sender } = await stage('owner');
    const guest = await signUp();
    const { id } = await inviteTo(app.url, sender, teamId, guest.email, role);
    await change(teamId, sender);
    return { teamId, founder, sender, guest, id };
  }

  const removed = (teamId: string, { uid }: Person) =>
    adminFirestore().doc(`teams/${teamId}/members/${uid}`).delete();

  test.each([
    ['is no member', 'member', removed],
    ['is a mere member', 'member', (teamId: string, sender: Person) => setRole(teamId, sender, 'member')],
    ['is below the role', 'owner', (teamId: string, sender: Person) => setRole(teamId, sender, 'admin')],
  ])('an invitation whose sender %s is refused by API and links', async (_what, role, change) => {
    const { teamId, guest, id } = await orphaned(change, role);
    expect(await errorOf(await accept(guest, id))).toMatchObject({
      status: 410,
      code: 'invitation_cancelled',
    });
    const link = (await mailedLinks(guest.email)).accept.replace(APP_URL, app.url);
    const cookie = await startSession(app.url, guest);
    for (const url of [link, link.slice(0, link.lastIndexOf('.'))]) {
      const answer = await visit(url, cookie);
      expect([answer.status, await answer.text()]).toEqual([
        410,
        expect.stringContaining('<h3>This invitation has been withdrawn.</h3>'),
      ]);
    }
    expect((await visit(link, guest.bearer)).status).toBe(410);
    expect(await roleIn(teamId, guest)).toBeUndefined();
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('an invitation that its sender may still send is accepted, also after a demotion', async () => {
    const { teamId, guest, id } = await orphaned((teamId, sender) => setRole(teamId, sender, 'admin'));
    expect((await accept(guest, id)).status).toBe(200);
    expect(await roleIn(teamId, guest)).toBe('admin');
  });

  test('it can still be declined', async () => {
    const { guest, id } = await orphaned(removed);
    expect((await ask('POST', guest, `invitations/${id}/reject`)).status).toBe(204);
  });

  test.each([
    ['names no sender', FieldValue.delete()],
    ['names a number', 7],
    ['names a path', 'a/b'],
    ['names nothing', ''],
    ['names a list', ['x']],
  ])('an old invitation that %s is refused until it is resent', async (_what, invitedBy: unknown) => {
    const { founder, teamId, guest, id } = await orphaned(() => Promise.resolve());
    await adminFirestore().doc(`invitations/${id}`).update({ invitedBy });
    expect(await errorOf(await accept(guest, id))).toMatchObject({
      status: 410,
      code: 'invitation_cancelled',
    });
    await expectOk(ask('POST', founder, `teams/${teamId}/invitations/${id}/resend`));
    expect((await accept(guest, id)).status).toBe(200);
  });

  test('invitations beyond those that one transaction cancels are refused as well', async () => {
    const { teamId, founder, sender } = await stage('admin');
    await setSeatLimit(teamId, 1000);
    const guest = await signUp();
    const { id } = await inviteTo(app.url, sender, teamId, guest.email);
    const firestore = adminFirestore();
    const template = (await firestore.doc(`invitations/${id}`).get()).data() ?? {};
    const batch = firestore.batch();
    for (let index = 0; index < 120; index++) {
      batch.create(firestore.collection('invitations').doc(), { ...template, email: `${index}@example.com` });
    }
    await batch.commit();
    await expectOk(ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`));
    const pending = firestore.collection('invitations').where('teamId', '==', teamId);
    expect((await pending.where('status', '==', 'pending').get()).size).toBe(21);
    await firestore.doc(`invitations/${id}`).update({ status: 'pending' });
    expect((await accept(guest, id)).status).toBe(410);
  });

  test('if the sender is removed at the same time, the removal comes second or accepting fails', async () => {
    const { teamId, founder, sender } = await stage('admin');
    const guest = await signUp();
    const { id } = await inviteTo(app.url, sender, teamId, guest.email);
    const [accepted, removal] = await Promise.all([
      accept(guest, id),
      ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`),
    ]);
    expect(removal.status).toBe(204);
    const actions = (await auditLogOf(teamId)).map(({ action }) => action);
    const order = [actions.indexOf('invitation.accepted'), actions.indexOf('member.removed')] as const;
    if (accepted.status === 200) expect(order[0]).toBeLessThan(order[1]);
    else expect([accepted.status, order[0]]).toEqual([410, -1]);
  });
});

describe('another admin', () => {
  test('who resends an invitation becomes its sender', async () => {
    const { teamId, founder, sender } = await stage('admin');
    const guest = await signUp();
    const { id } = await inviteTo(app.url, sender, teamId, guest.email);
    await expectOk(ask('POST', founder, `teams/${teamId}/invitations/${id}/resend`));
    expect((await adminFirestore().doc(`invitations/${id}`).get()).get('invitedBy')).toBe(founder.uid);
    await expectOk(ask('DELETE', founder, `teams/${teamId}/members/${sender.uid}`));
    expect(await invitationStatus(id)).toBe('pending');
    expect((await accept(guest, id)).status).toBe(200);
  });

  test('who invites an address again replaces an invitation whose sender may no longer invite', async () => {
    const { teamId, founder, sender } = await stage('admin');
    const guest = await signUp();
    const first = await inviteTo(app.url, sender, teamId, guest.email);
    const path = `teams/${teamId}/invitations`;
    const again = () => ask('POST', founder, path, { emails: [guest.email], role: 'member' });
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

test('a former owner cannot take the team back with an invitation to another account of theirs', async () => {
  const { teamId, owner, member } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const second = await signUp();
  const { id } = await inviteTo(app.url, owner, teamId, second.email, 'owner');
  await expectOk(ask('POST', owner, `teams/${teamId}/transfer`, { uid: member.uid }));
  await expectOk(ask('POST', member, `teams/${teamId}/transfer/accept`));
  await expectOk(ask('DELETE', member, `teams/${teamId}/members/${owner.uid}`));
  expect((await accept(second, id)).status).toBe(410);
  expect((await ask('DELETE', second, `teams/${teamId}/members/${member.uid}`)).status).toBe(404);
});
