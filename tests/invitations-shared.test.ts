import { describe, expect, test } from 'vitest';
import { useInvitations } from './support/invitations.ts';
import {
  adminFirestore,
  signInAnonymously,
  signUp,
  signUpByPhone,
  startSession,
  type Person,
} from './support/people.ts';
import { call, visit } from './support/requests.ts';
import { addMember, auditLogOf, expire, invitationStatus, membersOf, setRole } from './support/teams.ts';

const service = useInvitations();

interface SharedLink {
  teamId: string;
  id: string;
  /** The parameter of the link: the id and the secret. */
  link: string;
  acceptUrl: string;
}

const create = (person: Person, teamId: string, role = 'member') =>
  service.ask('POST', person, `teams/${teamId}/invitations/link`, { role });

const sharedLink = async (role?: string) => linkOf(service.owner, await service.newTeam(), role);

async function linkOf(sender: Person, teamId: string, role?: string): Promise<SharedLink> {
  const response = await create(sender, teamId, role);
  expect(response.status).toBe(201);
  const { id, acceptUrl } = (await response.json()) as { id: string; acceptUrl: string };
  const link = new URL(acceptUrl).searchParams.get('invitationId') ?? '';
  return { teamId, id, link, acceptUrl };
}

const answer = (person: Person, link: string, action = 'accept') =>
  service.ask('POST', person, `invitations/${link}/${action}`);

const codeOf = async (response: Response) =>
  [response.status, ((await response.json()) as { code: string }).code] as const;

const open = (link: string, headers: Record<string, string>) =>
  visit(`${service.url}/api/team/accept-invitation?invitationId=${link}`, headers);

