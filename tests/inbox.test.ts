import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import type { InboxMessage } from '@hearth/inbox';
import { expect, inject, test } from 'vitest';
import { mailShownTo } from './support/mailbox.ts';
import { adminFirestore } from './support/people.ts';

const { app, inbox, auth } = inject('stack').urls;

const address = () => `${crypto.randomUUID()}@inbox.example`;

async function write(to: unknown, message: unknown, delivery?: unknown): Promise<string> {
  const { id } = await adminFirestore()
    .collection('mail')
    .add({ to, message, ...(delivery !== undefined && { delivery }) });
  return id;
}

async function askAuth(method: string, body: object): Promise<{ idToken: string }> {
  const response = await fetch(`${auth}/identitytoolkit.googleapis.com/v1/${method}?key=test`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { idToken: string };
}

test('lists mail of the backend, newest first, with its links and the state of its delivery', async () => {
  const to = address();
  const text = 'Accept:\nhttp://localhost:5000/a?b=1\nDecline:\nhttp://localhost:5000/c\n';
  const first = await write(
    [to],
    { subject: 'First', text, html: '<p>1</p>' },
    { state: 'ERROR', error: '550 no' },
  );
  const second = await write(
    [to],
    { subject: 'Second', text: 'x', html: '<p>2</p>' },
    { state: 'SUCCESS', error: null },
  );
  expect(await mailShownTo(to)).toMatchObject([
    { id: `mail-${second}`, subject: 'Second', state: 'SUCCESS', links: [] },
    {
      id: `mail-${first}`,
      source: 'backend',
      to: [to],
      subject: 'First',
      text,
      html: '<p>1</p>',
      links: ['http://localhost:5000/a?b=1', 'http://localhost:5000/c'],
      state: 'ERROR',
      error: '550 no',
    },
  ]);
});

test('lists mail of Firebase Auth with its link, also after the link was used', async () => {
  const email = address();
  const { idToken } = await askAuth('accounts:signUp', { email, password: 'correct horse' });
  await askAuth('accounts:sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
  await askAuth('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email });
  const mail = await mailShownTo(email);
  expect(mail.map(({ subject }) => subject)).toEqual(['Reset your password', 'Verify your e-mail address']);
  const [link = ''] = mail[1]?.links ?? [];
  await askAuth('accounts:update', { oobCode: new URL(link).searchParams.get('oobCode') });
  expect(await mailShownTo(email)).toEqual(mail);
});

test("a link of Firebase Auth's mail leads to the app's own page, as the templates of a project say", async () => {
  const email = address();
  const { idToken } = await askAuth('accounts:signUp', { email, password: 'correct horse' });
  await askAuth('accounts:sendOobCode', {
    ...{ requestType: 'VERIFY_EMAIL', idToken },
    continueUrl: `${app}/dashboard`,
  });
  const [mail] = await mailShownTo(email);
  const link = new URL(mail?.links[0] ?? '');
  expect(link.origin + link.pathname).toBe(`${app}/auth/action`);
  expect(Object.fromEntries(link.searchParams)).toMatchObject({
    mode: 'verifyEmail',
    oobCode: expect.stringMatching(/./) as string,
    continueUrl: `${app}/dashboard`,
  });
});

test('the filter finds a part of an address and ignores its case', async () => {
  const to = address();
  const id = await write([to, 'other@inbox.example'], { subject: '', text: '', html: '' });
  expect(await mailShownTo(` ${to.slice(0, 20).toUpperCase()} `)).toMatchObject([{ id: `mail-${id}` }]);
  expect(await mailShownTo(address())).toEqual([]);
});

test.each([
  ['a text in place of the list of addresses', (to: string) => write(to, { subject: 'S', text: 'T' })],
  ['numbers in place of texts', (to: string) => write([to], { subject: 1, text: 2, html: 3 }, 4)],
  ['no message', (to: string) => write([to], 'x')],
])('shows the readable parts of a mail with %s', async (_case, writeTo) => {
  const to = address();
  await writeTo(to);
  expect(await mailShownTo(to)).toMatchObject([{ to: [to], html: null, state: null }]);
});

test('serves the body of a mail in a sandbox without scripts and external resources', async () => {
  const to = address();
  const html = '<script>alert(1)</script><img src="https://example.com/x">';
  const id = await write([to], { subject: 'S', text: 'T', html });
  const response = await fetch(`${inbox}/messages/mail-${id}`);
  expect(await response.text()).toBe(`<base target="_blank">${html}`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
  expect(policy).not.toContain('script');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('the page only runs its own script and cannot be framed', async () => {
  const response = await fetch(inbox);
  expect(await response.text()).toContain('<title>Inbox');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  const script = await fetch(`${inbox}/inbox.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await script.text()).toContain('textContent');
});

test.each(['evil.example', `evil.example:${new URL(inbox).port}`, '127.0.0.1:1', 'localhost'])(
  'refuses requests for the host %s, to which another site may have rebound its name',
  async (host) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
    get(`${inbox}/api/messages`, { headers: { host } }, (response) => {
      void json(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    }).on('error', reject);
    expect(await promise).toEqual({
      status: 403,
      body: { error: 'The inbox answers to 127.0.0.1 and localhost only.' },
    });
  },
);

test.each([
  ['POST', '/api/messages', 405],
  ['DELETE', '/messages/mail-x', 405],
  ['GET', '/messages/mail-nothing', 404],
  ['GET', '/messages/%', 404],
  ['GET', '/page/inbox.ts', 404],
  ['GET', '/..%2f..%2fpackage.json', 404],
])('%s %s is answered %i', async (method, path, status) => {
  expect((await fetch(`${inbox}${path}`, { method })).status).toBe(status);
});

test('pages of other origins cannot read it', async () => {
  const response = await fetch(`${inbox}/api/messages`, { headers: { Origin: 'http://evil.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const { messages } = (await response.json()) as { messages: InboxMessage[] };
  expect(Array.isArray(messages)).toBe(true);
});
