import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { useBrowser } from './support/browser.ts';
import { eventually, heading, isGone, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

const PEOPLE = ['ada', 'ben'].map((name) => ({ email: `${name}@demo.example`, password: 'warm and bright' }));

/** The stack of the tests has no banner. That of `npm start` sends it in this header. */
const sendBanner = (page: Page, value: string) =>
  page.route('**/favicon.svg', (route) =>
    route.request().method() === 'HEAD'
      ? route.fulfill({ headers: { 'X-Local-Banner': value } })
      : route.continue(),
  );

test('a developer sees who can sign in and where mail and the API document are, until the banner is hidden', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await sendBanner(
    page,
    JSON.stringify({ people: PEOPLE, isWatched: false, inbox: urls.inbox, data: `${urls.inbox}/data` }),
  );
  await page.goto('/');
  await shows(page, 'Sign in as ada@demo.example, ben@demo.example with the password warm and bright.');
  const banner = page.getByRole('complementary', { name: 'Local stack' });
  expect(await banner.getByRole('link', { name: 'All mail' }).getAttribute('href')).toBe(urls.inbox);
  expect((await page.request.get(`${urls.inbox}/data`)).status()).toBe(200);
  const document = await banner.getByRole('link', { name: 'API document' }).getAttribute('href');
  expect((await page.request.get(document ?? '')).status()).toBe(200);
  await visitor.inspect('local-banner');

  await press(page, 'Hide');
  await isGone(banner);
  await page.reload();
  await heading(page, /./);
  expect(await banner.count()).toBe(0);
});

test.each(['', 'not JSON', '{"people":[]}'])('a header with %j shows no banner', async (value) => {
  const { page } = await visit();
  await sendBanner(page, value);
  const answered = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await page.goto('/');
  await answered;
  await heading(page, /./);
  expect(await page.getByRole('complementary').count()).toBe(0);
});

test('a page reloads itself when it has been built again, and not before', async () => {
  const { page } = await visit();
  await sendBanner(
    page,
    JSON.stringify({ people: [], isWatched: true, inbox: urls.inbox, data: urls.inbox }),
  );
  let time = 'Tue, 24 Nov 2026 01:00:00 GMT';
  let looked = 0;
  await page.route(`${urls.app}/`, async (route) => {
    if (route.request().method() !== 'HEAD') return route.continue();
    looked += 1;
    return route.fulfill({ headers: { 'Last-Modified': time } });
  });
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.goto('/');
  await eventually(() => looked).toBeGreaterThan(2);
  expect(loads).toBe(1);
  time = 'Tue, 24 Nov 2026 01:00:01 GMT';
  await eventually(() => loads).toBe(2);
});
