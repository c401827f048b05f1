import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';
import {
  createTeam,
  invitationStatus,
  inviteTo,
  mailedLinks,
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

const link = (action: 'accept' | 'reject', id: string, base = app.url) =>
  `${base}/api/team/${action}-invitation?invitationId=${id}`;

/** An invitation to a new team, and the person it is for. */
async function invited(role = 'member'): Promise<{ teamId: string; invitation: Invited; recipient: Person }> {
  const [recipient, teamId] = await Promise.all([signUp(), createTeam(app.url, owner)]);
  return { teamId, recipient, invitation: await inviteTo(app.url, owner, teamId, recipient.email, role) };
}

async function fragmentOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return response.text();
}

const fragment = (message: string) =>
  `<h3>${message}</h3>\n<p>Please try again later or contact support.</p>\n`;

describe('GET /api/team/accept-invitation', () => {
  test.each(['member', 'admin', 'owner'])(
    'makes the recipient a member as %s and welcomes them',
    async (role) => {
      const { teamId, invitation, recipient } = await invited(role);
      const { accept } = await mailedLinks(recipient.email);
      const cookie = await startSession(app.url, recipient);
      const response = await visit(accept.replace(APP_URL, app.url), cookie);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(`/dashboard?message=welcome&team=${teamId}`);
      expect(await membersOf(teamId)).toContainEqual(
        expect.objectContaining({ uid: recipient.uid, role, email: recipient.email }),
      );
      expect(await invitationStatus(invitation.id)).toBe('accepted');
    },
  );

  test('accepts an ID token, which needs no secret', async () => {
    const { invitation, recipient } = await invited();
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(303);
  });

  test('recognizes the recipient in any case of the address', async () => {
    const recipient = await signUp();
    const teamId = await createTeam(app.url, owner);
    const invitation = await inviteTo(app.url, owner, teamId, recipient.email.toUpperCase());
    expect(invitation.email).toBe(recipient.email);
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(303);
  });

  test('accepts additional parameters, which trackers add to links', async () => {
    const { invitation, recipient } = await invited();
    const response = await visit(`${link('accept', invitation.id)}&utm_source=mail`, recipient.bearer);
    expect(response.status).toBe(303);
  });
});

