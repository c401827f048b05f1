import { FieldValue } from 'firebase-admin/firestore';
import { beforeAll, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { userAsCaller, type Caller } from '../functions/src/auth/caller.ts';
import { userStateOf } from '../functions/src/auth/users/user-states.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import { acceptInvitation } from '../functions/src/invitations/reply/reply.service.ts';
import type { Purge } from '../functions/src/personal-data/purge.ts';
import { createOwnTeam } from '../functions/src/teams/team.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { useResources } from './support/resources.ts';
import { addMember, createTeam, inviteTo, membersOf } from './support/teams.ts';

/** A Firestore of its own: in the stack's, the deployed triggers make profiles and clean up. */
let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

/** The user as a request has found them. */
const callerOf = async ({ uid }: Person): Promise<Caller> =>
  userAsCaller(userStateOf(await adminAuth().getUser(uid)), new Date());

const membershipsOf = async ({ uid }: Person) =>
  (await adminFirestore().collectionGroup('members').where('uid', '==', uid).get()).size;

const invitedTeam = async (person: Person) => {
  const owner = await signUp();
  const { id } = await inviteTo(app.url, owner, await createTeam(app.url, owner), person.email);
  return id;
};

test('nobody joins or founds a team with an account that was deleted since the request began', async () => {
  const person = await signUp();
  const id = await invitedTeam(person);
  const caller = await callerOf(person);
  await adminAuth().deleteUser(person.uid);
  await cleanUpAccount(app.backend, { uid: person.uid });
  await expect(
    acceptInvitation(app.backend, { caller, id, mayComeFromOtherSite: false }),
  ).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  await expect(createOwnTeam(app.backend, caller, { name: 'Late' })).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  expect(await membershipsOf(person)).toBe(0);
});

test('a user who joins a team during the deletion of the account has left it when the deletion ends', async () => {
  const person = await signUp();
  const id = await invitedTeam(person);
  const caller = await callerOf(person);
  const profile = adminFirestore().doc(`users/${person.uid}`);
  await profile.create({ createdAt: new Date() });
  await adminAuth().deleteUser(person.uid);
  let isLate = true;
  const joinOnce = async () => {
    if (isLate) await acceptInvitation(app.backend, { caller, id, mayComeFromOtherSite: false });
    isLate = false;
    return 0;
  };
  const featureHooks = { ...FEATURE_HOOKS, purgeAccount: [...FEATURE_HOOKS.purgeAccount, joinOnce] };
  await expect(cleanUpAccount({ ...app.backend, featureHooks }, { uid: person.uid })).rejects.toThrow(
    'joined a team during the deletion',
  );
  expect([await membershipsOf(person), (await profile.get()).exists]).toEqual([1, true]);
  await cleanUpAccount(app.backend, { uid: person.uid });
  expect([await membershipsOf(person), (await profile.get()).exists]).toEqual([0, false]);
});

/** A person with two teams, each with a pending invitation to the guest. */
async function ownerOfTwoTeams() {
  const [owner, guest] = await Promise.all([signUp(), signUp()]);
  const invitations = new Map<string, string>();
  for (const name of ['First', 'Second']) {
    const teamId = await createTeam(app.url, owner, name);
    invitations.set(teamId, (await inviteTo(app.url, owner, teamId, guest.email)).id);
  }
  return { owner, guest, invitations };
}

test('a team that somebody joins while the deleted owner still loses another team stays, and is theirs', async () => {
  const { owner, guest, invitations } = await ownerOfTwoTeams();
  const caller = await callerOf(guest);
  await adminAuth().deleteUser(owner.uid);
  let joined: string | undefined;
  /** Accepts the invitation to the other team while the first one is purged. */
  const joinOther: Purge = async (_backend, purgedId) => {
    const [teamId, id] = [...invitations].find(([other]) => other !== purgedId) ?? ['', ''];
    if (joined === undefined)
      await acceptInvitation(app.backend, { caller, id, mayComeFromOtherSite: false });
    joined ??= teamId;
    return 0;
  };
  const featureHooks = { ...FEATURE_HOOKS, purgeTeam: [joinOther, ...FEATURE_HOOKS.purgeTeam] };
  await expect(cleanUpAccount({ ...app.backend, featureHooks }, owner)).rejects.toThrow('more data');
  await cleanUpAccount(app.backend, owner);
  const teams = await adminFirestore().getAll(
    ...[...invitations.keys()].map((teamId) => adminFirestore().doc(`teams/${teamId}`)),
  );
  const kept = teams.filter(({ exists }) => exists);
  expect(kept.map((team) => [team.id, team.get('ownerId') as unknown])).toEqual([[joined, guest.uid]]);
  expect(await membersOf(joined ?? '')).toMatchObject([{ uid: guest.uid, role: 'owner' }]);
  expect(await membershipsOf(owner)).toBe(0);
});

test.each(['role', 'joinedAt'])(
  'a member whose document has no %s does not keep the team of a deleted owner',
  async (field) => {
    const [owner, member] = await Promise.all([signUp(), signUp()]);
    const teamId = await createTeam(app.url, owner);
    await addMember(teamId, member, 'member');
    await adminFirestore()
      .doc(`teams/${teamId}/members/${member.uid}`)
      .update({ [field]: FieldValue.delete() });
    await adminAuth().deleteUser(owner.uid);
    await cleanUpAccount(app.backend, owner);
    expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);
  },
);
