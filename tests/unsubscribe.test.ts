import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { createTeam, inviteTo, mailTo, setSeatLimit } from './support/teams.ts';

let app: AppUnderTest;
let owner: Person;
beforeAll(async () => {
  app = await serveApp();
  owner = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const address = () => `${crypto.randomUUID()}@example.com`;

async function invite(email: string): Promise<{ teamId: string; id: string }> {
  const teamId = await createTeam(app.url, owner);
  await setSeatLimit(teamId, 100);
  return { teamId, id: (await inviteTo(app.url, owner, teamId, email)).id };
}

/** The link in the latest mail to an address, at the app under test. */
async function linkTo(email: string): Promise<string> {
  const text = (await mailTo(email)).at(-1)?.text ?? '';
  const [link = ''] = /^http\S+\/api\/mail\/unsubscribe\?token=[0-9a-f]{48}$/m.exec(text) ?? [];
  return link.replace(APP_URL, app.url);
}

/** Posts as the button of a mail program does: without cookies, from its vendor's server. */
const pressOneClick = (link: string) =>
  fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
  });

/** Invites to a new team. @returns whether a mail was written */
async function isMailed(email: string): Promise<boolean> {
  const before = await mailTo(email);
  await invite(email);
  return (await mailTo(email)).length > before.length;
}

