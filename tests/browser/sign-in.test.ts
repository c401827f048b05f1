import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launch, Visitor } from './support/browser.ts';
import { fillIn, heading, press, shows, signUp } from './support/steps.ts';

const { urls } = inject('stack');
const run = randomUUID().slice(0, 8);

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test('somebody signs in with Google in a window of its own', async () => {
  const visitor = await Visitor.open(browser);
  const { page } = visitor;
  await page.goto('/auth/sign-in?callback=https%3A%2F%2Fevil.example%2F');
  const popup = page.waitForEvent('popup');
  await press(page, 'Continue with Google');
  const window = await popup;
  await window.getByText('Add new account').click();
  await window.locator('#email-input').fill(`carol-${run}@gmail.example`);
  await window.locator('#display-name-input').fill('Carol');
  await window.locator('#sign-in').click();
  await heading(page, 'Hello, Carol');
  expect(page.url()).toBe(`${urls.app}/dashboard`);
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test('an account is deleted after a question, and nobody can sign in to it any more', async () => {
  const visitor = await Visitor.open(browser);
  const { page } = visitor;
  const dora = { name: 'Dora', email: `dora-${run}@journey.example`, password: 'correct horse' };
  await page.goto('/auth/sign-in');
  await signUp(visitor, dora);
  await heading(page, 'Hello, Dora');
  await page.getByRole('link', { name: 'Account' }).click();
  await press(page, 'Delete my account');
  expect(await visitor.barriers()).toEqual([]);
  await press(page, 'Cancel');
  await press(page, 'Delete my account');
  await press(page, 'Delete everything');
  await page.getByRole('link', { name: 'Sign in' }).click();
  expect(visitor.complaints).toEqual([]);
  await fillIn(page, { 'E-mail': dora.email, Password: dora.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shows(page, 'The e-mail address or the password is wrong.');
  await visitor.context.close();
});

test('what the security policy does not allow is blocked, and noticed here', async () => {
  const visitor = await Visitor.open(browser);
  await visitor.page.goto('/');
  await visitor.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(script);
  });
  expect(await visitor.page.title()).toBe('Hearth');
  await expect.poll(() => visitor.complaints.join()).toContain('Content Security Policy');
  await visitor.context.close();
});
