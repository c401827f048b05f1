import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { BRAND } from '../../shared/src/brand.ts';
import { signUpOperator } from '../support/operators.ts';
import { signUp } from '../support/people.ts';
import { PROJECT_PLANS } from '../support/plans.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, fillIn, heading, isGone, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

const choose = (page: Page, name: string, language: string) => page.getByLabel(name).selectOption(language);

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

test('a browser that prefers German gets the pages in German', async () => {
  const { page } = await visit(undefined, 'de-AT');
  await page.goto('/');
  await heading(page, 'Das Backend, um das sich Ihr Team versammelt');
  expect(await languageOf(page)).toBe('de');
  await page.getByRole('link', { name: 'Anmelden' }).click();
  await heading(page, 'Anmelden');
  expect(await page.title()).toBe(`Anmelden · ${BRAND.name}`);
});

test('a visitor chooses a language, and all pages keep it', async () => {
  const { page } = await visit();
  await page.goto('/');
  await choose(page, 'Language', 'Deutsch');
  await heading(page, 'Das Backend, um das sich Ihr Team versammelt');
  await page.goto('/auth/sign-in');
  await heading(page, 'Anmelden');
  await choose(page, 'Sprache', 'English');
  await heading(page, 'Sign in');
  expect(await languageOf(page)).toBe('en');
});

test('an unknown URL is answered in the language of the visitor', async () => {
  const visitor = await visit(undefined, 'de-DE');
  const { page } = visitor;
  await page.goto('/nothing/here');
  await heading(page, 'Hier ist nichts');
  expect(await page.title()).toBe(`Seite nicht gefunden · ${BRAND.name}`);
  expect(await languageOf(page)).toBe('de');
  await visitor.expectComplaint(/404/);
});

test('a page in English loads no texts of another language', async () => {
  const { page } = await visit();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto('/');
  await heading(page, 'The backend your team gathers around');
  expect(requested.filter((url) => url.includes('/assets/'))).not.toEqual([]);
  const texts = await Promise.all(
    requested.filter((url) => url.endsWith('.js')).map((url) => fetch(url).then((answer) => answer.text())),
  );
  expect(texts.filter((text) => text.includes('Das Backend'))).toEqual([]);
});

test('a page is in English if its texts cannot be loaded', async () => {
  const visitor = await visit(undefined, 'de-DE');
  const { page } = visitor;
  await page.route(/\/assets\/de-[^/]+\.js$/, (route) => route.abort());
  await page.goto('/');
  await heading(page, 'The backend your team gathers around');
  expect(await languageOf(page)).toBe('en');
  await visitor.expectComplaint(/ERR_FAILED/);
  await visitor.expectComplaint(/dynamically imported module/);
  // The page asks for the file once more, past the cache.
  await visitor.expectComplaint(/ERR_FAILED/);
});

test('refusals of Firebase Auth and of the backend are in the language of the page', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner);
  const visitor = await visit(owner, 'de');
  const { page } = visitor;
  await page.goto('/team/invitations');
  await fillIn(page, { 'E-Mail': owner.email });
  await press(page, 'Einladung senden');
  await shows(page, 'Diese Person ist schon Mitglied des Teams.');
  await visitor.expectComplaint(/409/);
  await page.goto('/auth/sign-in?switch=true');
  await fillIn(page, { 'E-Mail': owner.email, Passwort: 'not the password' });
  await press(page, /^Anmelden$/);
  await shows(page, 'Die E-Mail-Adresse oder das Passwort ist falsch.');
  await visitor.expectComplaint(/400/);
});

const hasPrices = PROJECT_PLANS.some(({ prices }) => prices !== undefined);

test.each(hasPrices ? ['prices'] : [])('%s are written as in the country of the visitor', async () => {
  const { page } = await visit(undefined, 'de-DE');
  await page.goto('/#plans');
  const price = page.locator('.price').filter({ hasText: /\d/ }).first();
  // English has the sign of the currency before the amount.
  await eventually(() => price.innerText()).toMatch(/^[\d.]+(,\d\d)?\s\p{Sc}/u);
});

const PAGES = [
  '/',
  '/dashboard',
  '/team/members',
  '/team/invitations',
  '/team/activity',
  '/team/settings',
  '/files',
  '/billing',
  '/account',
  '/admin',
];

/** German words are longer than English ones. */
test('every page fits on a phone in German', async () => {
  const operator = await signUpOperator();
  await createTeam(urls.app, operator);
  const visitor = await visit(operator, 'de');
  const { page } = visitor;
  for (const path of PAGES) {
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await isGone(page.locator('[aria-busy=true]'));
    expect(await languageOf(page)).toBe('de');
    await visitor.inspect(`de${path.replaceAll('/', '-')}`, { widths: [360] });
  }
});
