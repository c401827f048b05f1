import { describe, expect, test } from 'vitest';
import { APP_URL } from './support/config.ts';
import { useInvitations } from './support/invitations.ts';
import { signUp, startSession } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { invitationStatus, membersOf } from './support/teams.ts';

const service = useInvitations();

const reply = (action: string, id: string, headers: Record<string, string> = {}) =>
  call('POST', `${service.url}/api/auth/invitations/${id}/${action}`, { headers });

describe('the recipient', () => {
  test('accepts, and the answer names the team', async () => {
    const { id, teamId, recipient } = await service.inviteUser();
    const response = await reply('accept', id, recipient.bearer);
    expect([response.status, await response.json()]).toEqual([200, { teamId }]);
    expect(await membersOf(teamId)).toContainEqual(expect.objectContaining({ uid: recipient.uid }));
    expect(await invitationStatus(id)).toBe('accepted');
  });

  test('rejects', async () => {
    const { id, teamId, recipient } = await service.inviteUser();
    expect((await reply('reject', id, recipient.bearer)).status).toBe(204);
    expect(await membersOf(teamId)).toHaveLength(1);
    expect(await invitationStatus(id)).toBe('rejected');
  });

  test('accepts once in several concurrent requests', async () => {
    const { id, teamId, recipient } = await service.inviteUser();
    const answers = await Promise.all(Array.from({ length: 8 }, () => reply('accept', id, recipient.bearer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test('either accepts or rejects in concurrent requests', async () => {
    const { id, teamId, recipient } = await service.inviteUser();
    const [accepted, rejected] = await Promise.all([
      reply('accept', id, recipient.bearer),
      reply('reject', id, recipient.bearer),
    ]);
    const status = await invitationStatus(id);
    expect([accepted.status, rejected.status]).toEqual(status === 'accepted' ? [200, 409] : [409, 204]);
    expect(await membersOf(teamId)).toHaveLength(status === 'accepted' ? 2 : 1);
  });
});

describe.each(['accept', 'reject'])('a request to %s is refused in JSON', (action) => {
  test('without authentication, and without a redirect', async () => {
    const { id } = await service.inviteUser();
    expect(await errorOf(await reply(action, id))).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('to another user', async () => {
    const { id } = await service.inviteUser();
    expect(await errorOf(await reply(action, id, service.owner.bearer))).toMatchObject({
      status: 403,
      code: 'not_recipient',
    });
  });

  test('to the recipient, if the address is not verified', async () => {
    const teamId = await service.newTeam();
    const guest = await signUp({ emailVerified: false });
    const { id } = await service.invite(teamId, guest.email);
    expect(await errorOf(await reply(action, id, guest.bearer))).toMatchObject({
      status: 403,
      code: 'email_unverified',
    });
  });

  test('to a page of another origin that sends the cookie', async () => {
    const { id, recipient } = await service.inviteUser();
    const session = await startSession(service.url, recipient);
    const refused = await reply(action, id, { ...session, Origin: 'https://evil.example' });
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'foreign_origin' });
    expect((await reply(action, id, { ...session, Origin: APP_URL })).ok).toBe(true);
  });

  test.each([
    ['x', 400, 'invalid_request'],
    ['0'.repeat(40), 404, 'invitation_not_found'],
  ])('for the id %s', async (id, status, code) => {
    expect(await errorOf(await reply(action, id, service.owner.bearer))).toMatchObject({ status, code });
  });
});