describe.each(['accept', 'reject'] as const)('GET /api/team/%s-invitation', (action) => {
  test('redirects a signed-out visitor to the sign-in page, with the way back', async () => {
    const { invitation } = await invited();
    const response = await visit(link(action, invitation.id));
    const here = `${APP_URL}/api/team/${action}-invitation?invitationId=${invitation.id}`;
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/auth/sign-in?callback=${encodeURIComponent(here)}`);
  });

  test('keeps the secret of a mailed link for after the sign-in', async () => {
    const { recipient } = await invited();
    const here = (await mailedLinks(recipient.email))[action];
    const response = await visit(here.replace(APP_URL, app.url));
    expect(locationOf(response).searchParams.get('callback')).toBe(here);
  });

  test('never takes the callback from the headers of the request', async () => {
    const response = await visit(link(action, 'a'.repeat(40)), {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'ftp',
      Forwarded: 'host=evil.example',
    });
    expect(locationOf(response).searchParams.get('callback')).toMatch(`${APP_URL}/`);
  });

  test.each([
    '?invitationId=',
    '',
    '?invitationId=short',
    '?invitationId=../../teams/x',
    '?invitationId[]=a',
  ])('answers 400 to the id in "%s"', async (query) => {
    const response = await visit(`${app.url}/api/team/${action}-invitation${query}`, owner.bearer);
    expect(response.status).toBe(400);
    expect(await fragmentOf(response)).toMatch(
      /^<h3>The invitation link is (incomplete|malformed)\.<\/h3>\n<p>/,
    );
  });

  test('answers 400 to two ids', async () => {
    const { invitation, recipient } = await invited();
    const response = await visit(
      `${link(action, invitation.id)}&invitationId=${'b'.repeat(40)}`,
      recipient.bearer,
    );
    expect(response.status).toBe(400);
  });

  test('answers 404 to an unknown id', async () => {
    const response = await visit(link(action, 'f'.repeat(40)), owner.bearer);
    expect(response.status).toBe(404);
    expect(await fragmentOf(response)).toBe(fragment('This invitation does not exist.'));
  });

  test('answers 403 to anyone but the recipient, in every state of the invitation', async () => {
    const { invitation, recipient } = await invited();
    const stranger = await signUp();
    const before = await visit(link(action, invitation.id), stranger.bearer);
    await visit(link('accept', invitation.id), recipient.bearer);
    const after = await visit(link(action, invitation.id), stranger.bearer);
    expect([before.status, after.status]).toEqual([403, 403]);
    expect(await fragmentOf(after)).toBe(fragment('This invitation is for another e-mail address.'));
  });

  test('answers 403 to an e-mail address that is not verified', async () => {
    const impostor = await signUp({ emailVerified: false });
    const teamId = await createTeam(app.url, owner);
    const invitation = await inviteTo(app.url, owner, teamId, impostor.email);
    const response = await visit(link(action, invitation.id), impostor.bearer);
    expect(response.status).toBe(403);
    expect(await fragmentOf(response)).toContain('Verify your e-mail address before you answer invitations.');
    expect(await invitationStatus(invitation.id)).toBe('pending');
  });

  test.each([
    ['accepted', 409],
    ['rejected', 409],
    ['cancelled', 410],
  ])('answers an invitation that is %s with %i', async (status, code) => {
    const { teamId, invitation, recipient } = await invited();
    await adminFirestore().doc(`invitations/${invitation.id}`).update({ status });
    const response = await visit(link(action, invitation.id), recipient.bearer);
    expect(response.status).toBe(code);
    expect(await membersOf(teamId)).toHaveLength(1);
    expect(await invitationStatus(invitation.id)).toBe(status);
  });

  test('answers 410 to an expired invitation, although its document still exists', async () => {
    const { teamId, invitation, recipient } = await invited();
    await using later = await serveApp({ backend: { now: () => new Date(invitation.expiresAt) } });
    const response = await visit(link(action, invitation.id, later.url), recipient.bearer);
    expect(response.status).toBe(410);
    expect(await membersOf(teamId)).toHaveLength(1);
    expect(await invitationStatus(invitation.id)).toBe('pending');
  });

  test.each([
    ['a prefetch', { 'Sec-Purpose': 'prefetch' }],
    ['a prerender', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['an old prefetch', { Purpose: 'prefetch' }],
    ['a picture', { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a frame', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }],
    ['a script of a page', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
  ])('does nothing for %s', async (_what, headers: Record<string, string>) => {
    const { teamId, invitation, recipient } = await invited();
    const response = await visit(link(action, invitation.id), { ...recipient.bearer, ...headers });
    expect(response.status).toBe(403);
    expect(await invitationStatus(invitation.id)).toBe('pending');
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test.each(['HEAD', 'POST', 'PUT', 'DELETE'])('does nothing for %s', async (method) => {
    const { invitation, recipient } = await invited();
    const response = await call(method, link(action, invitation.id), {
      headers: { ...recipient.bearer, Origin: APP_URL },
    });
    expect([404, 405]).toContain(response.status);
    expect(await invitationStatus(invitation.id)).toBe('pending');
  });

  test.each(['//api', '/api/', '/api//team', '/API'])(
    'does not exist under the path "%s"',
    async (prefix) => {
      const { invitation, recipient } = await invited();
      const path = prefix.includes('team') ? prefix : `${prefix}/team`;
      const response = await visit(
        `${app.url}${path}//${action}-invitation?invitationId=${invitation.id}`,
        recipient.bearer,
      );
      expect(response.status).toBe(404);
      expect(await invitationStatus(invitation.id)).toBe('pending');
    },
  );
});

describe('accepting', () => {
  test('answers 409 to a member and leaves their role alone', async () => {
    const { teamId, invitation, recipient } = await invited('admin');
    await adminFirestore().doc(`teams/${teamId}/members/${recipient.uid}`).set({
      uid: recipient.uid,
      role: 'member',
      email: recipient.email,
      displayName: null,
      joinedAt: new Date(),
    });
    const response = await visit(link('accept', invitation.id), recipient.bearer);
    expect(response.status).toBe(409);
    expect(await membersOf(teamId)).toContainEqual(
      expect.objectContaining({ uid: recipient.uid, role: 'member' }),
    );
  });

  test('answers 403 when every seat is taken', async () => {
    const { teamId, invitation, recipient } = await invited();
    await setSeatLimit(teamId, 1);
    const response = await visit(link('accept', invitation.id), recipient.bearer);
    expect(response.status).toBe(403);
    expect(await fragmentOf(response)).toBe(fragment('All seats of the team are taken or reserved.'));
  });

  test('answers 404 when the team was deleted', async () => {
    const { teamId, invitation, recipient } = await invited();
    await adminFirestore().recursiveDelete(adminFirestore().doc(`teams/${teamId}`));
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(404);
  });
});

describe('GET /api/team/reject-invitation', () => {
  test('closes the invitation and redirects to the dashboard', async () => {
    const { teamId, invitation, recipient } = await invited();
    const { reject } = await mailedLinks(recipient.email);
    const cookie = await startSession(app.url, recipient);
    const response = await visit(reject.replace(APP_URL, app.url), cookie);
    expect(response.status).toBe(303);
    expect(locationOf(response).pathname).toBe('/dashboard');
    expect(await invitationStatus(invitation.id)).toBe('rejected');
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test('is final: it cannot be accepted afterwards', async () => {
    const { invitation, recipient } = await invited();
    await visit(link('reject', invitation.id), recipient.bearer);
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(409);
  });
});

test('an unknown path is answered with JSON, without internal details', async () => {
  const response = await call('GET', `${app.url}/api/nothing`);
  expect(await errorOf(response)).toEqual({
    status: 404,
    error: 'There is nothing at this address.',
    code: 'not_found',
  });
});
