import { describe, expect, test } from 'vitest';
import { APP_URL } from './support/config.ts';
import { useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { errorOf } from './support/requests.ts';
import { castOf, expire, invitationStatus, inviteTo, setSeatLimit, type Invited } from './support/teams.ts';

const service = useInvitations();

const codeOf = async (response: Response) => {
  const { status, code } = await errorOf(response);
  return [status, code];
};

describe('POST /api/auth/teams/{teamId}/invitations with several addresses', () => {
  const bulk = (teamId: string, json: unknown, person = service.owner) =>
    service.ask('POST', person, `teams/${teamId}/invitations`, json);
  const resultsOf = async (response: Response) => {
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as {
      results: { email: string; status: number; code?: string; invitation?: Invited }[];
    };
    return results;
  };

  test('answers with a result for each address, in order, as if it were alone', async () => {
    const teamId = await service.newTeam(100);
    const open = await service.invite(teamId, 'open@example.com');
    const response = await bulk(teamId, {
      emails: ['New@Example.com', 'open@example.com', 'nobody', service.owner.email, 'new@example.com '],
      role: 'member',
    });
    const results = await resultsOf(response);
    expect(results.map(({ email, status, code }) => [email, status, code])).toEqual([
      ['new@example.com', 201, undefined],
      ['open@example.com', 200, undefined],
      ['nobody', 400, 'invalid_request'],
      [service.owner.email, 409, 'already_member'],
      ['new@example.com', 409, 'duplicate_email'],
    ]);
    expect(results[1]?.invitation).toEqual(open);
    expect(results[0]?.invitation?.acceptUrl).toMatch(`${APP_URL}/api/team/accept-invitation?invitationId=`);
  });

  test('accepts a role for each address, and refuses roles above that of the caller', async () => {
    const { teamId, admin } = await castOf(service.url);
    await setSeatLimit(teamId, 10);
    const invitations = ['owner', 'admin', 'member'].map((role) => ({ email: `${role}@example.com`, role }));
    const results = await resultsOf(await bulk(teamId, { invitations }, admin));
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      [403, 'forbidden'],
      [201, undefined],
      [201, undefined],
    ]);
  });

  test('reserves the free seats for the first addresses that are not refused', async () => {
    const teamId = await service.newTeam();
    const emails = [
      'bad',
      service.owner.email,
      'a@example.com',
      'b@example.com',
      'c@example.com',
      'd@example.com',
    ];
    const results = await resultsOf(await bulk(teamId, { emails, role: 'member' }));
    expect(results.map(({ status }) => status)).toEqual([400, 409, 201, 201, 403, 403]);
    expect(results[5]).toMatchObject({ code: 'no_seat' });
  });

  test('never reserves a seat twice in concurrent requests', async () => {
    const teamId = await service.newTeam();
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
    ['a list in place of an object', ['a@example.com']],
  ])('answers 400 to %s', async (_body, json) => {
    const teamId = await service.newTeam();
    expect(await codeOf(await bulk(teamId, json))).toEqual([400, 'invalid_request']);
  });

  test('answers 404 to a stranger, also if no text is an address', async () => {
    const teamId = await service.newTeam();
    const response = await bulk(teamId, { emails: ['nobody'], role: 'member' }, await signUp());
    expect(await codeOf(response)).toEqual([404, 'team_not_found']);
  });
});

test('only an owner replaces an open invitation for an owner', async () => {
  const { teamId, owner: founder, admin } = await castOf(service.url);
  await setSeatLimit(teamId, 10);
  const { id } = await inviteTo(service.url, founder, teamId, 'a@example.com', 'owner');
  const asMember = { email: 'a@example.com', role: 'member' };
  const invitations = `teams/${teamId}/invitations`;
  expect(await codeOf(await service.ask('POST', admin, invitations, asMember))).toEqual([403, 'forbidden']);
  expect(await invitationStatus(id)).toBe('pending');
  expect((await service.ask('POST', founder, invitations, asMember)).status).toBe(201);
  expect(await invitationStatus(id)).toBe('cancelled');
});

test('an admin replaces an expired invitation for an owner', async () => {
  const { teamId, owner: founder, admin } = await castOf(service.url);
  await setSeatLimit(teamId, 10);
  const { id } = await inviteTo(service.url, founder, teamId, 'a@example.com', 'owner');
  await expire(id);
  const asMember = { email: 'a@example.com', role: 'member' };
  expect((await service.ask('POST', admin, `teams/${teamId}/invitations`, asMember)).status).toBe(201);
});

test('an address has one pending invitation to a team after concurrent requests with different roles', async () => {
  const teamId = await service.newTeam(100);
  const json = (index: number) => ({ email: 'a@example.com', role: index % 2 === 0 ? 'member' : 'admin' });
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      service.ask('POST', service.owner, `teams/${teamId}/invitations`, json(index)),
    ),
  );
  const invitations = await adminFirestore().collection('invitations').where('teamId', '==', teamId).get();
  const statuses = invitations.docs.map((document) => document.get('status') as string);
  expect(statuses.filter((status) => status === 'pending')).toHaveLength(1);
});
