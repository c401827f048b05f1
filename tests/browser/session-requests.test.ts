import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { adminFirestore, signUp } from '../support/people.ts';
import { useBrowser } from './support/browser.ts';
import { fillIn, follow, heading, press, shows, signIn } from './support/steps.ts';

const visit = useBrowser();

/** Counts the requests of a page for the session. */
function countRequests(page: Page): { asked: () => number } {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === '/api/auth/session') count += 1;
  });
  return {
    asked: () => {
      const asked = count;
      count = 0;
      return asked;
    },
  };
}

test('no page asks for the session of a visitor who has never signed in', async () => {
  const { page } = await visit();
  const { asked } = countRequests(page);
  await page.goto('/');
  await heading(page, 'Plans');
  await page.goto('/auth/sign-in');
  await heading(page, 'Sign in');
  await page.goto('/dashboard');
  await heading(page, 'Sign in');
  expect(asked()).toBe(0);
});

test('each page asks once for the session of a signed-in person, and never after signing out', async () => {
  const person = await signUp();
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor, person);
  const { asked } = countRequests(page);
  await page.goto('/dashboard');
  await shows(page, 'You are in no team yet.');
  await follow(page, 'Billing');
  await shows(page, 'You have no subscription.');
  expect(asked()).toBe(1);
  await page.goto('/');
  await page.getByRole('link', { name: 'Go to your dashboard' }).waitFor();
  await heading(page, 'Plans');
  expect(asked()).toBe(1);
  await page.goto('/account');
  await press(page, /^Menu of/);
  await page.locator('#user-menu').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  asked();
  await page.reload();
  await heading(page, 'Plans');
  expect(asked()).toBe(0);
});

test('the start page shows a signed-in person the way to their dashboard before the backend has answered', async () => {
  const person = await signUp();
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor, person);
  await page.route('**/api/auth/session', () => undefined);
  await page.goto('/');
  await page.getByRole('link', { name: 'Go to your dashboard' }).waitFor();
  expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Billing' }).waitFor();
});

test('the start page offers to sign in when the session has ended elsewhere', async () => {
  const person = await signUp();
  const visitor = await visit();
  const { page, context } = visitor;
  await signIn(visitor, person);
  await context.clearCookies();
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('a person whose cookie has no session any more is led to sign in, and then signed in', async () => {
  const person = await signUp();
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor, person);
  const { docs } = await adminFirestore().collection(`users/${person.uid}/sessions`).get();
  await Promise.all(docs.map(({ ref }) => ref.delete()));
  await page.goto('/dashboard');
  await heading(page, 'Sign in');
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, /^Hello/);
});
