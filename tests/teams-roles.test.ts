import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, auditLogOf, castOf, inviteTo, membersOf, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Stage {
  teamId: string;
  /** A member whom nobody plays. */
  extra: Person;
  invitationId: string;
}

type Route = [
  method: string,
  path: (stage: Stage, actor: Person) => string,
  json?: (stage: Stage) => unknown,
];

const ROUTES: Record<string, Route> = {
  'read the team': ['GET', () => ''],
  'change the team': ['PATCH', () => '', () => ({ name: 'Renamed' })],
  'list members': ['GET', () => '/members'],
  'change a role': ['PATCH', ({ extra }) => `/members/${extra.uid}`, () => ({ role: 'admin' })],
  'remove a member': ['DELETE', ({ extra }) => `/members/${extra.uid}`],
  leave: ['DELETE', (_stage, actor) => `/members/${actor.uid}`],
  transfer: ['POST', () => '/transfer', ({ extra }) => ({ uid: extra.uid })],
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
  ['transfer', 204, 403, 403, 404],
  ['list invitations', 200, 200, 403, 404],
  ['invite', 201, 201, 403, 404],
  ['resend', 200, 200, 403, 404],
  ['cancel', 204, 204, 403, 404],
  ['read the audit log', 200, 200, 403, 404],
  ['delete the team', 204, 403, 403, 404],
])('to %s: owner %i, admin %i, member %i, outsider %i', async (what, ...statuses) => {
  const [method, path, json] = ROUTES[what] ?? ['GET', () => ''];
  const roles = ['owner', 'admin', 'member', 'outsider'] as const;
  const answers = await Promise.all(
    roles.map(async (role) => {
      const cast = await castOf(app.url);
      const { teamId } = cast;
      const [extra, partner] = await Promise.all([signUp(), signUp()]);
      await Promise.all([addMember(teamId, extra, 'member'), addMember(teamId, partner, 'owner')]);
      await setSeatLimit(teamId, 10);
      const stage = {
        teamId,
        extra,
        invitationId: (await inviteTo(app.url, cast.owner, teamId, 'a@example.com')).id,
      };
      const before = await snapshotOf(stage);
      const ask = (headers: Record<string, string>) =>
        call(method, `${app.url}/api/auth/teams/${teamId}${path(stage, cast[role])}`, {
          headers,
          json: json?.(stage),
        });
      expect((await ask({})).status).toBe(401);
      const response = await ask(cast[role].bearer);
      if (!response.ok) {
        const code = response.status === 404 ? 'team_not_found' : 'forbidden';
        expect(await errorOf(response)).toMatchObject({ code });
        expect(await snapshotOf(stage)).toEqual(before);
      }
      return response.status;
    }),
  );
  expect(answers).toEqual(statuses);
});

/** All that a refused request must leave as it is. */
async function snapshotOf({ teamId, invitationId }: Stage): Promise<unknown> {
  const firestore = adminFirestore();
  const [team, invitation] = await firestore.getAll(
    firestore.doc(`teams/${teamId}`),
    firestore.doc(`invitations/${invitationId}`),
  );
  return [team?.data(), invitation?.data(), await membersOf(teamId), await auditLogOf(teamId)];
}
