import { describe, expect, test } from 'vitest';
import { useInvitations } from './support/invitations.ts';
import { signUp, type Person } from './support/people.ts';
import { errorOf, visit } from './support/requests.ts';
import { expire } from './support/teams.ts';

const service = useInvitations();

const answer = (action: 'accept' | 'reject', id: string, person: Person) =>
  visit(`${service.url}/api/team/${action}-invitation?invitationId=${id}`, person.bearer);

interface Listed {
  invitations: { id: string; email: string; status: string }[];
  nextCursor: string | null;
}

describe('GET /api/auth/teams/{teamId}/invitations', () => {
  const list = async (teamId: string, query: string) =>
    (await (await service.ask('GET', service.owner, `teams/${teamId}/invitations${query}`)).json()) as Listed;

  test('lists the invitations of one status, the open ones by default', async () => {
    const teamId = await service.newTeam(100);
    const [accepter, rejecter] = await Promise.all([signUp(), signUp()]);
    const pending = await service.invite(teamId, 'pending@example.com');
    const expired = await service.invite(teamId, 'expired@example.com');
    const cancelled = await service.invite(teamId, 'cancelled@example.com');
    const accepted = await service.invite(teamId, accepter.email);
    const rejected = await service.invite(teamId, rejecter.email);
    await expire(expired.id);
    await service.ask('DELETE', service.owner, `teams/${teamId}/invitations/${cancelled.id}`);
    await answer('accept', accepted.id, accepter);
    await answer('reject', rejected.id, rejecter);

    for (const [status, { id, email }] of Object.entries({
      pending,
      expired,
      cancelled,
      accepted,
      rejected,
    })) {
      const { invitations } = await list(teamId, `?status=${status}`);
      expect(invitations).toEqual([expect.objectContaining({ id, email, status })]);
    }
    expect((await list(teamId, '')).invitations).toEqual([
      {
        id: pending.id,
        email: 'pending@example.com',
        role: 'member',
        status: 'pending',
        invitedBy: service.owner.uid,
        createdAt: expect.any(String) as string,
        expiresAt: pending.expiresAt,
        respondedAt: null,
      },
    ]);
  });

  test('returns each invitation once over several pages', async () => {
    const teamId = await service.newTeam(100);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.unshift((await service.invite(teamId, `p${index}@example.com`)).id);
    }
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { invitations, nextCursor } = await list(teamId, query);
      seen.push(...invitations.map(({ id }) => id));
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test('answers 400 to an unknown status', async () => {
    const teamId = await service.newTeam(100);
    expect((await service.ask('GET', service.owner, `teams/${teamId}/invitations?status=lost`)).status).toBe(
      400,
    );
  });
});

describe('GET /api/auth/invitations', () => {
  const own = async (person: Person, query = '') =>
    (await (await service.ask('GET', person, `invitations${query}`)).json()) as Listed;

  test("lists the caller's open invitations of all teams, and no others", async () => {
    const recipient = await signUp();
    const teams = await Promise.all(Array.from({ length: 4 }, () => service.newTeam()));
    const [first, , rejected, expired] = await Promise.all(
      teams.map((teamId) => service.invite(teamId, recipient.email, 'admin')),
    );
    await service.invite(teams[0] ?? '', 'somebody@example.com');
    await answer('reject', rejected?.id ?? '', recipient);
    await expire(expired?.id ?? '');

    const { invitations, nextCursor } = await own(recipient);
    expect(nextCursor).toBeNull();
    expect(invitations).toHaveLength(2);
    expect(invitations).toContainEqual({
      id: first?.id,
      teamId: teams[0],
      teamName: 'Acme',
      role: 'admin',
      expiresAt: first?.expiresAt,
      acceptUrl: first?.acceptUrl,
      rejectUrl: first?.rejectUrl,
    });
    const page = await own(recipient, '?limit=1');
    const next = await own(recipient, `?limit=1&cursor=${page.nextCursor ?? ''}`);
    expect([...page.invitations, ...next.invitations].map(({ id }) => id)).toEqual(
      invitations.map(({ id }) => id),
    );
  });

  test('answers 403 to a caller whose address is not verified', async () => {
    const impostor = await signUp({ emailVerified: false });
    await service.invite(await service.newTeam(), impostor.email);
    expect(await errorOf(await service.ask('GET', impostor, 'invitations'))).toMatchObject({
      status: 403,
      code: 'email_unverified',
    });
  });
});
