import { expect, inject, test } from 'vitest';
import { png } from '../support/files.ts';
import { signUp } from '../support/people.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser, type Visitor } from './support/browser.ts';
import { actionPath, fillIn, heading, press, shows } from './support/steps.ts';

/**
 * The pages in a browser without the functions that Chrome 111, Firefox 115 or Safari 16.4 do not have. Chromium has
 * them, so they are removed before the scripts of a page run.
 */
const { urls } = inject('stack');
const visit = useBrowser();

const NEWER: Readonly<Record<string, readonly string[]>> = {
  URL: ['parse', 'canParse'],
  'URLSearchParams.prototype': ['size'],
  Intl: ['Segmenter', 'DurationFormat'],
  Promise: ['withResolvers', 'try'],
  Object: ['groupBy'],
  Map: ['groupBy'],
  Array: ['fromAsync'],
  AbortSignal: ['any'],
  RegExp: ['escape'],
  'String.prototype': ['isWellFormed', 'toWellFormed'],
  'Set.prototype': ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  'HTMLElement.prototype': ['popover', 'showPopover', 'hidePopover', 'togglePopover'],
  'PerformanceResourceTiming.prototype': ['responseStatus'],
  'Document.prototype': ['startViewTransition', 'caretPositionFromPoint'],
  'Element.prototype': ['checkVisibility'],
  globalThis: ['Iterator', 'URLPattern', 'navigation', 'scheduler', 'requestIdleCallback'],
};

/** Each with a text of its content. */
const PAGES = [
  ['/dashboard', '1 of 3 taken'],
  ['/billing', 'Compare the plans'],
  ['/team/members', '1 member'],
] as const;

/** Removes the newer functions from all pages of a visitor. */
async function useOldBrowser({ context }: Visitor): Promise<void> {
  await context.addInitScript((newer) => {
    for (const [path, names] of Object.entries(newer)) {
      const owner = path
        .split('.')
        .reduce<unknown>((object, name) => (object as Record<string, unknown>)[name], globalThis);
      for (const name of names) Reflect.deleteProperty(owner as object, name);
    }
  }, NEWER);
}

test('somebody signs in with an old browser, uses the menu, sends a file, and signs out', async () => {
  const person = await signUp({ displayName: 'Ann Ash' });
  await createTeam(urls.app, person);
  const visitor = await visit();
  await useOldBrowser(visitor);
  const { page } = visitor;
  const callback = `${urls.app}/files`;
  await page.goto(`/auth/sign-in?${new URLSearchParams({ callback }).toString()}`);
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'Files of Acme');
  await page.getByLabel('Drop files here').setInputFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: png(8, 8),
  });
  await page.getByRole('link', { name: 'a.png', exact: true }).waitFor();

  const settings = page.getByRole('link', { name: 'Account settings' });
  expect(await settings.isVisible()).toBe(false);
  await press(page, 'Menu of Ann Ash');
  await settings.waitFor();
  await visitor.inspect('old-browser-menu');
  await press(page, 'Menu of Ann Ash');
  await settings.waitFor({ state: 'hidden' });
  await press(page, 'Menu of Ann Ash');
  await settings.click();
  await heading(page, 'Account');
  await settings.waitFor({ state: 'hidden' });
  for (const [path, content] of PAGES) {
    await page.goto(path);
    await shows(page, content);
  }
  await press(page, 'Menu of Ann Ash');
  await press(page, 'Sign out');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('a link of a message works in an old browser', async () => {
  const person = await signUp();
  const visitor = await visit();
  await useOldBrowser(visitor);
  const { page } = visitor;
  await page.goto('/auth/sign-in');
  await press(page, 'Forgot your password?');
  await fillIn(page, { 'E-mail': person.email });
  await press(page, 'Send reset link');
  await shows(page, 'a message with a link is on its way');
  await page.goto(await actionPath('resetPassword', person.email, 'PASSWORD_RESET'));
  await fillIn(page, { 'New password': 'a new correct horse' });
  await press(page, 'Save password');
  await shows(page, 'Your password has been changed.');
});
