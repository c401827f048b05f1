import { beforeAll, expect, test } from 'vitest';
import { cleanUpAccount } from '../functions/src/account/delete.service.ts';
import { leaveTeams } from '../functions/src/teams/members/leave-teams.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { meterFirestore } from './support/cost.ts';
import { formWith, png } from './support/files.ts';
import { adminAuth, adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { slowPurge } from './support/slow-purge.ts';
import { addMember, createTeam } from './support/teams.ts';

/** Accounts whose data takes longer than a request, or than the trigger of a deleted user. */

let app: AppUnderTest;
const resources = useResources();
beforeAll(async () => {
  // Own Firestore: in that of the stack the deployed trigger cleans up.
  resources.use(await meterFirestore());
  app = resources.use(await serveApp());
});

async function upload({ bearer }: Person): Promise<string> {
  const body = formWith(png(), 'me.png');
  const response = await call('POST', `${app.url}/api/upload`, { headers: bearer, body });
  return ((await response.json()) as { url: string }).url;
}

const hasAccount = async ({ uid }: Person) => (await adminAuth().getUsers([{ uid }])).users.length > 0;
const isFetched = async (url: string) => (await fetch(url)).ok;
const profileOf = ({ uid }: Person) => adminFirestore().doc(`users/${uid}`).get();

async function membershipsOf({ uid }: Person): Promise<number> {
  return (await adminFirestore().collectionGroup('members').where('uid', '==', uid).get()).size;
}

test('a request deletes the account although data is left, which the event removes', async () => {
  const person = await signUp();
  const { purge, now } = slowPurge(app.backend.now);
  const featureHooks = { ...app.backend.featureHooks, purgeAccount: [purge] };
  await using slow = await serveApp({ backend: { featureHooks, now } });
  await startSession(slow.url, person);
  const url = await upload(person);
  const path = `${slow.url}/api/auth/user`;
  expect((await call('DELETE', path, { headers: person.bearer })).status).toBe(204);
  expect([await hasAccount(person), await isFetched(url)]).toEqual([false, true]);
  await expect(cleanUpAccount(slow.backend, { uid: person.uid })).rejects.toThrow('more data');
  await cleanUpAccount(app.backend, { uid: person.uid });
  expect([(await profileOf(person)).exists, await isFetched(url)]).toEqual([false, false]);
});

test('teams for which a request has no time are left by the event', async () => {
  const [person, partner] = [await signUp(), await signUp()];
  for (const teamId of [await createTeam(app.url, person), await createTeam(app.url, person)])
    await addMember(teamId, partner, 'owner');
  const isTimeUp = () => true;
  expect(await leaveTeams(app.backend, person.uid, { cause: 'request', isTimeUp })).toBeUndefined();
  expect(await membershipsOf(person)).toBe(1);
  await adminAuth().deleteUser(person.uid);
  await cleanUpAccount(app.backend, { uid: person.uid });
  expect([await membershipsOf(person), await membershipsOf(partner)]).toEqual([0, 2]);
});
