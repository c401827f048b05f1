import { test } from 'vitest';
import { useMeteredApp } from './support/metered-app.ts';
import { adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import { addCrowd, castOf, createTeam, inviteTo, offerTo, setSeatLimit } from './support/teams.ts';

const { app, firestore } = useMeteredApp();

/** Expects the cost of a request that succeeds, written as `reads/writes/deletes`. */
function expectCost(request: () => Promise<Response>, cost: string): Promise<void> {
  const [reads = 0, writes = 0, deletes = 0] = cost.split('/').map(Number);
  return firestore.expectCost(request, { reads, writes, deletes });
}

const ask = (method: string, person: Person, path: string, json?: unknown) =>
  call(method, `${app.url}/api/auth/${path}`, { headers: person.bearer, json });

const answer = (action: 'accept' | 'reject', id: string, person: Person) =>
  visit(`${app.url}/api/team/${action}-invitation?invitationId=${id}`, person.bearer);

/** A team of three with an open invitation for the outsider, and free seats. */
async function stage() {
  const cast = await castOf(app.url);
  await setSeatLimit(cast.teamId, 10);
  const invitation = await inviteTo(app.url, cast.owner, cast.teamId, cast.outsider.email);
  return { ...cast, team: `teams/${cast.teamId}`, id: invitation.id };
}

type Stage = Awaited<ReturnType<typeof stage>>;

type Step<Result> = (stage: Stage) => Promise<Result>;

const signedIn: Step<unknown> = ({ outsider }) => startSession(app.url, outsider);

const makeTeam: Step<Response> = ({ outsider }) =>
  ask('POST', outsider, 'teams', { name: crypto.randomUUID() });

const offered: Step<void> = ({ teamId, owner, member }) => offerTo(teamId, owner, member);

/** The name of each request, its cost, the request, and its preparation. */
const ROUTES: [what: string, cost: string, request: Step<Response>, prepare?: Step<unknown>][] = [
  ['accepting', '6/4/0', ({ id, outsider }) => answer('accept', id, outsider), signedIn],
  ['accepting without a profile', '6/5/0', ({ id, outsider }) => answer('accept', id, outsider)],
  ['rejecting', '1/2/0', ({ id, outsider }) => answer('reject', id, outsider)],
  ['making a team', '3/4/0', makeTeam, signedIn],
  ['making a team without a profile', '3/5/0', makeTeam],
  ['listing teams', '2/0/0', ({ member }) => ask('GET', member, 'teams')],
  ['reading a team', '2/0/0', ({ team, member }) => ask('GET', member, team)],
  ['renaming a team', '2/2/0', ({ team, admin }) => ask('PATCH', admin, team, { name: 'New' })],
  [
    'giving a team another slug',
    '3/3/1',
    ({ team, admin }) => ask('PATCH', admin, team, { slug: `s-${crypto.randomUUID()}` }),
  ],
  ['listing members', '5/0/0', ({ team, member }) => ask('GET', member, `${team}/members`)],
  [
    'changing a role',
    '3/2/0',
    ({ team, owner, member }) => ask('PATCH', owner, `${team}/members/${member.uid}`, { role: 'admin' }),
  ],
  ['leaving', '4/1/1', ({ team, member }) => ask('DELETE', member, `${team}/members/${member.uid}`)],
  [
    'demoting',
    '4/2/0',
    ({ team, owner, admin }) => ask('PATCH', owner, `${team}/members/${admin.uid}`, { role: 'member' }),
  ],
  [
    'removing an admin whose invitation is pending',
    '4/4/1',
    ({ team, owner, admin }) => ask('DELETE', owner, `${team}/members/${admin.uid}`),
    ({ id, admin }) => adminFirestore().doc(`invitations/${id}`).update({ invitedBy: admin.uid }),
  ],
  [
    'offering a team',
    '3/2/0',
    ({ team, owner, member }) => ask('POST', owner, `${team}/transfer`, { uid: member.uid }),
  ],
  [
    'accepting a team',
    '5/4/0',
    ({ team, member }) => ask('POST', member, `${team}/transfer/accept`),
    offered,
  ],
  [
    'declining a team',
    '2/2/0',
    ({ team, member }) => ask('POST', member, `${team}/transfer/decline`),
    offered,
  ],
  [
    'withdrawing the offer of a team',
    '2/2/0',
    ({ team, owner }) => ask('DELETE', owner, `${team}/transfer`),
    offered,
  ],
  ['listing invitations', '3/0/0', ({ team, admin }) => ask('GET', admin, `${team}/invitations`)],
  ['listing own invitations', '1/0/0', ({ outsider }) => ask('GET', outsider, 'invitations')],
  [
    'inviting',
    '8/5/0',
    ({ team, admin }) =>
      ask('POST', admin, `${team}/invitations`, { email: 'a@example.com', role: 'member' }),
  ],
  [
    'inviting again',
    '9/1/0',
    ({ team, admin, outsider }) =>
      ask('POST', admin, `${team}/invitations`, { email: outsider.email, role: 'member' }),
  ],
  [
    'inviting in another role',
    '8/7/0',
    ({ team, admin, outsider }) =>
      ask('POST', admin, `${team}/invitations`, { email: outsider.email, role: 'admin' }),
  ],
  [
    'inviting three in one request',
    '14/13/0',
    ({ team, admin }) =>
      ask('POST', admin, `${team}/invitations`, {
        emails: ['a@example.com', 'b@example.com', 'c@example.com'],
        role: 'member',
      }),
  ],
  ['resending', '8/5/0', ({ team, id, admin }) => ask('POST', admin, `${team}/invitations/${id}/resend`)],
  ['cancelling', '3/2/0', ({ team, id, admin }) => ask('DELETE', admin, `${team}/invitations/${id}`)],
  ['reading the audit log', '4/0/0', ({ team, admin }) => ask('GET', admin, `${team}/audit`)],
  ['deleting a team', '14/3/7', ({ team, owner }) => ask('DELETE', owner, team)],
];

test.each(ROUTES)('%s costs %s reads, writes and deletes', async (_what, cost, request, prepare) => {
  const set = await stage();
  await prepare?.(set);
  await expectCost(() => request(set), cost);
});

test('accepting costs the same in a team of 900', async () => {
  const owner = await signUp();
  const recipient = await signUp();
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 1_000);
  await addCrowd(teamId, 899);
  const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
  await startSession(app.url, recipient);
  await expectCost(() => answer('accept', id, recipient), '6/4/0');
});
