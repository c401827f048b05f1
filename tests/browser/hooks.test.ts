import { join } from 'node:path';
import { launchChromium } from '@hearth/testing/chromium';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { png } from '../support/files.ts';
import { signUp, type Person } from '../support/people.ts';
import { useResources } from '../support/resources.ts';
import { serveExample } from './support/example-app.ts';
import { eventually, fillIn, isGone, press, shows } from './support/steps.ts';

/** The hooks of `@hearth/client/react` on a page in StrictMode, which mounts every component twice. */
let app: AppUnderTest;
let open: (origin?: string) => Promise<{ page: Page; requests: string[]; complaints: string[] }>;

const resources = useResources();
beforeAll(async () => {
  const site = resources.use(await serveExample());
  app = resources.use(await serveApp({ isVisited: true, config: { allowedOrigins: [site.origin] } }));
  await site.bundle(join(import.meta.dirname, 'pages/hooks/vite.config.ts'), {
    HEARTH_URL: app.url,
    PROJECT_ID: inject('stack').projectId,
    AUTH_EMULATOR: inject('stack').urls.auth,
  });
  const browser = resources.use(await launchChromium());
  open = async (origin = site.origin) => {
    const page = await browser.newPage({
      locale: 'en-US',
      // A page that the test itself answers may not call the local Firebase Auth otherwise.
      permissions: ['local-network-access'],
    });
    page.setDefaultTimeout(BACKSTOP_MS);
    const [requests, complaints]: [string[], string[]] = [[], []];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === app.url) requests.push(`${request.method()} ${pathname}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    // The backend's origin has the page as well, beside the API.
    await page.route(
      (url) => url.origin === app.url && !url.pathname.startsWith('/api'),
      async (route) => {
        const { pathname } = new URL(route.request().url());
        await route.fulfill({ response: await page.request.get(site.origin + pathname) });
      },
    );
    await page.goto(origin);
    return { page, requests, complaints };
  };
});

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await shows(page, 'Session: ready nobody');
  await fillIn(page, { 'E-mail': email, Password: password });
  await press(page, 'Sign in');
  await shows(page, `Session: ready ${email}`);
}

/** The requests of the test share the cookies of the page, as another tab does. */
async function signInInAnotherTab(page: Page, { idToken }: Person): Promise<void> {
  const begun = await page.request.post(`${app.url}/api/auth/session`, {
    headers: { Origin: app.url },
    data: { idToken },
  });
  expect(begun.status()).toBe(201);
}

test('components share one request, and a visitor without an account causes none about users', async () => {
  const { page, requests, complaints } = await open();
  await shows(page, 'Session: ready nobody');
  await shows(page, 'Shared: true');
  await shows(page, 'free pro');
  expect(requests).toEqual(['GET /api/auth/plans']);
  const person = await signUp();
  await signIn(page, person);
  expect(requests.filter((request) => request === 'GET /api/auth/session')).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('a team that is created is in the list, and a refusal is shown', async () => {
  const { page } = await open();
  await signIn(page, await signUp());
  await fillIn(page, { 'New team': 'Acme' });
  await press(page, 'Create');
  await shows(page, 'Team: Acme free');
  await fillIn(page, { 'New team': 'x'.repeat(200) });
  await press(page, 'Create');
  await page.getByRole('alert').waitFor();
});

test('a file is sent, listed and deleted, and a file of another kind is refused', async () => {
  const { page } = await open();
  await signIn(page, await signUp());
  const input = page.getByLabel('File');
  await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png() });
  await shows(page, 'Upload: sent');
  await shows(page, 'File: a');
  await press(page, 'Delete');
  await isGone(page.getByText('File: a'));
  await input.setInputFiles({ name: 'a.exe', mimeType: '', buffer: Buffer.from('MZ') });
  await shows(page, 'Upload: failed');
  await page.getByRole('alert').waitFor();
  await press(page, 'Cancel');
  await shows(page, 'Upload: idle');
});

test('after signing out the next user sees no data of the previous user', async () => {
  const { page, complaints } = await open();
  await signIn(page, await signUp());
  await fillIn(page, { 'New team': 'Secret' });
  await press(page, 'Create');
  await shows(page, 'Team: Secret');
  await press(page, 'Sign out');
  await shows(page, 'Session: ready nobody');
  expect(await page.getByText('Team: Secret').count()).toBe(0);
  await signIn(page, await signUp());
  await page.getByLabel('New team').waitFor();
  expect(await page.getByText('Team: Secret').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an error keeps the last answer, and reloading removes it', async () => {
  const { page } = await open();
  const person = await signUp();
  await signIn(page, person);
  await page.route(`${app.url}/api/auth/session`, (route) => route.abort());
  await press(page, 'Reload the session');
  await shows(page, `Session: failed ${person.email}`);
  await shows(page, 'The server cannot be reached.');
  await page.unroute(`${app.url}/api/auth/session`);
  await press(page, 'Reload the session');
  await shows(page, `Session: ready ${person.email}`);
});

test("in the app's own pages a session by cookie is started, found again, and ended", async () => {
  const { page, requests } = await open(app.url);
  const person = await signUp();
  await signIn(page, person);
  await fillIn(page, { 'New team': 'Acme' });
  await press(page, 'Create');
  await shows(page, 'Team: Acme free');
  await page.reload();
  await shows(page, `Session: ready ${person.email}`);
  await shows(page, 'Team: Acme free');
  await press(page, 'Sign out');
  await shows(page, 'Session: ready nobody');
  await eventually(() => requests.at(-1)).toBe('GET /api/auth/plans');
  await page.reload();
  await shows(page, 'Session: ready nobody');
});

test('behind the cookie, another user who signs in in another tab sees no data of the previous user', async () => {
  const { page } = await open(app.url);
  await signIn(page, await signUp());
  await fillIn(page, { 'New team': 'Secret' });
  await press(page, 'Create');
  await shows(page, 'Team: Secret');
  const bob = await signUp();
  await signInInAnotherTab(page, bob);
  await press(page, 'Reload the session');
  await shows(page, `Session: ready ${bob.email}`);
  await isGone(page.getByText('Team: Secret'));
});

test('behind the cookie a user who signs in in another tab is shown also after signing out in this one', async () => {
  const { page } = await open(app.url);
  await signIn(page, await signUp());
  await press(page, 'Sign out');
  await shows(page, 'Session: ready nobody');
  const bob = await signUp();
  await signInInAnotherTab(page, bob);
  await press(page, 'Reload the session');
  await shows(page, `Session: ready ${bob.email}`);
  await page.getByLabel('New team').waitFor();
});
