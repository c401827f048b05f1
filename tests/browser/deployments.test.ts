import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@hearth/testing/chromium';
import type { Browser } from 'playwright-core';
import { beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { BROWSER_BACKSTOP_MS } from '../../scripts/backstop.ts';
import { signUp } from '../support/people.ts';
import { useResources } from '../support/resources.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, fillIn, heading, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

/** A file that is large enough to be sent straight to Storage. */
const LARGE = 9_000_000;

/** Files of the app that the server does not have at the moment. */
let missing: RegExp | undefined;

/** Requests of the browser, each with the status of the answer before it. */
const requests: string[] = [];

let browser: Browser;
let origin: string;

const resources = useResources();
beforeAll(async () => {
  const server = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = resources.use(await launchChromium());
});
beforeEach(() => {
  missing = undefined;
  requests.length = 0;
});

/** Answers as Hosting does, which sends the headers of an asset with the 404 for it, too. */
async function pass({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await fetch(urls.app + url);
  const body = Buffer.from(await answer.arrayBuffer());
  const status = missing?.test(url) === true ? 404 : answer.status;
  for (const name of ['Content-Type', 'Cache-Control', 'Content-Security-Policy']) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  requests.push(`${status} ${url}`);
  response.writeHead(status).end(status === 404 ? 'Not found' : body);
}

/** The statuses of the answers about a file so far. */
const statusesOf = (file: RegExp) =>
  requests.filter((request) => file.test(request)).map((request) => request.slice(0, 3));

test('a page whose missing files the browser has in its cache loads after an older version is deployed again', async () => {
  const file = /\/assets\/firebase-auth-[\w-]+\.js/;
  // Routes would turn off the cache of the browser.
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(BROWSER_BACKSTOP_MS);
  const before = await context.newPage();
  missing = file;
  await before.goto(`${origin}/auth/sign-in`);
  await shows(before, 'There is a new version of this app. Load the page again.');
  await before.close();
  const [firstStatus] = statusesOf(file);
  expect(firstStatus).toBe('404');

  missing = undefined;
  requests.length = 0;
  const page = await context.newPage();
  await page.goto(`${origin}/auth/sign-in`);
  await heading(page, 'This page cannot be shown');
  // The cache answered to the import. The app fetched the file once more, past the cache.
  expect(statusesOf(file)).toEqual(['200']);
  await press(page, 'Try again');
  await fillIn(page, { 'E-mail': 'ann@example.com' });
  expect(statusesOf(file)).toEqual(['200']);
  await context.close();
});

test('a page that cannot be loaded is not loaded again by itself', async () => {
  missing = /\/assets\/sign-in-[\w-]+\.js/;
  const page = await browser.newPage({ locale: 'en-US' });
  await page.goto(`${origin}/auth/sign-in`);
  await shows(page, 'There is a new version of this app. Load the page again.');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(statusesOf(/ \/auth\/sign-in$/)).toEqual(['200']);
  await page.close();
});

test.each([
  ['en-US', 'Your files', 'Drop files here', 'There is a new version of this app. Load the page again.'],
  ['de-DE', 'Ihre Dateien', 'Dateien hier', 'Es gibt eine neue Version dieser App. Laden Sie die Seite neu.'],
])(
  'a large file for an app that was replaced meanwhile asks to load the page again: %s',
  async (locale, title, label, text) => {
    const { page, complaints } = await visit(await signUp(), locale);
    await page.goto('/files');
    await heading(page, title);
    await page.route('**/assets/direct-*.js', (route) => route.fulfill({ status: 404 }));
    await page
      .getByLabel(label)
      .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(LARGE) });
    await shows(page, text);
    await eventually(() => complaints.length).toBeGreaterThan(0);
    expect(complaints.filter((complaint) => !/404 .*\/assets\/direct-/.test(complaint))).toEqual([]);
    complaints.length = 0;
  },
);
