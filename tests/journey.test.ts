import { deleteApp, initializeApp, type FirebaseApp } from 'firebase/app';
import {
  applyActionCode,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  GoogleAuthProvider,
  sendEmailVerification,
  signInWithCredential,
  signInWithEmailAndPassword,
  signOut,
  type Auth,
} from 'firebase/auth';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { formWith, png } from './support/files.ts';
import { linkMailedTo, mailShownTo } from './support/mailbox.ts';
import { PROJECT_PLANS, subscribablePlans } from './support/plans.ts';
import { locationOf } from './support/requests.ts';
import { setSampleSeats } from './support/teams.ts';

const { urls, projectId } = inject('stack');
const owner = { email: 'owner@journey.example', password: 'correct horse' };
const guest = { email: 'Guest@Journey.example', password: 'battery staple' };

/** A browser of one person: the client SDK for signing in, and the session cookie for everything else. */
class Visitor {
  readonly app: FirebaseApp;
  readonly auth: Auth;
  cookie = '';

  constructor(name: string) {
    this.app = initializeApp({ apiKey: 'local', projectId }, name);
    this.auth = getAuth(this.app);
    connectAuthEmulator(this.auth, urls.auth, { disableWarnings: true });
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Accept: 'text/html', Origin: urls.app, ...(this.cookie && { Cookie: this.cookie }) };
    const response = await fetch(new URL(url, urls.app), {
      redirect: 'manual',
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.slice(0, cookie.indexOf(';'));
    return response;
  }

  post(url: string, json: unknown): Promise<Response> {
    return this.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
  }

  /** The step of the sign-in page after the client SDK has a user. */
  async startSession(): Promise<void> {
    const idToken = await this.auth.currentUser?.getIdToken(true);
    const response = await this.post('/api/auth/session', { idToken });
    expect(response.status).toBe(201);
  }

  async session(): Promise<Record<string, unknown>> {
    const response = await this.fetch('/api/auth/session');
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  async signUpAndVerify({ email, password }: typeof owner): Promise<void> {
    const { user } = await createUserWithEmailAndPassword(this.auth, email, password);
    await sendEmailVerification(user);
    const link = new URL(await linkMailedTo(email, /^Verify/));
    await applyActionCode(this.auth, link.searchParams.get('oobCode') ?? '');
    await signInWithEmailAndPassword(this.auth, email, password);
  }
}

let first: Visitor;
let second: Visitor;
let third: Visitor;
beforeAll(() => {
  first = new Visitor('owner');
  second = new Visitor('guest');
  third = new Visitor('googler');
});
afterAll(() => Promise.all([first, second, third].map(({ app }) => deleteApp(app))));

let acceptUrl: string;
let teamId: string;

test('the backend is healthy, through Hosting and directly on the function', async () => {
  for (const base of [urls.app, urls.api]) {
    const response = await fetch(`${base}/api/health`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  }
});

test('a person signs up with e-mail and password, verifies the e-mail and has a session', async () => {
  await first.signUpAndVerify(owner);
  await first.startSession();
  expect(await first.session()).toMatchObject({
    user: { email: owner.email, emailVerified: true },
    teams: [],
    plan: PROJECT_PLANS[0].slug,
  });
});

test('they make a team and invite somebody', async () => {
  const team = await first.post('/api/auth/teams', { name: 'Journey' });
  expect(team.status).toBe(201);
  teamId = ((await team.json()) as { id: string }).id;
  await setSampleSeats(teamId);
  const response = await first.post(`/api/auth/teams/${teamId}/invitations`, {
    email: guest.email,
    role: 'admin',
  });
  expect(response.status).toBe(201);
  const { acceptUrl: answered } = (await response.json()) as { acceptUrl: string };
  acceptUrl = await linkMailedTo(guest.email, /^.+ invites you to Journey$/);
  expect(acceptUrl.startsWith(`${answered}.`)).toBe(true);
  expect(acceptUrl).toMatch(/\.[0-9a-f]{40}$/);
});

test('the guest follows the mailed link signed out, signs up, verifies, and comes back to it as a member', async () => {
  const signedOut = await second.fetch(acceptUrl);
  expect(signedOut.status).toBe(303);
  const signIn = locationOf(signedOut);
  expect(signIn.pathname).toBe('/auth/sign-in');
  const callback = signIn.searchParams.get('callback') ?? '';
  expect(callback).toBe(acceptUrl);

  await second.signUpAndVerify(guest);
  await second.startSession();
  const accepted = await second.fetch(callback);
  expect(accepted.status).toBe(303);
  expect(accepted.headers.get('location')).toBe(`/dashboard?message=welcome&team=${teamId}`);
  expect(await second.session()).toMatchObject({ teams: [{ id: teamId, name: 'Journey', role: 'admin' }] });
});

test('following the link again says that it has already been accepted', async () => {
  const again = await second.fetch(acceptUrl);
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining('<main>\n<h3>This invitation has already been accepted.</h3>\n<p>'),
  ]);
});

test('a mail program stops invitation mail to the guest with the link in it, and the guest resumes it', async () => {
  const mail = (await mailShownTo(guest.email)).find(({ subject }) =>
    subject.endsWith('invites you to Journey'),
  );
  const link = mail?.links.find((found) => found.includes('/api/mail/unsubscribe?')) ?? '';
  const open = async () => (await fetch(link)).text();
  expect(await open()).toContain('Stop invitation mail?');
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(link, { method: 'POST', body, redirect: 'error' })).status).toBe(200);
  expect(await open()).toContain('Invitation mail is stopped');
  expect((await fetch(link.replace('unsubscribe', 'subscribe'), { method: 'POST' })).status).toBe(200);
  expect(await open()).toContain('Stop invitation mail?');
});