describe('a shared link', () => {
  test('makes somebody who has only a phone number a member, and nobody after them', async () => {
    const { teamId, id, link } = await sharedLink('admin');
    const person = await signUpByPhone();
    const response = await answer(person, link);
    expect([response.status, await response.json()]).toEqual([200, { teamId }]);
    const member = await adminFirestore().doc(`teams/${teamId}/members/${person.uid}`).get();
    expect(member.data()).toMatchObject({ role: 'admin', email: null, displayName: null });
    expect(await invitationStatus(id)).toBe('accepted');
    expect((await auditLogOf(teamId)).at(-1)).toMatchObject({
      actorId: person.uid,
      action: 'invitation.accepted',
      details: { email: null, role: 'admin' },
    });
    expect(await codeOf(await answer(await signUpByPhone(), link))).toEqual([404, 'unknown_link']);
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test('cancels the mailed invitation of the person who joins, which would hold a second seat', async () => {
    const teamId = await service.newTeam(3);
    const person = await signUp();
    const mailed = await service.invite(teamId, person.email);
    const { id, link } = await linkOf(service.owner, teamId);
    expect((await answer(person, link)).status).toBe(200);
    expect(await invitationStatus(mailed.id)).toBe('cancelled');
    const details = { email: person.email, role: 'member', replacedBy: id };
    const cancelled = { actorId: person.uid, action: 'invitation.cancelled', target: mailed.id, details };
    expect(await auditLogOf(teamId)).toContainEqual(expect.objectContaining(cancelled));
    expect((await create(service.owner, teamId)).status).toBe(201);
  });

  test('that was used answers a browser with advice, and without a request that must fail', async () => {
    const { link } = await sharedLink();
    await answer(await signUpByPhone(), link);
    const page = await open(link, await startSession(service.url, await signUp()));
    const text = await page.text();
    expect(page.status).toBe(404);
    expect(text).toContain('This invitation link is not valid any more.');
    expect(text).toContain('Ask the person who invited you for a new invitation.');
    expect(text).not.toContain('ask-for-invitation');
  });

  test('lets one person join when several use it at the same time', async () => {
    const { teamId, link } = await sharedLink();
    const people = await Promise.all([signUpByPhone(), signUpByPhone(), signUp()]);
    const statuses = await Promise.all(people.map(async (person) => (await answer(person, link)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test('opened with a session cookie leads to the dashboard and changes nothing, because another site can open it', async () => {
    const { teamId, id, link } = await sharedLink();
    const response = await open(link, await startSession(service.url, await signUp()));
    expect([response.status, response.headers.get('Location')]).toEqual([
      303,
      `/dashboard?invitation=${link}`,
    ]);
    expect(await invitationStatus(id)).toBe('pending');
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test('opened with an ID token joins immediately', async () => {
    const { teamId, link } = await sharedLink();
    const response = await open(link, (await signUpByPhone()).bearer);
    expect(response.headers.get('Location')).toBe(`/dashboard?message=welcome&team=${teamId}`);
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test('does not exist for somebody without its secret', async () => {
    const { id } = await sharedLink();
    const person = await signUpByPhone();
    for (const link of [id, `${id}.${'0'.repeat(40)}`]) {
      expect(await codeOf(await answer(person, link))).toEqual([404, 'invitation_not_found']);
    }
  });

  test.each([
    ['an anonymous account', signInAnonymously],
    ['an account with an unverified address', () => signUp({ emailVerified: false })],
  ])('refuses %s', async (_name, signIn) => {
    const { link, id } = await sharedLink();
    expect((await answer(await signIn(), link)).status).toBe(403);
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('can be declined', async () => {
    const { link, id } = await sharedLink();
    expect((await answer(await signUpByPhone(), link, 'reject')).status).toBe(204);
    expect(await invitationStatus(id)).toBe('rejected');
  });

  test('describes the team to somebody without an account, until it expires', async () => {
    const { link, id } = await sharedLink();
    const describeLink = () => call('GET', `${service.url}/api/team/invitation?invitationId=${link}`);
    expect(await (await describeLink()).json()).toMatchObject({
      teamName: 'Acme',
      role: 'member',
      email: null,
    });
    await expire(id);
    expect(await codeOf(await describeLink())).toEqual([404, 'unknown_link']);
    expect(await codeOf(await answer(await signUpByPhone(), link))).toEqual([404, 'unknown_link']);
  });

  test('stops working if its sender can no longer invite, and the page offers no request that must fail', async () => {
    const [admin, teamId] = await Promise.all([signUpByPhone(), service.newTeam(10)]);
    await addMember(teamId, admin, 'admin');
    const { link } = await linkOf(admin, teamId);
    await setRole(teamId, admin, 'member');
    const person = await signUp();
    expect(await codeOf(await answer(person, link))).toEqual([404, 'unknown_link']);
    const description = await call('GET', `${service.url}/api/team/invitation?invitationId=${link}`);
    expect(await codeOf(description)).toEqual([404, 'unknown_link']);
    const page = await open(link, await startSession(service.url, person));
    expect(page.status).toBe(404);
    const text = await page.text();
    expect(text).toContain('Ask the person who invited you');
    expect(text).not.toContain('ask-for-invitation');
  });

  test('is listed without its secret, cannot be resent, and stops working when it is cancelled', async () => {
    const { teamId, id, link } = await sharedLink();
    const path = `teams/${teamId}/invitations`;
    const list = await (await service.ask('GET', service.owner, path)).text();
    expect(JSON.parse(list)).toMatchObject({ invitations: [{ id, email: null, status: 'pending' }] });
    const [, secret = ''] = link.split('.');
    expect(list).not.toContain(secret);
    const stored = await adminFirestore().doc(`invitations/${id}`).get();
    expect(JSON.stringify(stored.data())).not.toContain(secret);
    expect(await codeOf(await service.ask('POST', service.owner, `${path}/${id}/resend`))).toEqual([
      409,
      'invitation_is_link',
    ]);
    expect((await service.ask('DELETE', service.owner, `${path}/${id}`)).status).toBe(204);
    expect(await codeOf(await answer(await signUpByPhone(), link))).toEqual([404, 'unknown_link']);
  });
});

describe('making a link', () => {
  test('takes a seat', async () => {
    const teamId = await service.newTeam(2);
    expect((await create(service.owner, teamId)).status).toBe(201);
    expect(await codeOf(await create(service.owner, teamId))).toEqual([403, 'no_seat']);
  });

  test('is for owners and admins, also for those who have only a phone number', async () => {
    const teamId = await service.newTeam(10);
    const [admin, member] = await Promise.all([signUpByPhone(), signUpByPhone()]);
    await addMember(teamId, admin, 'admin');
    await addMember(teamId, member, 'member');
    expect((await create(admin, teamId)).status).toBe(201);
    expect(await codeOf(await create(member, teamId))).toEqual([403, 'forbidden']);
  });

  test('makes nobody an owner', async () => {
    expect(await codeOf(await create(service.owner, await service.newTeam(), 'owner'))).toEqual([
      400,
      'invalid_request',
    ]);
  });
});
