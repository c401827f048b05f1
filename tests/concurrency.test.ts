import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { dbOn } from './support/database.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import {
  addCrowd,
  createTeam,
  invitationStatus,
  inviteTo,
  membersOf,
  setSeatLimit,
  type Invited,
} from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const accept = (id: string, person: Person) =>
  visit(`${app.url}/api/team/accept-invitation?invitationId=${id}`, person.bearer);

test('50 parallel accepts of one invitation make one membership, and 49 answer 409', async () => {
  const recipient = await signUp();
  const teamId = await createTeam(app.url, owner);
  const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
  const answers = await Promise.all(Array.from({ length: 50 }, () => accept(id, recipient)));
  const welcomed = answers.filter((answer) => answer.status === 303);
  expect(welcomed.map((answer) => locationOf(answer).searchParams.get('message'))).toEqual(['welcome']);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  expect((await membersOf(teamId)).filter(({ uid }) => uid === recipient.uid)).toHaveLength(1);
});

test('50 people join a team of 1,000 members at the same time', async () => {
  const teamId = await createTeam(app.url, owner);
  const [people] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => signUp())),
    addCrowd(teamId, 999),
    setSeatLimit(teamId, 1_050),
  ]);
  const invited = await call('POST', `${app.url}/api/auth/teams/${teamId}/invitations`, {
    headers: owner.bearer,
    json: { emails: people.map(({ email }) => email), role: 'member' },
  });
  const { results } = (await invited.json()) as { results: { invitation: Invited }[] };
  const answers = await Promise.all(
    people.map((person, index) => accept(results[index]?.invitation.id ?? '', person)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(303));
  expect(await membersOf(teamId)).toHaveLength(1_050);
});

test('the seat limit is kept while people join, leave and are invited at the same time', async () => {
  const teamId = await createTeam(app.url, owner);
  const people = await Promise.all(Array.from({ length: 20 }, () => signUp()));
  await setSeatLimit(teamId, 11);
  const invite = async (person: Person) => {
    const path = `${app.url}/api/auth/teams/${teamId}/invitations`;
    const json = { email: person.email, role: 'member' };
    const response = await call('POST', path, { headers: owner.bearer, json });
    return response.ok ? ((await response.json()) as Invited).id : undefined;
  };
  const joinAndLeave = async (person: Person) => {
    const id = await invite(person);
    if (id === undefined) return;
    await accept(id, person);
    expect((await membersOf(teamId)).length).toBeLessThanOrEqual(11);
    const path = `${app.url}/api/auth/teams/${teamId}/members/${person.uid}`;
    await call('DELETE', path, { headers: person.bearer });
  };
  await Promise.all(people.map(joinAndLeave));
  expect(await membersOf(teamId)).toHaveLength(1);
});

test('exactly 3 of 20 people get one of the last 3 seats', async () => {
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 100);
  const people = await Promise.all(Array.from({ length: 20 }, () => signUp()));
  const invitations = await Promise.all(
    people.map(async (person) => ({ person, ...(await inviteTo(app.url, owner, teamId, person.email)) })),
  );
  await setSeatLimit(teamId, 4);

  const answers = await Promise.all(invitations.map(({ id, person }) => accept(id, person)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(17);
  expect(await membersOf(teamId)).toHaveLength(4);
});

test('only one of accepting and rejecting takes effect when both are sent at the same time', async () => {
  const recipient = await signUp();
  const teamId = await createTeam(app.url, owner);
  const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
  const reject = visit(`${app.url}/api/team/reject-invitation?invitationId=${id}`, recipient.bearer);
  const [accepted, rejected] = await Promise.all([accept(id, recipient), reject]);
  expect([accepted.status, rejected.status].sort()).toEqual([303, 409]);
  const isMember = (await membersOf(teamId)).some(({ uid }) => uid === recipient.uid);
  expect([await invitationStatus(id), isMember]).toEqual(
    accepted.status === 303 ? ['accepted', true] : ['rejected', false],
  );
});

test('an invitation that expires while it is accepted takes no seat of another person', async () => {
  const [first, second] = [await signUp(), await signUp()];
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 2);
  const { id, expiresAt } = await inviteTo(app.url, owner, teamId, first.email);
  const at = (seconds: number) => ({ now: () => new Date(Date.parse(expiresAt) + seconds * 1000) });
  const [checked, mayCommit] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const open = () => {
    const real = adminFirestore();
    const runTransaction: typeof real.runTransaction = (run, options) =>
      real.runTransaction(async (transaction) => {
        const result = await run(transaction);
        if (options?.readOnly === true) return result;
        checked.resolve(undefined);
        await mayCommit.promise;
        return result;
      }, options);
    return Promise.resolve(Object.assign(Object.create(real) as typeof real, { runTransaction }));
  };
  await using before = await serveApp({ backend: { ...at(-60), db: dbOn(open) } });
  await using after = await serveApp({ backend: at(1) });

  const late = visit(`${before.url}/api/team/accept-invitation?invitationId=${id}`, first.bearer);
  await checked.promise;
  const path = `${after.url}/api/auth/teams/${teamId}/invitations`;
  const json = { email: second.email, role: 'member' };
  const inviting = call('POST', path, { headers: owner.bearer, json });
  // The seat is free by the clock. The second invitation waits for the locks that the first acceptance holds.
  const overtook = await Promise.race([inviting.then(() => true), manyReads().then(() => false)]);
  mayCommit.resolve(undefined);
  const [accepted, invited] = await Promise.all([late, inviting]);
  expect(overtook).toBe(false);
  // A deadlock may be resolved in favor of either, and never of both.
  expect([accepted.status, invited.status]).toEqual([303, 403]);
  expect(await membersOf(teamId)).toHaveLength(2);
});

/** Takes longer than any request that waits for no lock. */
async function manyReads(): Promise<void> {
  for (let count = 0; count < 500; count++) await adminFirestore().doc('teams/none').get();
}