test('a third person signs in with Google', async () => {
  const claims = { sub: 'google-3', email: 'third@gmail.example', email_verified: true, name: 'Third' };
  await signInWithCredential(third.auth, GoogleAuthProvider.credential(JSON.stringify(claims)));
  await third.startSession();
  expect(await third.session()).toMatchObject({
    user: { email: 'third@gmail.example', emailVerified: true, displayName: 'Third' },
  });
});

test('they upload a picture, which anyone fetches byte for byte', async () => {
  const bytes = png(64, 64);
  const idToken = await third.auth.currentUser?.getIdToken();
  const response = await fetch(`${urls.app}/api/upload`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${idToken ?? ''}` },
    body: formWith(bytes, 'photo.png', 'image/png'),
  });
  const { name, contentType, url, size } = (await response.json()) as Record<string, string>;
  expect({ status: response.status, name, contentType, size }).toEqual({
    status: 200,
    name: 'photo.png',
    contentType: 'image/png',
    size: bytes.length,
  });
  const fetched = await fetch(url ?? '');
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
});

// A project may sell no plan to users.
describe.each(subscribablePlans('user').slice(0, 1))('the plan $slug', ({ slug, name }) => {
  const textOf = async (page: string) => (await (await fetch(page)).text()).replaceAll('&amp;', '&');

  test('is bought by the owner on the hosted page', async () => {
    const checkout = await first.fetch(`/api/auth/checkout/${slug}`);
    expect(checkout.status).toBe(303);
    const page = locationOf(checkout).href;
    expect(await textOf(page)).toContain(name);
    const paid = await fetch(page, { method: 'POST', redirect: 'manual' });
    const { origin, pathname, search } = locationOf(paid);
    expect(origin).toBe(urls.app);
    expect(locationOf(await first.fetch(pathname + search)).pathname).toBe('/billing/success');
    expect(await first.session()).toMatchObject({ plan: slug });

    await fetch(`${urls.stripe ?? ''}/_emulator/idle`);
    expect(await first.session()).toMatchObject({ plan: slug });
  });

  test('is shown by the portal, and buying it again leads to the portal', async () => {
    const portal = locationOf(await first.fetch('/api/auth/portal'));
    expect(await textOf(portal.href)).toContain(name);
    const again = await first.fetch(`/api/auth/checkout/${slug}`);
    expect(locationOf(again).pathname).toMatch(/^\/p\/session\//);
  });
});

test('they sign out, and the browser no longer has a session', async () => {
  const response = await first.fetch('/api/auth/session', { method: 'DELETE' });
  expect(response.status).toBe(204);
  await signOut(first.auth);
  expect(first.cookie).toBe('__session=');
  expect((await first.fetch('/api/auth/session')).status).toBe(401);
});
