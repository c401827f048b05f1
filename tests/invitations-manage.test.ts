import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import {
  auditLogOf,
  castOf,
  createTeam,
  expire,
  invitationStatus,
  inviteTo,
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

const ask = (method: string, person: Person, path: string, json?: unknown, base = app.url) =>
  call(method, `${base}/api/auth/${path}`, { headers: person.bearer, json });

const resend = (person: Person, teamId: string, id: string, base = app.url) =>
  ask('POST', person, `teams/${teamId}/invitations/${id}/resend`, undefined, base);

const cancel = (person: Person, teamId: string, id: string) =>
  ask('DELETE', person, `teams/${teamId}/invitations/${id}`);

const answer = (action: 'accept' | 'reject', id: string, person: Person) =>
  visit(`${app.url}/api/team/${action}-invitation?invitationId=${id}`, person.bearer);

const codeOf = async (response: Response) => {
  const { status, code } = await errorOf(response);
  return [status, code];
};

async function roomyTeam(): Promise<string> {
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 100);
  return teamId;
}

interface Listed {
  invitations: { id: string; email: string; status: string }[];
  nextCursor: string | null;
}

describe('GET /api/auth/teams/{teamId}/invitations', () => {
  const list = async (teamId: string, query: string) =>
    (await (await ask('GET', owner, `teams/${teamId}/invitations${query}`)).json()) as Listed;

  test('lists by status, pending by default, with expired ones apart', async () => {
    const teamId = await roomyTeam();
    const [accepter, rejecter] = await Promise.all([signUp(), signUp()]);
    const pending = await inviteTo(app.url, owner, teamId, 'pending@example.com');
    const expired = await inviteTo(app.url, owner, teamId, 'expired@example.com');
    const cancelled = await inviteTo(app.url, owner, teamId, 'cancelled@example.com');
    const accepted = await inviteTo(app.url, owner, teamId, accepter.email);
    const rejected = await inviteTo(app.url, owner, teamId, rejecter.email);
    await expire(expired.id);
    await cancel(owner, teamId, cancelled.id);
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
        invitedBy: owner.uid,
        createdAt: expect.any(String) as string,
        expiresAt: pending.expiresAt,
        respondedAt: null,
      },
    ]);
  });

  test('has pages without gaps or repetitions', async () => {
    const teamId = await roomyTeam();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.unshift((await inviteTo(app.url, owner, teamId, `p${index}@example.com`)).id);
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
    const teamId = await roomyTeam();
    expect((await ask('GET', owner, `teams/${teamId}/invitations?status=lost`)).status).toBe(400);
  });
});

describe('POST /api/auth/teams/{teamId}/invitations with several addresses', () => {
  const bulk = (teamId: string, json: unknown, person = owner) =>
    ask('POST', person, `teams/${teamId}/invitations`, json);
  const resultsOf = async (response: Response) => {
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as {
      results: { email: string; status: number; code?: string; invitation?: Invited }[];
    };
    return results;
  };

  test('answers a result for each address, in order, as for each alone', async () => {
    const teamId = await roomyTeam();
    const open = await inviteTo(app.url, owner, teamId, 'open@example.com');
    const response = await bulk(teamId, {
      emails: ['New@Example.com', 'open@example.com', 'nobody', owner.email, 'new@example.com '],
      role: 'member',
    });
    const results = await resultsOf(response);
    expect(results.map(({ email, status, code }) => [email, status, code])).toEqual([
      ['new@example.com', 201, undefined],
      ['open@example.com', 200, undefined],
      ['nobody', 400, 'invalid_request'],
      [owner.email, 409, 'already_member'],
      ['new@example.com', 409, 'duplicate_email'],
    ]);
    expect(results[1]?.invitation).toEqual(open);
    expect(results[0]?.invitation?.acceptUrl).toMatch(`${APP_URL}/api/team/accept-invitation?invitationId=`);
  });

  test('accepts a role for each address, and refuses roles that the caller cannot give', async () => {
    const { teamId, admin } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    const invitations = ['owner', 'admin', 'member'].map((role) => ({ email: `${role}@example.com`, role }));
    const results = await resultsOf(await bulk(teamId, { invitations }, admin));
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      [403, 'forbidden'],
      [201, undefined],
      [201, undefined],
    ]);
  });

  test('gives the remaining seats to the first addresses, and none to refused ones', async () => {
    const teamId = await createTeam(app.url, owner);
    const emails = ['bad', owner.email, 'a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
    const results = await resultsOf(await bulk(teamId, { emails, role: 'member' }));
    expect(results.map(({ status }) => status)).toEqual([400, 409, 201, 201, 403, 403]);
    expect(results[5]).toMatchObject({ code: 'no_seat' });
  });

  test('promises no seat twice for concurrent requests', async () => {
    const teamId = await createTeam(app.url, owner);
    await setSeatLimit(teamId, 8);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, group) =>
        bulk(teamId, {
          emails: Array.from({ length: 3 }, (_, index) => `p${group}-${index}@example.com`),
          role: 'member',
        }).then(resultsOf),
      ),
    );
    expect(answers.flat().filter(({ status }) => status === 201)).toHaveLength(7);
  });

  test.each([
    ['no address', { emails: [], role: 'member' }],
    ['51 addresses', { emails: Array<string>(51).fill('a@example.com'), role: 'member' }],
    ['no role', { emails: ['a@example.com'] }],
    ['an unknown key', { emails: ['a@example.com'], role: 'member', seatLimit: 9 }],
    ['both forms', { emails: ['a@example.com'], role: 'member', invitations: [] }],
    [
      'an entry with an unknown key',
      { invitations: [{ email: 'a@example.com', role: 'member', status: 'x' }] },
    ],
    ['a list', ['a@example.com']],
  ])('answers 400 to %s', async (_what, json) => {
    const teamId = await createTeam(app.url, owner);
    expect(await codeOf(await bulk(teamId, json))).toEqual([400, 'invalid_request']);
  });

  test('answers 404 to a stranger, even if no address is valid', async () => {
    const teamId = await createTeam(app.url, owner);
    const response = await bulk(teamId, { emails: ['nobody'], role: 'member' }, await signUp());
    expect(await codeOf(response)).toEqual([404, 'team_not_found']);
  });
});

