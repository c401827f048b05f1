import { describe, expect, test } from 'vitest';
import { serveApp } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp, startSession } from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';
import { invitationStatus, mailedLinks, membersOf, setSeatLimit } from './support/teams.ts';

const service = useInvitations();

const link = (action: 'accept' | 'reject', id: string, base = service.url) =>
  `${base}/api/team/${action}-invitation?invitationId=${id}`;

async function fragmentOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return response.text();
}

const fragment = (message: string) =>
  `<h3>${message}</h3>\n<p>Please try again later or contact support.</p>\n`;

describe('GET /api/team/accept-invitation', () => {
  test.each(['member', 'admin', 'owner'])('makes the recipient a member with the role %s', async (role) => {
    const { teamId, invitation, recipient } = await service.inviteUser(role);
    const { accept } = await mailedLinks(recipient.email);
    const cookie = await startSession(service.url, recipient);
    const response = await visit(accept.replace(APP_URL, service.url), cookie);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/dashboard?message=welcome&team=${teamId}`);
    expect(await membersOf(teamId)).toContainEqual(
      expect.objectContaining({ uid: recipient.uid, role, email: recipient.email }),
    );
    expect(await invitationStatus(invitation.id)).toBe('accepted');
  });

  test('accepts without a secret if the request has an ID token', async () => {
    const { invitation, recipient } = await service.inviteUser();
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(303);
  });

  test('ignores the case of the address', async () => {
    const recipient = await signUp();
    const teamId = await service.newTeam();
    const invitation = await service.invite(teamId, recipient.email.toUpperCase());
    expect(invitation.email).toBe(recipient.email);
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(303);
  });

  test('ignores additional query parameters, such as those of trackers', async () => {
    const { invitation, recipient } = await service.inviteUser();
    const response = await visit(`${link('accept', invitation.id)}&utm_source=mail`, recipient.bearer);
    expect(response.status).toBe(303);
  });
});

describe.each(['accept', 'reject'] as const)('GET /api/team/%s-invitation', (action) => {
  test('redirects a signed-out visitor to the sign-in page, with the link as the callback', async () => {
    const { invitation } = await service.inviteUser();
    const response = await visit(link(action, invitation.id));
    const here = `${APP_URL}/api/team/${action}-invitation?invitationId=${invitation.id}`;
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/auth/sign-in?callback=${encodeURIComponent(here)}`);
  });

  test('passes the secret of a mailed link through the sign-in', async () => {
    const { recipient } = await service.inviteUser();
    const here = (await mailedLinks(recipient.email))[action];
    const response = await visit(here.replace(APP_URL, service.url));
    expect(locationOf(response).searchParams.get('callback')).toBe(here);
  });

  test('ignores headers of proxies in the callback', async () => {
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
    const response = await visit(
      `${service.url}/api/team/${action}-invitation${query}`,
      service.owner.bearer,
    );
    expect(response.status).toBe(400);
    expect(await fragmentOf(response)).toMatch(
      /^<h3>The invitation link is (incomplete|malformed)\.<\/h3>\n<p>/,
    );
  });

  test('answers 400 to two ids', async () => {
    const { invitation, recipient } = await service.inviteUser();
    const response = await visit(
      `${link(action, invitation.id)}&invitationId=${'b'.repeat(40)}`,
      recipient.bearer,
    );
    expect(response.status).toBe(400);
  });

  test('answers 404 to an unknown id', async () => {
    const response = await visit(link(action, 'f'.repeat(40)), service.owner.bearer);
    expect(response.status).toBe(404);
    expect(await fragmentOf(response)).toBe(fragment('This invitation does not exist.'));
  });

  test('answers 403 to every user except the recipient, before and after the reply', async () => {
    const { invitation, recipient } = await service.inviteUser();
    const stranger = await signUp();
    const before = await visit(link(action, invitation.id), stranger.bearer);
    await visit(link('accept', invitation.id), recipient.bearer);
    const after = await visit(link(action, invitation.id), stranger.bearer);
    expect([before.status, after.status]).toEqual([403, 403]);
    expect(await fragmentOf(after)).toBe(fragment('This invitation is for another e-mail address.'));
  });

  test('answers 403 to the recipient if the address is not verified', async () => {
    const impostor = await signUp({ emailVerified: false });
    const teamId = await service.newTeam();
    const invitation = await service.invite(teamId, impostor.email);
    const response = await visit(link(action, invitation.id), impostor.bearer);
    expect(response.status).toBe(403);
    expect(await fragmentOf(response)).toContain(
      'Verify your e-mail address before you reply to an invitation.',
    );
    expect(await invitationStatus(invitation.id)).toBe('pending');
  });

  test.each([
    ['accepted', 409],
    ['rejected', 409],
    ['cancelled', 410],
  ])('refuses an invitation that is %s with %i', async (status, code) => {
    const { teamId, invitation, recipient } = await service.inviteUser();
    await adminFirestore().doc(`invitations/${invitation.id}`).update({ status });
    const response = await visit(link(action, invitation.id), recipient.bearer);
    expect(response.status).toBe(code);
    expect(await membersOf(teamId)).toHaveLength(1);
    expect(await invitationStatus(invitation.id)).toBe(status);
  });

  test('answers 410 to an expired invitation', async () => {
    const { teamId, invitation, recipient } = await service.inviteUser();
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
    ['an image', { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a frame', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }],
    ['a script of a page', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
  ])('does nothing for %s', async (_request, headers: Record<string, string>) => {
    const { teamId, invitation, recipient } = await service.inviteUser();
    const response = await visit(link(action, invitation.id), { ...recipient.bearer, ...headers });
    expect(response.status).toBe(403);
    expect(await invitationStatus(invitation.id)).toBe('pending');
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test.each(['HEAD', 'POST', 'PUT', 'DELETE'])('does nothing for %s', async (method) => {
    const { invitation, recipient } = await service.inviteUser();
    const response = await call(method, link(action, invitation.id), {
      headers: { ...recipient.bearer, Origin: APP_URL },
    });
    expect([404, 405]).toContain(response.status);
    expect(await invitationStatus(invitation.id)).toBe('pending');
  });

  test.each(['//api', '/api/', '/api//team', '/API'])('answers 404 under the path "%s"', async (prefix) => {
    const { invitation, recipient } = await service.inviteUser();
    const path = prefix.includes('team') ? prefix : `${prefix}/team`;
    const response = await visit(
      `${service.url}${path}//${action}-invitation?invitationId=${invitation.id}`,
      recipient.bearer,
    );
    expect(response.status).toBe(404);
    expect(await invitationStatus(invitation.id)).toBe('pending');
  });
});

describe('accepting', () => {
  test('answers 409 to a member and does not change the role', async () => {
    const { teamId, invitation, recipient } = await service.inviteUser('admin');
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

  test('answers 403 without a free seat', async () => {
    const { teamId, invitation, recipient } = await service.inviteUser();
    await setSeatLimit(teamId, 1);
    const response = await visit(link('accept', invitation.id), recipient.bearer);
    expect(response.status).toBe(403);
    expect(await fragmentOf(response)).toBe(fragment('All seats of the team are taken or reserved.'));
  });

  test('answers 404 if the team was deleted', async () => {
    const { teamId, invitation, recipient } = await service.inviteUser();
    await adminFirestore().recursiveDelete(adminFirestore().doc(`teams/${teamId}`));
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(404);
  });
});

describe('GET /api/team/reject-invitation', () => {
  test('rejects the invitation and redirects to the dashboard', async () => {
    const { teamId, invitation, recipient } = await service.inviteUser();
    const { reject } = await mailedLinks(recipient.email);
    const cookie = await startSession(service.url, recipient);
    const response = await visit(reject.replace(APP_URL, service.url), cookie);
    expect(response.status).toBe(303);
    expect(locationOf(response).pathname).toBe('/dashboard');
    expect(await invitationStatus(invitation.id)).toBe('rejected');
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test('is final', async () => {
    const { invitation, recipient } = await service.inviteUser();
    await visit(link('reject', invitation.id), recipient.bearer);
    expect((await visit(link('accept', invitation.id), recipient.bearer)).status).toBe(409);
  });
});

test('an unknown URL of the API answers in JSON without internal details', async () => {
  const response = await call('GET', `${service.url}/api/nothing`);
  expect(await errorOf(response)).toEqual({
    status: 404,
    error: 'There is nothing at this URL.',
    code: 'not_found',
  });
});
