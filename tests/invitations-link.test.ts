import { createHash } from 'node:crypto';
import { FieldValue } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminFirestore, signUp, startSession, type Person } from './support/people.ts';
import { call, visit } from './support/requests.ts';
import {
  addMember,
  auditLogOf,
  createTeam,
  expire,
  invitationStatus,
  inviteTo,
  mailedLinks,
  membersOf,
  setSeatLimit,
} from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ACTIONS = ['accept', 'reject'] as const;

type Action = (typeof ACTIONS)[number];

/** Somebody with the session cookie of a browser, and an invitation to them. */
async function invited() {
  const [recipient, teamId] = await Promise.all([signUp(), createTeam(app.url, owner)]);
  const { id } = await inviteTo(app.url, owner, teamId, recipient.email);
  return { recipient, teamId, id, cookie: await startSession(app.url, recipient) };
}

const follow = (action: Action, name: string, headers: Record<string, string>) =>
  visit(`${app.url}/api/team/${action}-invitation?invitationId=${name}`, headers);

const secretFor = async ({ email }: Person) => (await mailedLinks(email)).accept.split('.').at(-1) ?? '';

/** A click on a link of another site, as far as Node's fetch can express it. */
const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site' };

async function stateOf(teamId: string, id: string): Promise<unknown> {
  const invitation = await adminFirestore().doc(`invitations/${id}`).get();
  return [invitation.data(), await membersOf(teamId), await auditLogOf(teamId)];
}

describe.each(ACTIONS)('a link to %s an invitation, opened in a browser', (action) => {
  const LINKS: [what: string, nameOf: (id: string, recipient: Person) => string | Promise<string>][] = [
    ['without a secret', (id) => id],
    ['with a wrong secret', (id) => `${id}.${'0'.repeat(40)}`],
    ['with its own id as the secret', (id) => `${id}.${id}`],
    [
      'with the secret of another invitation',
      async (id) => {
        const other = await signUp();
        await inviteTo(app.url, owner, await createTeam(app.url, owner), other.email);
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

  test.each(LINKS)('%s changes nothing and leads to the dashboard', async (_what, nameOf) => {
    const { recipient, teamId, id, cookie } = await invited();
    const name = await nameOf(id, recipient);
    const before = await stateOf(teamId, id);
    for (const headers of [cookie, { ...cookie, ...CROSS_SITE }]) {
      const answer = await follow(action, name, headers);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard?invitation=${id}`]);
    }
    expect(await stateOf(teamId, id)).toEqual(before);
  });

  test('with the secret of the mail answers the invitation', async () => {
    const { recipient, id, cookie } = await invited();
    const links = await mailedLinks(recipient.email);
    const answer = await visit(links[action].replace(APP_URL, app.url), { ...cookie, ...CROSS_SITE });
    expect(answer.status).toBe(303);
    expect(await invitationStatus(id)).toBe(`${action}ed`);
  });

  test('from an older mail leads to the dashboard, and from the latest mail answers the invitation', async () => {
    const { recipient, teamId, id, cookie } = await invited();
    const old = await secretFor(recipient);
    await call('POST', `${app.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, {
      headers: owner.bearer,
    });
    const outdated = await follow(action, `${id}.${old}`, cookie);
    expect(outdated.headers.get('location')).toBe(`/dashboard?invitation=${id}`);
    expect(await invitationStatus(id)).toBe('pending');
    await follow(action, `${id}.${await secretFor(recipient)}`, cookie);
    expect(await invitationStatus(id)).toBe(`${action}ed`);
  });

  test('of an old invitation without a secret leads to the dashboard', async () => {
    const { recipient, id, cookie } = await invited();
    const secret = await secretFor(recipient);
    await adminFirestore().doc(`invitations/${id}`).update({ secretHash: FieldValue.delete() });
    const answer = await follow(action, `${id}.${secret}`, cookie);
    expect(answer.headers.get('location')).toBe(`/dashboard?invitation=${id}`);
    expect(await invitationStatus(id)).toBe('pending');
  });

  test('answers with the same errors without a secret as with it', async () => {
    const { recipient, id, cookie } = await invited();
    const secret = await secretFor(recipient);
    const statuses = async (headers: Record<string, string>) =>
      Promise.all([id, `${id}.${secret}`].map(async (name) => (await follow(action, name, headers)).status));
    expect(await statuses(await startSession(app.url, await signUp()))).toEqual([403, 403]);
    expect((await follow(action, 'f'.repeat(40), cookie)).status).toBe(404);
    await expire(id);
    expect(await statuses(cookie)).toEqual([410, 410]);
    await adminFirestore().doc(`invitations/${id}`).update({ status: 'rejected' });
    expect(await statuses(cookie)).toEqual([409, 409]);
    const answer = await follow(action, id, cookie);
    expect(await answer.text()).toMatch(/^<h3>This invitation has already been rejected\.<\/h3>\n<p>/);
  });

  test.each(['', 'wrong'])('needs no secret with an ID token, and accepts a "%s" one', async (kind) => {
    const { recipient, id, cookie } = await invited();
    const name = kind === '' ? id : `${id}.${'0'.repeat(40)}`;
    await follow(action, name, { ...cookie, ...recipient.bearer });
    expect(await invitationStatus(id)).toBe(`${action}ed`);
  });
});

describe('a link to accept without a secret', () => {
  test('answers a member that they have already joined', async () => {
    const { recipient, teamId, id, cookie } = await invited();
    await addMember(teamId, recipient, 'member');
    expect((await follow('accept', id, cookie)).status).toBe(409);
  });

  test('answers that no seat is left', async () => {
    const { teamId, id, cookie } = await invited();
    await setSeatLimit(teamId, 1);
    expect((await follow('accept', id, cookie)).status).toBe(403);
  });
});

test('the secret is in the mail alone: neither the API nor the invitation contains it', async () => {
  const { recipient, teamId, id } = await invited();
  const secret = await secretFor(recipient);
  const invitations = `${app.url}/api/auth/teams/${teamId}/invitations`;
  const json = { email: recipient.email, role: 'member' };
  const stored = (await adminFirestore().doc(`invitations/${id}`).get()).data();
  const texts = [
    await (await call('POST', invitations, { headers: owner.bearer, json })).text(),
    await (await call('GET', invitations, { headers: owner.bearer })).text(),
    await (await call('GET', `${app.url}/api/auth/invitations`, { headers: recipient.bearer })).text(),
    `${id} ${JSON.stringify(stored)}`,
    JSON.stringify(await auditLogOf(teamId)),
  ];
  for (const text of texts) {
    expect(text).toContain(id);
    expect(text).not.toContain(secret);
  }
  expect(stored?.['secretHash']).toBe(createHash('sha256').update(secret).digest('hex'));

  const resent = await call('POST', `${invitations}/${id}/resend`, { headers: owner.bearer });
  expect(await resent.text()).not.toContain(await secretFor(recipient));
  expect(await secretFor(recipient)).not.toBe(secret);
});

test('a link to share leads the recipient to the dashboard, where a click accepts', async () => {
  const { teamId, id, recipient, cookie } = await invited();
  const answer = await follow('accept', id, cookie);
  expect(answer.headers.get('location')).toBe(`/dashboard?invitation=${id}`);
  const click = await call('POST', `${app.url}/api/auth/invitations/${id}/accept`, {
    headers: { ...cookie, Origin: APP_URL },
  });
  expect(click.status).toBe(200);
  expect((await membersOf(teamId)).map(({ uid }) => uid)).toContain(recipient.uid);
});