describe('POST /api/auth/teams/{teamId}/invitations/{id}/resend', () => {
  test('renews an expired invitation under the same id', async () => {
    const teamId = await createTeam(app.url, owner);
    const recipient = await signUp();
    const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
    await expire(id);
    expect((await answer('accept', id, recipient)).status).toBe(410);

    const response = await resend(owner, teamId, id);
    const renewed = (await response.json()) as Invited;
    expect(response.status).toBe(200);
    expect(renewed).toMatchObject({ id, email: recipient.email, role: 'member' });
    expect(Date.parse(renewed.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect((await answer('accept', id, recipient)).status).toBe(303);
  });

  test('needs a seat for an expired invitation, and none for an open one', async () => {
    const teamId = await createTeam(app.url, owner);
    await setSeatLimit(teamId, 2);
    const first = await inviteTo(app.url, owner, teamId, 'a@example.com');
    expect((await resend(owner, teamId, first.id)).status).toBe(200);
    await expire(first.id);
    const second = await inviteTo(app.url, owner, teamId, 'b@example.com');
    expect(await codeOf(await resend(owner, teamId, first.id))).toEqual([403, 'no_seat']);
    expect((await resend(owner, teamId, second.id)).status).toBe(200);
    await setSeatLimit(teamId, 1);
    expect(await codeOf(await resend(owner, teamId, second.id))).toEqual([403, 'no_seat']);
  });

  test('gives one seat to one of two expired invitations that are resent at once', async () => {
    const teamId = await createTeam(app.url, owner);
    const invitations = await Promise.all(
      ['a', 'b'].map((name) => inviteTo(app.url, owner, teamId, `${name}@example.com`)),
    );
    await Promise.all(invitations.map(({ id }) => expire(id)));
    await setSeatLimit(teamId, 2);
    const answers = await Promise.all(invitations.map(({ id }) => resend(owner, teamId, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});

describe('DELETE /api/auth/teams/{teamId}/invitations/{id}', () => {
  test('cancels the invitation, which frees its seat and ends its link', async () => {
    const teamId = await createTeam(app.url, owner);
    await setSeatLimit(teamId, 2);
    const recipient = await signUp();
    const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
    expect((await cancel(owner, teamId, id)).status).toBe(204);
    expect(await invitationStatus(id)).toBe('cancelled');
    expect((await answer('accept', id, recipient)).status).toBe(410);
    await inviteTo(app.url, owner, teamId, 'b@example.com');
  });
});

describe.each(['resend', 'cancel'] as const)('to %s', (action) => {
  const act = { resend, cancel }[action];

  test.each([
    ['accepted', 409, 'already_accepted'],
    ['rejected', 409, 'already_rejected'],
    ['cancelled', 410, 'invitation_cancelled'],
  ])('an invitation that is %s answers %i %s and changes nothing', async (status, code, name) => {
    const teamId = await createTeam(app.url, owner);
    const { id } = await inviteTo(app.url, owner, teamId, 'a@example.com');
    await adminFirestore().doc(`invitations/${id}`).update({ status });
    const before = await adminFirestore().doc(`invitations/${id}`).get();
    expect(await codeOf(await act(owner, teamId, id))).toEqual([code, name]);
    const after = await adminFirestore().doc(`invitations/${id}`).get();
    expect(after.updateTime).toEqual(before.updateTime);
  });

  test('an invitation for an owner is allowed to owners only', async () => {
    const { teamId, owner: founder, admin } = await castOf(app.url);
    await setSeatLimit(teamId, 10);
    const { id } = await inviteTo(app.url, founder, teamId, 'a@example.com', 'owner');
    expect(await codeOf(await act(admin, teamId, id))).toEqual([403, 'forbidden']);
    expect((await act(founder, teamId, id)).ok).toBe(true);
  });

  test('an invitation of another team, an unknown one and an invalid id', async () => {
    const [teamId, otherId] = await Promise.all([createTeam(app.url, owner), createTeam(app.url, owner)]);
    const { id } = await inviteTo(app.url, owner, otherId, 'a@example.com');
    expect(await codeOf(await act(owner, teamId, id))).toEqual([404, 'invitation_not_found']);
    expect(await codeOf(await act(owner, teamId, 'f'.repeat(40)))).toEqual([404, 'invitation_not_found']);
    expect(await codeOf(await act(owner, teamId, 'short'))).toEqual([400, 'invalid_request']);
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('at the same time as accepting: one of them finds the other done', async () => {
    const recipient = await signUp();
    const teamId = await createTeam(app.url, owner);
    const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
    const [accepted, acted] = await Promise.all([answer('accept', id, recipient), act(owner, teamId, id)]);
    const actions = (await auditLogOf(teamId)).map((entry) => entry.action);
    expect([
      [303, 409, 'invitation.accepted'],
      [303, 200, 'invitation.accepted'],
      [410, 204, 'invitation.cancelled'],
    ]).toContainEqual([accepted.status, acted.status, actions.at(-1)]);
  });
});

describe('GET /api/auth/invitations', () => {
  const own = async (person: Person, query = '') =>
    (await (await ask('GET', person, `invitations${query}`)).json()) as Listed;

  test("lists the caller's open invitations in all teams, and no others", async () => {
    const recipient = await signUp();
    const teams = await Promise.all(Array.from({ length: 4 }, () => createTeam(app.url, owner)));
    const [first, , rejected, expired] = await Promise.all(
      teams.map((teamId) => inviteTo(app.url, owner, teamId, recipient.email, 'admin')),
    );
    await inviteTo(app.url, owner, teams[0] ?? '', 'somebody@example.com');
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

  test('answers 403 to an unverified address, which anybody could have registered', async () => {
    const impostor = await signUp({ emailVerified: false });
    await inviteTo(app.url, owner, await createTeam(app.url, owner), impostor.email);
    expect(await codeOf(await ask('GET', impostor, 'invitations'))).toEqual([403, 'email_unverified']);
  });
});

test('an open invitation for an owner is replaced by owners only', async () => {
  const { teamId, owner: founder, admin } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const { id } = await inviteTo(app.url, founder, teamId, 'a@example.com', 'owner');
  const asMember = { email: 'a@example.com', role: 'member' };
  const invitations = `teams/${teamId}/invitations`;
  expect(await codeOf(await ask('POST', admin, invitations, asMember))).toEqual([403, 'forbidden']);
  expect(await invitationStatus(id)).toBe('pending');
  expect((await ask('POST', founder, invitations, asMember)).status).toBe(201);
  expect(await invitationStatus(id)).toBe('cancelled');
});

test('an expired invitation for an owner does not block an admin', async () => {
  const { teamId, owner: founder, admin } = await castOf(app.url);
  await setSeatLimit(teamId, 10);
  const { id } = await inviteTo(app.url, founder, teamId, 'a@example.com', 'owner');
  await expire(id);
  const asMember = { email: 'a@example.com', role: 'member' };
  expect((await ask('POST', admin, `teams/${teamId}/invitations`, asMember)).status).toBe(201);
});

test('an address has one pending invitation to a team, however often and in any roles it is invited', async () => {
  const teamId = await roomyTeam();
  const json = (index: number) => ({ email: 'a@example.com', role: index % 2 === 0 ? 'member' : 'admin' });
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => ask('POST', owner, `teams/${teamId}/invitations`, json(index))),
  );
  const invitations = await adminFirestore().collection('invitations').where('teamId', '==', teamId).get();
  const statuses = invitations.docs.map((document) => document.get('status') as string);
  expect(statuses.filter((status) => status === 'pending')).toHaveLength(1);
});
