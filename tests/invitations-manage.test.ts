import { describe, expect, test } from 'vitest';
import { useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { errorOf, visit } from './support/requests.ts';
import {
  addMember,
  auditLogOf,
  castOf,
  expire,
  invitationStatus,
  inviteTo,
  setSeatLimit,
  type Invited,
} from './support/teams.ts';

const service = useInvitations();

const resend = (person: Person, teamId: string, id: string) =>
  service.ask('POST', person, `teams/${teamId}/invitations/${id}/resend`);

const cancel = (person: Person, teamId: string, id: string) =>
  service.ask('DELETE', person, `teams/${teamId}/invitations/${id}`);

const answer = (action: 'accept' | 'reject', id: string, person: Person) =>
  visit(`${service.url}/api/team/${action}-invitation?invitationId=${id}`, person.bearer);

const codeOf = async (response: Response) => {
  const { status, code } = await errorOf(response);
  return [status, code];
};

describe('POST /api/auth/teams/{teamId}/invitations/{id}/resend', () => {
  test('renews an expired invitation under the same id', async () => {
    const teamId = await service.newTeam();
    const recipient = await signUp();
    const { id } = await service.invite(teamId, recipient.email);
    await expire(id);
    expect((await answer('accept', id, recipient)).status).toBe(410);

    const response = await resend(service.owner, teamId, id);
    const renewed = (await response.json()) as Invited;
    expect(response.status).toBe(200);
    expect(renewed).toMatchObject({ id, email: recipient.email, role: 'member' });
    expect(Date.parse(renewed.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect((await answer('accept', id, recipient)).status).toBe(303);
  });

  test('needs a free seat for an expired invitation, and none for an open one', async () => {
    const teamId = await service.newTeam();
    await setSeatLimit(teamId, 2);
    const first = await service.invite(teamId, 'a@example.com');
    expect((await resend(service.owner, teamId, first.id)).status).toBe(200);
    await expire(first.id);
    const second = await service.invite(teamId, 'b@example.com');
    expect(await codeOf(await resend(service.owner, teamId, first.id))).toEqual([403, 'no_seat']);
    expect((await resend(service.owner, teamId, second.id)).status).toBe(200);
    await setSeatLimit(teamId, 1);
    expect(await codeOf(await resend(service.owner, teamId, second.id))).toEqual([403, 'no_seat']);
  });

  test('renews one of two expired invitations for one seat in concurrent requests', async () => {
    const teamId = await service.newTeam();
    const invitations = await Promise.all(
      ['a', 'b'].map((name) => service.invite(teamId, `${name}@example.com`)),
    );
    await Promise.all(invitations.map(({ id }) => expire(id)));
    await setSeatLimit(teamId, 2);
    const answers = await Promise.all(invitations.map(({ id }) => resend(service.owner, teamId, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});

describe('DELETE /api/auth/teams/{teamId}/invitations/{id}', () => {
  test('cancels the invitation, frees its seat and ends its link', async () => {
    const teamId = await service.newTeam();
    await setSeatLimit(teamId, 2);
    const recipient = await signUp();
    const { id } = await service.invite(teamId, recipient.email);
    expect((await cancel(service.owner, teamId, id)).status).toBe(204);
    expect(await invitationStatus(id)).toBe('cancelled');
    expect((await answer('accept', id, recipient)).status).toBe(410);
    await service.invite(teamId, 'b@example.com');
  });
});

test('an invitation is not resent to an address that a member has got since', async () => {
  const teamId = await service.newTeam(10);
  const member = await signUp();
  const { id } = await service.invite(teamId, member.email);
  await addMember(teamId, member, 'member');
  expect(await codeOf(await resend(service.owner, teamId, id))).toEqual([409, 'already_member']);
});

describe.each(['resend', 'cancel'] as const)('a request to %s an invitation', (action) => {
  const act = { resend, cancel }[action];

  test.each([
    ['accepted', 409, 'already_accepted'],
    ['rejected', 409, 'already_rejected'],
    ['cancelled', 410, 'invitation_cancelled'],
  ])('that is %s answers %i %s and changes nothing', async (status, code, name) => {
    const teamId = await service.newTeam();
    const { id } = await service.invite(teamId, 'a@example.com');
    await adminFirestore().doc(`invitations/${id}`).update({ status });
    const before = await adminFirestore().doc(`invitations/${id}`).get();
    expect(await codeOf(await act(service.owner, teamId, id))).toEqual([code, name]);
    const after = await adminFirestore().doc(`invitations/${id}`).get();
    expect(after.updateTime).toEqual(before.updateTime);
  });

  test('for an owner is refused to an admin', async () => {
    const { teamId, owner: founder, admin } = await castOf(service.url);
    await setSeatLimit(teamId, 10);
    const { id } = await inviteTo(service.url, founder, teamId, 'a@example.com', 'owner');
    expect(await codeOf(await act(admin, teamId, id))).toEqual([403, 'forbidden']);
    expect((await act(founder, teamId, id)).ok).toBe(true);
  });

  test('is refused for an invitation of another team, for an unknown id and for an invalid id', async () => {
    const [teamId, otherId] = await Promise.all([service.newTeam(), service.newTeam()]);
    const { id } = await service.invite(otherId, 'a@example.com');
    expect(await codeOf(await act(service.owner, teamId, id))).toEqual([404, 'invitation_not_found']);
    expect(await codeOf(await act(service.owner, teamId, 'f'.repeat(40)))).toEqual([
      404,
      'invitation_not_found',
    ]);
    expect(await codeOf(await act(service.owner, teamId, 'short'))).toEqual([400, 'invalid_request']);
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('and a concurrent accept have one order', async () => {
    const recipient = await signUp();
    const teamId = await service.newTeam();
    const { id } = await service.invite(teamId, recipient.email);
    const [accepted, acted] = await Promise.all([
      answer('accept', id, recipient),
      act(service.owner, teamId, id),
    ]);
    const actions = (await auditLogOf(teamId)).map((entry) => entry.action);
    expect([
      [303, 409, 'invitation.accepted'],
      [303, 200, 'invitation.accepted'],
      [410, 204, 'invitation.cancelled'],
    ]).toContainEqual([accepted.status, acted.status, actions.at(-1)]);
  });
});
