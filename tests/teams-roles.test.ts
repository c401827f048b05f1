import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import {
  addMember,
  auditLogOf,
  createTeam,
  inviteTo,
  membersOf,
  offerTo,
  setSeatLimit,
} from './support/teams.ts';

const ROLES = ['owner', 'admin', 'member', 'outsider'] as const;

let app: AppUnderTest;
/** The same people in every team; `partner` is another owner, and nobody plays `extra`, a member. */
let people: Record<(typeof ROLES)[number] | 'partner' | 'extra', Person>;
beforeAll(async () => {
  app = await serveApp();
  const [owner, admin, member, outsider, partner, extra] = await Promise.all([
    signUp(),
    signUp(),
    signUp(),
    signUp(),
    signUp(),
    signUp(),
  ]);
  people = { owner, admin, member, outsider, partner, extra };
});
afterAll(() => app[Symbol.asyncDispose]());

interface Stage {
  teamId: string;
  invitationId: string;
}

type Route = [method: string, path: (stage: Stage, actor: Person) => string, json?: () => unknown];

const ROUTES: Record<string, Route> = {
  'read the team': ['GET', () => ''],
  'change the team': ['PATCH', () => '', () => ({ name: 'Renamed' })],
  'list members': ['GET', () => '/members'],
  'change a role': ['PATCH', () => `/members/${people.extra.uid}`, () => ({ role: 'admin' })],
  'remove a member': ['DELETE', () => `/members/${people.extra.uid}`],
  leave: ['DELETE', (_stage, actor) => `/members/${actor.uid}`],
  'offer the team': ['POST', () => '/transfer', () => ({ uid: people.extra.uid })],
  'withdraw the offer': ['DELETE', () => '/transfer'],
  'accept the offer to them': ['POST', () => '/transfer/accept'],
  'decline the offer to them': ['POST', () => '/transfer/decline'],
  'list invitations': ['GET', () => '/invitations'],
  invite: ['POST', () => '/invitations', () => ({ email: 'new@example.com', role: 'member' })],
  resend: ['POST', ({ invitationId }) => `/invitations/${invitationId}/resend`],
  cancel: ['DELETE', ({ invitationId }) => `/invitations/${invitationId}`],
  'read the audit log': ['GET', () => '/audit'],
  'delete the team': ['DELETE', () => ''],
};

// Columns: owner (one of two), admin, member, outsider; signed out is 401 everywhere.
test.each([
  ['read the team', 200, 200, 200, 404],
  ['change the team', 200, 200, 403, 404],
  ['list members', 200, 200, 200, 404],
  ['change a role', 200, 200, 403, 404],
  ['remove a member', 204, 204, 403, 404],
  ['leave', 204, 204, 204, 404],
  ['offer the team', 200, 403, 403, 404],
  ['withdraw the offer', 204, 403, 403, 404],
  ['accept the offer to them', 204, 204, 204, 404],
  ['decline the offer to them', 204, 204, 204, 404],
  ['list invitations', 200, 200, 403, 404],
  ['invite', 201, 201, 403, 404],
  ['resend', 200, 200, 403, 404],
  ['cancel', 204, 204, 403, 404],
  ['read the audit log', 200, 200, 403, 404],
  ['delete the team', 204, 403, 403, 404],
])('to %s: owner %i, admin %i, member %i, outsider %i', async (what, ...statuses) => {
  const [method, path, json] = ROUTES[what] ?? ['GET', () => ''];
  const answers: number[] = [];
  for (const role of ROLES) {
    const stage = await setUp();
    if (what.endsWith('the offer')) await offerTo(stage.teamId, people.partner, people.extra);
    if (what.endsWith('to them')) {
      const recipient = role === 'outsider' ? people.extra : people[role];
      await offerTo(stage.teamId, people.partner, recipient);
    }
    const before = await snapshotOf(stage);
    const ask = (headers: Record<string, string>) =>
      call(method, `${app.url}/api/auth/teams/${stage.teamId}${path(stage, people[role])}`, {
        headers,
        json: json?.(),
      });
    expect((await ask({})).status).toBe(401);
    const response = await ask(people[role].bearer);
    if (!response.ok) {
      const code = response.status === 404 ? 'team_not_found' : 'forbidden';
      expect(await errorOf(response)).toMatchObject({ code });
      expect(await snapshotOf(stage)).toEqual(before);
    }
    answers.push(response.status);
  }
  expect(answers).toEqual(statuses);
});

/** A new team of all but the outsider, with an open invitation. */
async function setUp(): Promise<Stage> {
  const { owner, partner, admin, member, extra } = people;
  const teamId = await createTeam(app.url, owner);
  await Promise.all([
    addMember(teamId, partner, 'owner'),
    addMember(teamId, admin, 'admin'),
    addMember(teamId, member, 'member'),
    addMember(teamId, extra, 'member'),
  ]);
  await setSeatLimit(teamId, 10);
  return { teamId, invitationId: (await inviteTo(app.url, owner, teamId, 'a@example.com')).id };
}

/** The documents that a refused request must not change. */
async function snapshotOf({ teamId, invitationId }: Stage): Promise<unknown> {
  const firestore = adminFirestore();
  const [team, invitation] = await firestore.getAll(
    firestore.doc(`teams/${teamId}`),
    firestore.doc(`invitations/${invitationId}`),
  );
  return [team?.data(), invitation?.data(), await membersOf(teamId), await auditLogOf(teamId)];
}
