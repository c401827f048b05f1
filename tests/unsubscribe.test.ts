import { describe, expect, test } from 'vitest';
import { serveApp } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { newAddress, useInvitations } from './support/invitations.ts';
import { adminFirestore, signUp } from './support/people.ts';
import { call, errorOf, visit } from './support/requests.ts';
import { mailTo } from './support/teams.ts';

const service = useInvitations();

async function invite(email: string): Promise<{ teamId: string; id: string }> {
  const teamId = await service.newTeam(100);
  return { teamId, id: (await service.invite(teamId, email)).id };
}

/** The link in the latest mail to an address, at the app under test. */
async function linkTo(email: string): Promise<string> {
  const text = (await mailTo(email)).at(-1)?.text ?? '';
  const [link = ''] = /^http\S+\/api\/mail\/unsubscribe\?token=[0-9a-f]{48}$/m.exec(text) ?? [];
  return link.replace(APP_URL, service.url);
}

/** Sends the request of a mail program's button: without cookies, from a server of its vendor. */
const pressOneClick = (link: string) =>
  fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
  });

/** Invites to a new team. @returns true if a mail was written */
async function isMailed(email: string): Promise<boolean> {
  const before = await mailTo(email);
  await invite(email);
  return (await mailTo(email)).length > before.length;
}

describe('the link that stops invitation mail', () => {
  test('is in both bodies and in the headers, and differs for each mailbox', async () => {
    const [email, other] = [newAddress(), newAddress()];
    await Promise.all([invite(email), invite(other)]);
    await invite(email);
    const { docs } = await adminFirestore().collection('mail').where('to', '==', [email]).get();
    const [first, second] = docs.map((found) => found.data());
    const link = (await linkTo(email)).replace(service.url, APP_URL);
    expect(first?.['headers']).toEqual({
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(second?.['headers']).toEqual(first?.['headers']);
    expect(first?.['message']).toMatchObject({ html: expect.stringContaining(`href="${link}"`) as string });
    expect((await linkTo(other)).replace(service.url, APP_URL)).not.toBe(link);
  });

  test('shows a page with a button and changes nothing', async () => {
    const email = newAddress();
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
      if (method === 'GET') expect(page).toContain('>Stop invitation mail</button>');
      expect(page).not.toContain(email);
    }
    expect(await isMailed(email)).toBe(true);
  });

  test('shows the page in the language of the browser', async () => {
    const email = newAddress();
    await invite(email);
    const response = await fetch(await linkTo(email), { headers: { 'Accept-Language': 'de-DE,en;q=0.5' } });
    expect(await response.text()).toContain('>Keine Einladungen mehr senden</button>');
  });

  test('stops it with the button of a mail program, for all spellings of this mailbox and no other', async () => {
    const [email, other] = [newAddress(), newAddress()];
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
    const email = newAddress();
    await invite(email);
    const link = await linkTo(email);
    const press = async (page: Response) => {
      const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(await page.text()) ?? [];
      return fetch(service.url + action, { method: 'POST', headers: { Accept: 'text/html' } });
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

describe('an address that opted out', () => {
  async function stage() {
    const recipient = await signUp();
    await invite(recipient.email);
    await pressOneClick(await linkTo(recipient.email));
    const { teamId, id } = await invite(recipient.email);
    return { recipient, teamId, id, path: `${service.url}/api/auth/teams/${teamId}/invitations` };
  }

  test('is still invited, and its signed-in owner lists and accepts the invitation', async () => {
    const { recipient, id, teamId } = await stage();
    const own = await call('GET', `${service.url}/api/auth/invitations`, { headers: recipient.bearer });
    expect(await own.json()).toMatchObject({
      invitations: expect.arrayContaining([expect.objectContaining({ id })]) as [],
    });
    const accept = `${service.url}/api/auth/invitations/${id}/accept`;
    const accepted = await call('POST', accept, { headers: recipient.bearer });
    expect(await accepted.json()).toEqual({ teamId });
  });

  test('gets the same answers for the sender as another address', async () => {
    const { path, id } = await stage();
    const other = newAddress();
    const fresh = (await (
      await call('POST', path, { headers: service.owner.bearer, json: { email: other, role: 'member' } })
    ).json()) as { id: string };
    const resent = await Promise.all(
      [id, fresh.id].map((invitation) =>
        call('POST', `${path}/${invitation}/resend`, { headers: service.owner.bearer }),
      ),
    );
    const bodies = (await Promise.all(resent.map((response) => response.json()))) as object[];
    expect(resent.map(({ status }) => status)).toEqual([200, 200]);
    expect(Object.keys(bodies[0] ?? {})).toEqual(Object.keys(bodies[1] ?? {}));
    const listed = (await (await call('GET', path, { headers: service.owner.bearer })).json()) as {
      invitations: object[];
    };
    expect(listed.invitations.map((invitation) => Object.keys(invitation).join())).toEqual(
      Array(2).fill(expect.any(String)),
    );
  });

  test('has the same pause and limit as another address', async () => {
    const recipient = newAddress();
    await invite(recipient);
    await pressOneClick(await linkTo(recipient));
    await using strict = await serveApp({
      config: { invitationPauseMinutes: 60, invitationsPerRecipientPerDay: 3 },
    });
    const { teamId, id } = await invite(recipient);
    const resend = await call('POST', `${strict.url}/api/auth/teams/${teamId}/invitations/${id}/resend`, {
      headers: service.owner.bearer,
    });
    expect(await errorOf(resend)).toMatchObject({ status: 429, code: 'resend_too_soon' });
    await invite(recipient);
    const last = await call('POST', `${strict.url}/api/auth/teams/${await service.newTeam()}/invitations`, {
      headers: service.owner.bearer,
      json: { email: recipient, role: 'member' },
    });
    expect(await errorOf(last)).toMatchObject({ status: 429, code: 'recipient_limit' });
  });

  test('keeps the choice forever; otherwise the link expires 90 days after the last mail', async () => {
    const recipient = newAddress();
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
    const url = `${service.url}/api/mail/${action}`;
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

  test('is answered with an HTML page in a browser', async () => {
    const response = await visit(`${service.url}/api/mail/unsubscribe?token=${'0'.repeat(48)}`);
    expect([response.status, await response.text()]).toMatchObject([
      404,
      expect.stringContaining('not valid any more'),
    ]);
  });

  test('is limited by IP address', async () => {
    const from = (client: string) =>
      fetch(`${service.url}/api/mail/unsubscribe?token=none`, { headers: { 'X-Forwarded-For': client } });
    const answers = await Promise.all(Array.from({ length: 301 }, () => from('198.51.100.7')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await from('198.51.100.8')).status).toBe(400);
  });
});
