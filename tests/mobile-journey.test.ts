import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { beforeAll, expect, inject, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { pay, settled } from './support/billing.ts';
import { APP_URL } from './support/config.ts';
import { pngOfSize } from './support/files.ts';
import { linkMailedTo } from './support/mailbox.ts';
import { useResources } from './support/resources.ts';

interface Answer<Body> {
  status: number;
  body: Body;
}

/** A phone app: ID tokens and JSON, as any HTTP client sends them. It has no cookies and follows no redirect. */
class Phone {
  readonly email: string;
  uid = '';
  #idToken = '';
  #refreshToken = '';
  readonly #password = 'correct horse';

  constructor(email: string) {
    this.email = email;
  }

  /** Calls our API. Every answer is JSON or empty, and sets no cookie. */
  async ask<Body = unknown>(method: string, path: string, json?: object): Promise<Answer<Body>> {
    const response = await fetch(app.url + path, {
      method,
      redirect: 'manual',
      headers: { ...this.bearer, ...(json && { 'Content-Type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    const text = await response.text();
    if (text === '') expect(response.status).toBe(204);
    else expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }

  /** Signs up as a client SDK does, and asks us for the mail that verifies the address. */
  async signUp(): Promise<void> {
    const account = { email: this.email, password: this.#password, returnSecureToken: true };
    const signedUp = await authApi('identitytoolkit.googleapis.com/v1/accounts:signUp', account);
    this.uid = signedUp['localId'] ?? '';
    this.#idToken = signedUp['idToken'] ?? '';
    this.#refreshToken = signedUp['refreshToken'] ?? '';
    expect((await this.ask('POST', '/api/auth/verification-mail', {})).status).toBe(204);
  }

  /** Applies the code of the mailed link, which opens the app or is pasted, and gets a token that says so. */
  async verify(): Promise<void> {
    const link = new URL(await linkMailedTo(this.email, /verify|confirm/i));
    const oobCode = link.searchParams.get('oobCode');
    await authApi('identitytoolkit.googleapis.com/v1/accounts:update', { oobCode });
    const refresh = { grant_type: 'refresh_token', refresh_token: this.#refreshToken };
    this.#idToken = (await authApi('securetoken.googleapis.com/v1/token', refresh))['id_token'] ?? '';
  }

  /** Sends a file in pieces, as slowly as the network takes them. */
  async upload(bytes: Buffer, onProgress: (sent: number) => void): Promise<Answer<Uploaded>> {
    const boundary = 'phone';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
    const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const sending = sendRequest(`${app.url}/api/upload`, {
      method: 'POST',
      headers: {
        ...this.bearer,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': form.length,
      },
    });
    const answered = once(sending, 'response');
    for (let start = 0; start < form.length; start += PIECE) {
      const piece = form.subarray(start, start + PIECE);
      await new Promise((resolve) => sending.write(piece, resolve));
      onProgress((start + piece.length) / form.length);
    }
    sending.end();
    const [response] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }];
    return { status: response.statusCode, body: (await jsonOf(response)) as Uploaded };
  }

  private get bearer(): { Authorization: string } {
    return { Authorization: `Bearer ${this.#idToken}` };
  }
}

/** Bytes of one piece of an upload. */
const PIECE = 64 * 1024;

interface Uploaded {
  url: string;
  size: number;
}

/** Firebase Auth, as its REST API documents it. */
async function authApi(method: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${inject('stack').urls.auth}/${method}?key=test`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, string>;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

const RETURN_URL = 'myapp://paid';

const resources = useResources();
let app: AppUnderTest;
const owner = new Phone('owner@mobile.example');
const guest = new Phone('guest@mobile.example');
let teamId: string;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { returnUrls: [RETURN_URL] } }));
});

test('two people sign up and verify their addresses', async () => {
  for (const phone of [owner, guest]) {
    await phone.signUp();
    expect(await phone.ask('GET', '/api/auth/session')).toMatchObject({
      body: { user: { uid: phone.uid, emailVerified: false } },
    });
    await phone.verify();
    expect(await phone.ask('GET', '/api/auth/session')).toMatchObject({
      status: 200,
      body: { user: { email: phone.email, emailVerified: true }, teams: [], plan: 'free' },
    });
  }
});

test('one makes a team and invites the other, who finds the invitation in the app and accepts it', async () => {
  const team = await owner.ask<{ id: string }>('POST', '/api/auth/teams', { name: 'Mobile' });
  teamId = team.body.id;
  const invited = { email: guest.email, role: 'admin' };
  expect(await owner.ask('POST', `/api/auth/teams/${teamId}/invitations`, invited)).toMatchObject({
    status: 201,
  });
  const own = await guest.ask<{ invitations: { id: string }[] }>('GET', '/api/auth/invitations');
  const [invitation] = own.body.invitations;
  expect(invitation).toMatchObject({ teamName: 'Mobile', role: 'admin' });
  const accept = `/api/auth/invitations/${invitation?.id ?? ''}/accept`;
  expect(await guest.ask('POST', accept)).toEqual({ status: 200, body: { teamId } });
  expect(await guest.ask('POST', accept)).toMatchObject({ status: 409, body: { code: 'already_accepted' } });
  expect(await guest.ask('GET', '/api/auth/session')).toMatchObject({
    body: { teams: [{ id: teamId, name: 'Mobile', role: 'admin' }] },
  });
});

test('a picture is sent with progress, and its URL works', async () => {
  const bytes = pngOfSize(1_000_000);
  const progress: number[] = [];
  const { status, body } = await guest.upload(bytes, (sent) => progress.push(sent));
  expect({ status, size: body.size }).toEqual({ status: 200, size: bytes.length });
  expect(progress.length).toBeGreaterThan(10);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
  const fetched = await fetch(body.url);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await guest.ask('GET', '/api/uploads')).toMatchObject({ body: { uploads: [{ url: body.url }] } });
});

test('a plan is bought on a page in the browser of the phone, which leads back into the app', async () => {
  const plans = await owner.ask<{ plans: { slug: string }[] }>('GET', '/api/auth/plans');
  expect(plans.body.plans.map(({ slug }) => slug)).toContain('pro');
  const order = { plan: 'pro', returnUrl: RETURN_URL };
  const checkout = await owner.ask<{ url: string }>('POST', '/api/auth/checkout', order);
  const paid = await pay(app, new URL(checkout.body.url));
  const back = (paid.headers.get('location') ?? '').replace(APP_URL, app.url);
  const opened = await fetch(back, { redirect: 'manual' });
  expect(opened.headers.get('location')).toBe(`${RETURN_URL}?checkout=success`);
  expect(await owner.ask('GET', '/api/auth/session')).toMatchObject({ body: { plan: 'pro' } });
  expect(await owner.ask('GET', '/api/auth/subscription')).toMatchObject({
    status: 200,
    body: { plan: 'pro', status: 'active' },
  });
});

test('the portal and the invoices are for the buyer', async () => {
  const portal = await owner.ask<{ url: string }>('POST', '/api/auth/portal', { returnUrl: RETURN_URL });
  expect(await (await fetch(portal.body.url)).text()).toContain('Pro');
  expect(await owner.ask('GET', '/api/auth/invoices')).toMatchObject({
    status: 200,
    body: { invoices: [{ status: 'paid' }] },
  });
});

test('the data is exported', async () => {
  const { status, body } = await guest.ask<Record<string, unknown>>('GET', '/api/auth/user/export');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    account: { email: guest.email },
    memberships: [{ role: 'admin' }],
    uploads: [{ contentType: 'image/png' }],
    incomplete: [],
  });
});

test('the team and both accounts are deleted, and their tokens end', async () => {
  const refused = { status: 409, body: { code: 'last_owner' } };
  expect(await owner.ask('DELETE', '/api/auth/user')).toMatchObject(refused);
  expect(await owner.ask('DELETE', `/api/auth/teams/${teamId}`)).toMatchObject({ status: 204 });
  for (const phone of [guest, owner]) {
    expect(await phone.ask('DELETE', '/api/auth/user')).toEqual({ status: 204, body: undefined });
    expect(await phone.ask('GET', '/api/auth/session')).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  }
  await settled(app);
});

test('signing out everywhere ends tokens, and needs no cookie', async () => {
  const phone = new Phone('again@mobile.example');
  await phone.signUp();
  expect(await phone.ask('DELETE', '/api/auth/session?everywhere=true')).toMatchObject({ status: 204 });
  expect(await phone.ask('POST', '/api/auth/verification-mail', {})).toMatchObject({ status: 401 });
});
