import { describe, expect, test } from 'vitest';
import { newAddress, useInvitations } from './support/invitations.ts';
import { adminFirestore } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { expire, mailedLinks, setRole } from './support/teams.ts';

const service = useInvitations();

/** Asks as a visitor who is not signed in. */
const describeLink = (query: string) => call('GET', `${service.url}/api/team/invitation${query}`);

/** A new invitation, and the query of its mailed links. */
async function mailed(role = 'member') {
  const teamId = await service.newTeam();
  const { id, email } = await service.invite(teamId, newAddress(), role);
  return { teamId, id, email, query: new URL((await mailedLinks(email)).accept).search };
}

test('the link of the mail shows the sender, the team and the role to a visitor without an account', async () => {
  const { owner } = service;
  const { teamId, email, query } = await mailed('admin');
  await adminFirestore().doc(`teams/${teamId}/members/${owner.uid}`).update({ displayName: 'Ada Ember' });
  const answer = await describeLink(query);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      teamName: 'Acme',
      email,
      role: 'admin',
      expiresAt: expect.any(String) as string,
      senderName: 'Ada Ember',
      senderEmail: owner.email,
    },
  ]);
});

describe('an invitation is not found', () => {
  const NO_SECRET = '0'.repeat(40);

  test.each<[description: string, nameOf: (id: string) => string]>([
    ['without the secret of the mail', (id) => id],
    ['with a wrong secret', (id) => `${id}.${NO_SECRET}`],
    ['with the id of no invitation', () => `${NO_SECRET}.${NO_SECRET}`],
  ])('%s', async (_description, nameOf) => {
    const { id } = await mailed();
    expect(await errorOf(await describeLink(`?invitationId=${nameOf(id)}`))).toMatchObject({
      status: 404,
      code: 'invitation_not_found',
    });
  });

  test.each(['', '?invitationId=', '?invitationId=short', '?other=1'])(
    'with the query "%s"',
    async (query) => {
      expect(await errorOf(await describeLink(query))).toMatchObject({
        status: 400,
        code: 'invalid_request',
      });
    },
  );
});

describe('an invitation that nobody can accept is not described', () => {
  test('after it has expired', async () => {
    const { id, query } = await mailed();
    await expire(id);
    expect(await errorOf(await describeLink(query))).toMatchObject({
      status: 410,
      code: 'invitation_expired',
    });
  });

  test.each([
    ['accepted', 409, 'already_accepted'],
    ['rejected', 409, 'already_rejected'],
    ['cancelled', 410, 'invitation_cancelled'],
  ])('after it is %s', async (status, httpStatus, code) => {
    const { id, query } = await mailed();
    await adminFirestore().doc(`invitations/${id}`).update({ status });
    expect(await errorOf(await describeLink(query))).toMatchObject({ status: httpStatus, code });
  });

  test('after its sender has lost the right to invite', async () => {
    const { teamId, query } = await mailed();
    await setRole(teamId, service.owner, 'member');
    expect(await errorOf(await describeLink(query))).toMatchObject({
      status: 410,
      code: 'invitation_cancelled',
    });
  });
});
