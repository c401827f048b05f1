import { beforeAll, expect, test } from 'vitest';
import type { Purge } from '../functions/src/personal-data/purge.ts';
import { sweepInterruptedDeletions } from '../functions/src/teams/sweep.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { useResources } from './support/resources.ts';
import { addCrowd, addMember, auditLogOf, createTeam, inviteTo, membersOf } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore, because the sweep processes all teams.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
  owner = await signUp();
});

const sweep = () => sweepInterruptedDeletions(app.backend);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A team whose deletion died after its first step. */
async function interruptedTeam(deletingSince: Date): Promise<string> {
  const teamId = await createTeam(app.url, owner);
  await inviteTo(app.url, owner, teamId, 'somebody@example.com');
  await adminFirestore().doc(`teams/${teamId}`).update({ deletingSince });
  return teamId;
}

const remains = async (teamId: string) => {
  const invitations = adminFirestore().collection('invitations').where('teamId', '==', teamId);
  const [team, members, invited] = await Promise.all([
    adminFirestore().doc(`teams/${teamId}`).get(),
    membersOf(teamId),
    invitations.get(),
  ]);
  return [team.exists, members.length, invited.size];
};

test('an interrupted deletion is finished when nobody repeats the request', async () => {
  const teamId = await interruptedTeam(minutesAgo(11));
  const partner = await signUp();
  await addMember(teamId, partner, 'owner');
  await addCrowd(teamId, 260);
  expect(await sweep()).toBe(1);
  expect(await remains(teamId)).toEqual([false, 0, 0]);
  const log = await auditLogOf(teamId);
  expect(log.at(-1)).toMatchObject({ action: 'team.deleted', actorId: 'system' });
  expect(await sweep()).toBe(0);
});

test('a deletion that may be in progress, and a team that is not being deleted, are ignored', async () => {
  const [young, kept] = await Promise.all([interruptedTeam(minutesAgo(9)), createTeam(app.url, owner)]);
  expect(await sweep()).toBe(0);
  expect(await remains(young)).toEqual([true, 1, 1]);
  expect(await remains(kept)).toEqual([true, 1, 0]);
});

test('a deletion that fails does not block the others', async () => {
  const [failing, other] = await Promise.all([
    interruptedTeam(minutesAgo(30)),
    interruptedTeam(minutesAgo(20)),
  ]);
  const { featureHooks } = app.backend;
  const fail: Purge = (_backend, teamId) =>
    teamId === failing ? Promise.reject(new Error('This team fails.')) : Promise.resolve(0);
  const purgeTeam = [fail, ...featureHooks.purgeTeam];
  const backend = { ...app.backend, featureHooks: { ...featureHooks, purgeTeam } };
  expect(await sweepInterruptedDeletions(backend)).toBe(1);
  expect(await remains(failing)).toEqual([true, 1, 1]);
  await sweep();
  expect(await remains(other)).toEqual([false, 0, 0]);
});

test('a run whose time is over begins no further deletion, and the next run continues', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, index) => interruptedTeam(minutesAgo(20 + index))));
  let isOver = false;
  const now = () => new Date(Date.now() + (isOver ? 3_600_000 : 0));
  const slow: Purge = () => {
    isOver = true;
    return Promise.resolve(0);
  };
  const { featureHooks } = app.backend;
  const purgeTeam = [slow, ...featureHooks.purgeTeam];
  const backend = { ...app.backend, now, featureHooks: { ...featureHooks, purgeTeam } };
  const first = await sweepInterruptedDeletions(backend);
  expect(first).toBeLessThan(12);
  expect(first + (await sweep())).toBe(12);
});

test('a deletion of a damaged team is finished', async () => {
  const [damaged, ownerless, other] = await Promise.all([
    interruptedTeam(minutesAgo(40)),
    interruptedTeam(minutesAgo(30)),
    interruptedTeam(minutesAgo(20)),
  ]);
  const firestore = adminFirestore();
  await firestore.doc(`teams/${damaged}`).update({ ownerId: firestore.doc('users/a'), slug: 7 });
  await firestore.doc(`teams/${damaged}/members/${owner.uid}`).update({ email: 7 });
  await firestore.doc(`teams/${ownerless}`).update({ seatLimit: 'many', deletingSince: minutesAgo(50) });
  await firestore.doc(`teams/${ownerless}/members/${owner.uid}`).delete();
  expect(await sweep()).toBe(3);
  expect(await remains(damaged)).toEqual([false, 0, 0]);
  expect(await remains(ownerless)).toEqual([false, 0, 0]);
  expect(await remains(other)).toEqual([false, 0, 0]);
});