describe('the link that stops invitation mail', () => {
  test('is in both bodies and in the headers, one for each mailbox', async () => {
    const [email, other] = [address(), address()];
    await Promise.all([invite(email), invite(other)]);
    await invite(email);
    const { docs } = await adminFirestore().collection('mail').where('to', '==', [email]).get();
    const [first, second] = docs.map((found) => found.data());
    const link = (await linkTo(email)).replace(app.url, APP_URL);
    expect(first?.['headers']).toEqual({
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(second?.['headers']).toEqual(first?.['headers']);
    expect(first?.['message']).toMatchObject({ html: expect.stringContaining(`href="${link}"`) as string });
    expect((await linkTo(other)).replace(app.url, APP_URL)).not.toBe(link);
  });

  test('shows a page with a button, and changes nothing, however it is opened', async () => {
    const email = address();
    await invite(email);
    const link = await linkTo(email);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(link, { method });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      const page = await response.text();
      if (method === 'GET') expect(page).toContain('<button>Stop invitation mail</button>');
      expect(page).not.toContain(email);
    }
    expect(await isMailed(email)).toBe(true);
  });

  test('stops it with the button of a mail program, for this mailbox in all spellings and for no other', async () => {
    const [email, other] = [address(), address()];
    await Promise.all([invite(email), invite(other)]);
    const link = await linkTo(email);
    const response = await pressOneClick(link);
    expect([response.status, await response.text()]).toMatchObject([
      200,
      expect.stringContaining('is stopped'),
    ]);
    expect((await pressOneClick(link)).status).toBe(200);
    expect(await isMailed(email)).toBe(false);
    expect(await isMailed(email.replace('@', '+work@'))).toBe(false);
    expect(await isMailed(other)).toBe(true);
  });

  test('stops and resumes it with the buttons of its pages', async () => {
    const email = address();
    await invite(email);
    const link = await linkTo(email);
    const press = async (page: Response) => {
      const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(await page.text()) ?? [];
      return fetch(app.url + action, { method: 'POST', headers: { Accept: 'text/html' } });
    };
    const stopped = await press(await visit(link));
    expect(await isMailed(email)).toBe(false);
    const resumed = await press(stopped);
    expect(await isMailed(email)).toBe(true);
    await press(resumed);
    expect(await isMailed(email)).toBe(false);
    await press(await visit(link));
    expect(await isMailed(email)).toBe(true);
  });
});

describe('an address that wants no invitation mail', () => {
  async function stage() {
    const recipient = await signUp();
    await invite(recipient.email);
    await pressOneClick(await linkTo(recipient.email));
    const { teamId, id } = await invite(recipient.email);
    return { recipient, teamId, id, path: `${app.url}/api/auth/teams/${teamId}/invitations` };
  }

  test('is still invited, and the person sees and accepts the invitation when signed in', async () => {
    const { recipient, id, teamId } = await stage();
    const own = await call('GET', `${app.url}/api/auth/invitations`, { headers: recipient.bearer });
    expect(await own.json()).toMatchObject({
      invitations: expect.arrayContaining([expect.objectContaining({ id })]) as [],
    });
    const accept = `${app.url}/api/auth/invitations/${id}/accept`;
    const accepted = await call('POST', accept, { headers: recipient.bearer });
    expect(await accepted.json()).toEqual({ teamId });
  });

  test('looks like any other address to the inviter', async () => {
    const { path, id } = await stage();
    const other = address();
    const fresh = (await (
      await call('POST', path, { headers: owner.bearer, json: { email: other, role: 'member' } })
    ).json()) as { id: string };
    const resent = await Promise.all(
      [id, fresh.id].map((invitation) =>
        call('POST', `${path}/${invitation}/resend`, { headers: owner.bearer }),
      ),
    );
    const bodies = (await Promise.all(resent.map((response) => response.json()))) as object[];
    expect(resent.map(({ status }) => status)).toEqual([200, 200]);
    expect(Object.keys(bodies[0] ?? {})).toEqual(Object.keys(bodies[1] ?? {}));
    const listed = (await (await call('GET', path, { headers: owner.bearer })).json()) as {
      invitations: object[];
    };
    expect(listed.invitations.map((invitation) => Object.keys(invitation).join())).toEqual(
      Array(2).fill(expect.any(String)),
    );
  });

  test('is paused and counted like any other', async () => {
    const recipient = address();
    await invite(recipient);
    await pressOneClick(await linkTo(recipient));
    await using strict = await serveApp({
      config: { invitationPauseMinutes: 60, invitationsPerRecipientPerDay: 3 },
    });
    const { teamId, id } = await invite(recipient);
    const resend = await call('POST', `${strict.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, {
      headers: owner.bearer,
    });
    expect(await errorOf(resend)).toMatchObject({ status: 429, code: 'resend_too_soon' });
    await invite(recipient);
    const last = await call(
      'POST',
      `${strict.url}/api/auth/teams/${await createTeam(app.url, owner)}/invitations`,
      {
        headers: owner.bearer,
        json: { email: recipient, role: 'member' },
      },
    );
    expect(await errorOf(last)).toMatchObject({ status: 429, code: 'recipient_limit' });
  });

  test('keeps its choice for good, and the links of others end 90 days after their last mail', async () => {
    const recipient = address();
    await invite(recipient);
    const token = new URL(await linkTo(recipient)).searchParams.get('token');
    const stored = async () => {
      const { docs } = await adminFirestore().collection('mailRecipients').where('token', '==', token).get();
      return docs[0]?.get('deleteAt') as { toMillis: () => number } | null;
    };
    const days = async () => Math.round((((await stored())?.toMillis() ?? 0) - Date.now()) / 86_400_000);
    expect(await days()).toBe(90);
    await pressOneClick(await linkTo(recipient));
    expect(await stored()).toBeNull();
    await invite(recipient);
    expect(await stored()).toBeNull();
    await call('POST', (await linkTo(recipient)).replace('unsubscribe', 'subscribe'));
    expect(await days()).toBe(90);
  });
});

describe('a link with an invalid token', () => {
  test.each(['unsubscribe', 'subscribe'])('changes nothing at %s', async (action) => {
    const url = `${app.url}/api/mail/${action}`;
    const ask = (query: string) => call('POST', url + query).then(errorOf);
    expect(await ask(`?token=${'0'.repeat(48)}`)).toMatchObject({ status: 404, code: 'unknown_link' });
    for (const query of [
      '',
      '?token=',
      '?token=abc',
      `?token=${'0'.repeat(49)}`,
      `?token=${'A'.repeat(48)}`,
    ]) {
      expect(await ask(query)).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });

  test('is answered with a page in a browser', async () => {
    const response = await visit(`${app.url}/api/mail/unsubscribe?token=${'0'.repeat(48)}`);
    expect([response.status, await response.text()]).toMatchObject([
      404,
      expect.stringContaining('not valid any more'),
    ]);
  });

  test('is limited by IP address', async () => {
    const from = (client: string) =>
      fetch(`${app.url}/api/mail/unsubscribe?token=none`, { headers: { 'X-Forwarded-For': client } });
    const answers = await Promise.all(Array.from({ length: 301 }, () => from('198.51.100.7')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await from('198.51.100.8')).status).toBe(400);
  });
});
