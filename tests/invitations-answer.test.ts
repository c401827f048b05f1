import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { signUp, startSession, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { createTeam, invitationStatus, inviteTo, membersOf } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function invited(): Promise<{ teamId: string; id: string; recipient: Person }> {
  const [recipient, teamId] = await Promise.all([signUp(), createTeam(app.url, owner)]);
  const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
  return { teamId, recipient, id };
}

const answer = (action: string, id: string, headers: Record<string, string> = {}) =>
  call('POST', `${app.url}/api/auth/invitations/${id}/${action}`, { headers });

describe('a program of the recipient', () => {
  test('accepts, and receives the team', async () => {
    const { id, teamId, recipient } = await invited();
    const response = await answer('accept', id, recipient.bearer);
    expect([response.status, await response.json()]).toEqual([200, { teamId }]);
    expect(await membersOf(teamId)).toContainEqual(expect.objectContaining({ uid: recipient.uid }));
    expect(await invitationStatus(id)).toBe('accepted');
  });

  test('declines', async () => {
    const { id, teamId, recipient } = await invited();
    expect((await answer('reject', id, recipient.bearer)).status).toBe(204);
    expect(await membersOf(teamId)).toHaveLength(1);
    expect(await invitationStatus(id)).toBe('rejected');
  });

  test('accepts once for concurrent requests', async () => {
    const { id, teamId, recipient } = await invited();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => answer('accept', id, recipient.bearer)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test('has one result for accepting and declining at once', async () => {
    const { id, teamId, recipient } = await invited();
    const [accepted, rejected] = await Promise.all([
      answer('accept', id, recipient.bearer),
      answer('reject', id, recipient.bearer),
    ]);
    const status = await invitationStatus(id);
    expect([accepted.status, rejected.status]).toEqual(status === 'accepted' ? [200, 409] : [409, 204]);
    expect(await membersOf(teamId)).toHaveLength(status === 'accepted' ? 2 : 1);
  });
});

describe.each(['accept', 'reject'])('to %s is refused in JSON', (action) => {
  test('without a signed-in user, without a redirect', async () => {
    const { id } = await invited();
    expect(await errorOf(await answer(action, id))).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('to somebody else', async () => {
    const { id } = await invited();
    expect(await errorOf(await answer(action, id, owner.bearer))).toMatchObject({
      status: 403,
      code: 'not_recipient',
    });
  });

  test('while the address is not verified', async () => {
    const teamId = await createTeam(app.url, owner);
    const guest = await signUp({ emailVerified: false });
    const { id } = await inviteTo(app.url, owner, teamId, guest.email);
    expect(await errorOf(await answer(action, id, guest.bearer))).toMatchObject({
      status: 403,
      code: 'email_unverified',
    });
  });

  test('to a page of another origin, which has the cookie', async () => {
    const { id, recipient } = await invited();
    const session = await startSession(app.url, recipient);
    const refused = await answer(action, id, { ...session, Origin: 'https://evil.example' });
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'foreign_origin' });
    expect((await answer(action, id, { ...session, Origin: APP_URL })).ok).toBe(true);
  });

  test.each([
    ['x', 400, 'invalid_request'],
    ['0'.repeat(40), 404, 'invitation_not_found'],
  ])('for the id %s', async (id, status, code) => {
    expect(await errorOf(await answer(action, id, owner.bearer))).toMatchObject({ status, code });
  });
});
