import { createHash } from 'node:crypto';
import { FieldValue } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import { APP_URL } from './support/config.ts';
import { useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import {
  addMember,
  auditLogOf,
  expire,
  invitationStatus,
  mailedLinks,
  membersOf,
  setSeatLimit,
} from './support/teams.ts';

const service = useInvitations();

const ACTIONS = ['accept', 'reject'] as const;

type Action = (typeof ACTIONS)[number];

/** An invitation, and the session cookie of its recipient. */
async function invited() {
  const invitation = await service.inviteUser();
  return { ...invitation, cookie: await startSession(service.url, invitation.recipient) };
}

const follow = (action: Action, name: string, headers: Record<string, string>) =>
  visit(`${service.url}/api/team/${action}-invitation?invitationId=${name}`, headers);

const secretFor = async ({ email }: Person) => (await mailedLinks(email)).accept.split('.').at(-1) ?? '';

/** The header of a request that another site causes. */
const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site' };

async function stateOf(teamId: string, id: string): Promise<unknown> {
  const invitation = await adminFirestore().doc(`invitations/${id}`).get();
  return [invitation.data(), await membersOf(teamId), await auditLogOf(teamId)];
}

describe.each(ACTIONS)('a link to %s an invitation, opened in a browser', (action) => {
  const LINKS: [description: string, nameOf: (id: string, recipient: Person) => string | Promise<string>][] =
    [
      ['without a secret', (id) => id],
      ['with a wrong secret', (id) => `${id}.${'0'.repeat(40)}`],
      ['with its own id as the secret', (id) => `${id}.${id}`],
      [
        'with the secret of another invitation',
        async (id) => {
          const other = await signUp();
          await service.invite(await service.newTeam(), other.email);
          return `${id}.${await secretFor(other)}`;
        },
      ],
      [
        'with the stored hash in place of the secret',
        async (id) => {
          const stored = await adminFirestore().doc(`invitations/${id}`).get();
          return `${id}.${(stored.get('secretHash') as string).slice(0, 40)}`;
        },
      ],
    ];

  test.each(LINKS)('%s changes nothing and leads to the dashboard', async (_description, nameOf) => {
    const { recipient, teamId, id, cookie } = await invited();
    const name = await nameOf(id, recipient);
    const before = await stateOf(teamId, id);
    for (const headers of [cookie, { ...cookie, ...CROSS_SITE }]) {
      const answer = await follow(action, name, headers);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard?invitation=${id}`]);
    }
    expect(await stateOf(teamId, id)).toEqual(before);
  });

  test('with the secret of the mail replies to the invitation', async () => {
    const { recipient, id, cookie } = await invited();
    const links = await mailedLinks(recipient.email);
    const answer = await visit(links[action].replace(APP_URL, service.url), { ...cookie, ...CROSS_SITE });
    expect(answer.status).toBe(303);
    expect(await invitationStatus(id)).toBe(`${action}ed`);
  });

  test('leads to the dashboard from an older mail, and replies to the invitation from the latest mail', async () => {
    const { recipient, teamId, id, cookie } = await invited();
    const old = await secretFor(recipient);
    await call('POST', `${service.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, {
      headers: service.owner.bearer,
    });
    const outdated = await follow(action, `${id}.${old}`, cookie);
    expect(outdated.headers.get('location')).toBe(`/dashboard?invitation=${id}`);
    expect(await invitationStatus(id)).toBe('pending');
    await follow(action, `${id}.${await secretFor(recipient)}`, cookie);
    expect(await invitationStatus(id)).toBe(`${action}ed`);
  });

  test('leads to the dashboard if the invitation has no stored secret', async () => {
    const { recipient, id, cookie } = await invited();
    const secret = await secretFor(recipient);
    await adminFirestore().doc(`invitations/${id}`).update({ secretHash: FieldValue.delete() });
    const answer = await follow(action, `${id}.${secret}`, cookie);
    expect(answer.headers.get('location')).toBe(`/dashboard?invitation=${id}`);
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('is refused for the same reasons with and without a secret', async () => {
    const { recipient, id, cookie } = await invited();
    const secret = await secretFor(recipient);
    const statuses = async (headers: Record<string, string>) =>
      Promise.all([id, `${id}.${secret}`].map(async (name) => (await follow(action, name, headers)).status));
    expect(await statuses(await startSession(service.url, await signUp()))).toEqual([403, 403]);
    expect((await follow(action, 'f'.repeat(40), cookie)).status).toBe(404);
    await expire(id);
    expect(await statuses(cookie)).toEqual([410, 410]);
    await adminFirestore().doc(`invitations/${id}`).update({ status: 'rejected' });
    expect(await statuses(cookie)).toEqual([409, 409]);
    const answer = await follow(action, id, cookie);
    expect(await answer.text()).toMatch(/<main>\n<h3>This invitation has already been rejected\.<\/h3>\n<p>/);
  });

  test.each(['no', 'a wrong'])('with %s secret replies to the invitation with an ID token', async (kind) => {
    const { recipient, id, cookie } = await invited();
    const name = kind === 'no' ? id : `${id}.${'0'.repeat(40)}`;
    await follow(action, name, { ...cookie, ...recipient.bearer });
    expect(await invitationStatus(id)).toBe(`${action}ed`);
  });
});

describe('a link to accept without a secret', () => {
  test('is refused for a member', async () => {
    const { recipient, teamId, id, cookie } = await invited();
    await addMember(teamId, recipient, 'member');
    expect((await follow('accept', id, cookie)).status).toBe(409);
  });

  test('is refused without a free seat', async () => {
    const { teamId, id, cookie } = await invited();
    await setSeatLimit(teamId, 1);
    expect((await follow('accept', id, cookie)).status).toBe(403);
  });
});

test('only the mail contains the secret, not the API or the invitation', async () => {
  const { recipient, teamId, id } = await invited();
  const secret = await secretFor(recipient);
  const invitations = `${service.url}/api/auth/teams/${teamId}/invitations`;
  const json = { email: recipient.email, role: 'member' };
  const stored = (await adminFirestore().doc(`invitations/${id}`).get()).data();
  const texts = [
    await (await call('POST', invitations, { headers: service.owner.bearer, json })).text(),
    await (await call('GET', invitations, { headers: service.owner.bearer })).text(),
    await (await call('GET', `${service.url}/api/auth/invitations`, { headers: recipient.bearer })).text(),
    `${id} ${JSON.stringify(stored)}`,
    JSON.stringify(await auditLogOf(teamId)),
  ];
  for (const text of texts) {
    expect(text).toContain(id);
    expect(text).not.toContain(secret);
  }
  expect(stored?.['secretHash']).toBe(createHash('sha256').update(secret).digest('hex'));

  const resent = await call('POST', `${invitations}/${id}/resend`, { headers: service.owner.bearer });
  expect(await resent.text()).not.toContain(await secretFor(recipient));
  expect(await secretFor(recipient)).not.toBe(secret);
});

test('a link without a secret leads to the dashboard, where the recipient accepts', async () => {
  const { teamId, id, recipient, cookie } = await invited();
  const answer = await follow('accept', id, cookie);
  expect(answer.headers.get('location')).toBe(`/dashboard?invitation=${id}`);
  const click = await call('POST', `${service.url}/api/auth/invitations/${id}/accept`, {
    headers: { ...cookie, Origin: APP_URL },
  });
  expect(click.status).toBe(200);
  expect((await membersOf(teamId)).map(({ uid }) => uid)).toContain(recipient.uid);
});
