import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { BRAND } from '../../shared/src/brand.ts';
import { signUp } from '../support/people.ts';
import { addCrowd, createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, follow, heading, isFocused, openInside, shows, signIn } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

const heightOf = (page: Page) => page.evaluate(() => scrollY);

/** Opens a page that is higher than the screen, scrolls down, and follows a link to another page. */
async function scrollAndLeave(page: Page): Promise<number> {
  await page.goto('/team/members');
  await shows(page, 'Members 1 to 25 of 31');
  await page.evaluate(() => {
    scrollTo(0, 150);
  });
  await eventually(() => heightOf(page)).toBe(150);
  // A click with the mouse would scroll the link into view first.
  await page.getByRole('link', { name: 'Account' }).dispatchEvent('click');
  await heading(page, 'Account');
  return heightOf(page);
}

test('a page is shown from its start, and at the old height when a person goes back to it', async () => {
  const owner = await signUp();
  await addCrowd(await createTeam(urls.app, owner), 30);
  const { page } = await visit(owner);
  expect(await scrollAndLeave(page)).toBe(0);
  await page.goBack();
  await eventually(() => heightOf(page)).toBe(150);
  await page.goForward();
  await heading(page, 'Account');
  await eventually(() => heightOf(page)).toBe(0);
});

test('going back from the dashboard leads past the sign-in page, which a signed-in person does not need', async () => {
  const person = await signUp();
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/');
  await heading(page, 'Plans');
  await signIn(visitor, person);
  // The sign-in page leads forward again, and takes its own place in the history.
  await page.goBack();
  await heading(page, /^Hello/);
  await page.goBack();
  await heading(page, 'Plans');
});

test('the focus is on the content of the page that a link leads to', async () => {
  const { page } = await visit(await signUp());
  await page.goto('/dashboard');
  await heading(page, /^Hello/);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  await follow(page, 'Files');
  await heading(page, 'Your files');
  await isFocused(page.locator('main'));
  expect(await page.title()).toBe(`Files · ${BRAND.name}`);
});

test('a link inside the app to an unknown URL shows the page for missing pages', async () => {
  const visitor = await visit(await signUp());
  const { page } = visitor;
  await page.goto('/dashboard');
  await heading(page, /^Hello/);
  await openInside(page, '/nothing/here');
  await shows(page, 'There is nothing here');
  expect(await page.title()).toBe(`Page not found · ${BRAND.name}`);
  await visitor.inspect('not-found-inside');
  await page.goBack();
  await heading(page, /^Hello/);
});

test('on a phone the header has a team with a long name beside the name of the app', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Danube Steam Shipping Company of Upper Austria');
  const { page } = await visit(owner);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/dashboard');
  const switcher = page.getByLabel('Team', { exact: true });
  await switcher.waitFor();
  // The name of the app may be long in a project.
  await page.locator('.brand').evaluate((brand) => {
    brand.textContent = 'My project';
  });
  const topOf = async (locator: Locator) => Math.round((await locator.boundingBox())?.y ?? -1);
  expect(await topOf(switcher)).toBe(await topOf(page.locator('.brand')));
});
