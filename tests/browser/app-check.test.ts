import { launchChromium } from '@hearth/testing/chromium';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import firebaseJson from '../../firebase.json' with { type: 'json' };
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { APP_CHECK_SOURCES, assertReaches } from '../../web/app-check-policy.ts';
import { buildPages, type BuiltPages } from './support/built-pages.ts';

const APP = 'https://app.example.com';
const KEY = 'site-key';

const STRICT =
  firebaseJson.hosting.headers
    .flatMap(({ headers }) => headers)
    .find(({ key }) => key === 'Content-Security-Policy')?.value ?? '';

/** As described in docs/operations.md. */
const POLICY = STRICT.split('; ')
  .map((directive) => {
    const [name = ''] = directive.split(' ');
    const sources: Readonly<Record<string, readonly string[]>> = APP_CHECK_SOURCES;
    return [directive, ...(sources[name] ?? [])].join(' ');
  })
  .join('; ');

const SCRIPT = 'https://www.google.com/recaptcha/enterprise.js';

/** The part of Google's reCAPTCHA that the Firebase SDK uses. */
const RECAPTCHA = `let succeed;
globalThis.grecaptcha = { enterprise: {
  ready: (then) => then(),
  render: (_div, { callback }) => { succeed = callback; return 0; },
  execute: async () => { succeed(); return 'human'; },
} };`;

let browser: Browser | undefined;
let files: BuiltPages;
beforeAll(async () => {
  browser = await launchChromium();
  files = await buildPages({ VITE_APP_CHECK_SITE_KEY: KEY });
});
afterAll(() => browser?.close());

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** The pages as Hosting serves them, and Google's services, which lie outside of this machine. */
async function visit(policy: string): Promise<{ context: BrowserContext; sessionHeaders: Promise<Headers> }> {
  if (browser === undefined) throw new Error('The browser is launched before the first test.');
  const context = await browser.newContext();
  context.setDefaultTimeout(BACKSTOP_MS);
  // Pages ask for the session of a browser that has probably one.
  await context.addInitScript(() => {
    localStorage.setItem('hearth.session', '1');
  });
  onTestFinished(() => context.close());
  const { promise, resolve } = Promise.withResolvers<Headers>();
  await context.route(/./, (route) => route.abort());
  await context.route(`${APP}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const path = files.has(pathname) ? pathname : '/index.html';
    const contentType = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    const headers = { 'Content-Type': contentType, 'Content-Security-Policy': policy };
    return route.fulfill({ body: files.get(path) ?? '', headers });
  });
  await context.route(`${APP}/__/firebase/init.json`, (route) =>
    route.fulfill({ json: { apiKey: 'key', projectId: 'project', appId: '1:1:web:1' } }),
  );
  await context.route(`${APP}/api/auth/session`, (route) => {
    resolve(new Headers(route.request().headers()));
    return route.fulfill({ status: 401, json: { error: 'Sign in.', code: 'unauthenticated' } });
  });
  await context.route(`${SCRIPT}*`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: RECAPTCHA }),
  );
  await context.route('https://content-firebaseappcheck.googleapis.com/**', (route) => {
    const isHuman = route.request().postData()?.includes('human') === true;
    return route.fulfill({
      status: isHuman ? 200 : 403,
      headers: { 'Access-Control-Allow-Origin': APP },
      json: { token: 'genuine', ttl: '3600s' },
    });
  });
  return { context, sessionHeaders: promise };
}

test('an app that is built with a site key attests itself with its requests, within its security policy', async () => {
  const { context, sessionHeaders } = await visit(POLICY);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(`${APP}/`);
  expect((await sessionHeaders).get('X-Firebase-AppCheck')).toBe('genuine');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a visitor who cannot be attested reads the reason', async () => {
  const { context } = await visit(POLICY);
  await context.route('https://content-firebaseappcheck.googleapis.com/**', (route) =>
    route.fulfill({ status: 403, headers: { 'Access-Control-Allow-Origin': APP }, json: {} }),
  );
  const page = await context.newPage();
  await page.goto(`${APP}/dashboard`);
  await page.getByText('could not verify that this is our app').waitFor();
});

test('a visitor who blocks the script of reCAPTCHA reads the reason, and does not wait forever', async () => {
  const { context } = await visit(POLICY);
  await context.route(`${SCRIPT}*`, (route) => route.abort());
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${APP}/dashboard`);
  const message = page.getByText('could not verify that this is our app');
  const waitOnItsClock = async () => {
    await page.clock.runFor(5_000);
    return message.count();
  };
  await expect.poll(waitOnItsClock, { timeout: BACKSTOP_MS }).toBe(1);
});

describe('a build with a site key', () => {
  test('is refused while the security policy does not allow App Check, and the message lists the missing hosts', () => {
    expect(() => {
      assertReaches(STRICT, KEY);
    }).toThrow(
      /script-src.*https:\/\/www\.google\.com\/recaptcha\/ in frame-src.*content-firebaseappcheck\S* in connect-src/,
    );
  });

  test('succeeds when it does', () => {
    assertReaches(POLICY, KEY);
  });

  test('without a key the policy does not matter', () => {
    assertReaches(STRICT, undefined);
    assertReaches(STRICT, '');
  });
});
