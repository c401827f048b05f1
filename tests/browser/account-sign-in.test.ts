import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { BROWSER_BACKSTOP_MS } from '../../scripts/backstop.ts';
import { adminAuth, nextSecond, signIn, signUp, startSession } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useBrowser } from './support/browser.ts';
import { actionPath, fillIn, follow, heading, press, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

const dialogOf = (page: Page) => page.getByRole('dialog');

async function signInHere(page: Page, email: string, password: string): Promise<void> {
  await fillIn(page, { 'E-mail': email, Password: password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a changed password replaces the old one, and ends the other sessions', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page } = visitor;
  await nextSecond();
  const elsewhere = await startSession(urls.app, await signIn(person), urls.app);
  await page.goto('/account');
  await press(page, 'Change password');
  await dialogOf(page).waitFor();
  await visitor.inspect('account-password');
  await fillIn(page, { 'Your password': 'not the password', 'New password': 'a new correct horse' });
  await press(page, 'Save password');
  await shows(page, 'The e-mail address or the password is wrong.');
  await visitor.expectComplaint(/400/);
  await fillIn(page, { 'Your password': person.password });
  await press(page, 'Save password');
  await shows(page, 'Your password is changed.');
  await page.keyboard.press('Escape');
  await page.reload();
  await shows(page, 'this one');
  expect((await call('GET', `${urls.app}/api/auth/session`, { headers: elsewhere })).status).toBe(401);
  await expect(signIn(person)).rejects.toThrow();
  await signIn({ ...person, password: 'a new correct horse' });
});

test('an address changes when the link in the message is opened', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page } = visitor;
  const address = `${randomUUID()}@new.example`;
  await page.goto('/account');
  await press(page, 'Change address');
  await fillIn(page, { 'Your password': person.password, 'New address': address });
  await visitor.inspect('account-address');
  await press(page, 'Send the message');
  await shows(page, `We sent a message to ${address}.`);
  expect((await adminAuth().getUser(person.uid)).email).toBe(person.email);
  await page.goto(await actionPath('verifyAndChangeEmail', person.email, 'VERIFY_AND_CHANGE_EMAIL'));
  await press(page, 'Confirm your new address');
  await shows(page, 'Your address is verified.');
  await page.context().clearCookies();
  await page.goto('/auth/sign-in');
  await signInHere(page, address, person.password);
  await heading(page, /^Hello/);
  await follow(page, 'Account');
  await shows(page, address);
  expect(await adminAuth().getUser(person.uid)).toMatchObject({ email: address, emailVerified: true });
});

test('Google is connected to an account, and disconnected', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page } = visitor;
  await page.goto('/account');
  const [popup] = await Promise.all([page.waitForEvent('popup'), press(page, 'Connect Google')]);
  await popup.getByText('Add new account').click();
  await popup.locator('#email-input').fill(`${randomUUID()}@gmail.example`);
  await popup.locator('#sign-in').click();
  await shows(page, 'Google is connected.');
  await visitor.inspect('account-google');
  const providers = async () =>
    (await adminAuth().getUser(person.uid)).providerData.map(({ providerId }) => providerId).sort();
  expect(await providers()).toEqual(['google.com', 'password']);
  await nextSecond();
  const elsewhere = await startSession(urls.app, await signIn(person), urls.app);
  await disconnectGoogle(page, person.password);
  await shows(page, 'Google is disconnected. Other devices are signed out.');
  expect(await providers()).toEqual(['password']);
  expect((await call('GET', `${urls.app}/api/auth/session`, { headers: elsewhere })).status).toBe(401);
  await page.reload();
  await shows(page, 'this one');
});

async function disconnectGoogle(page: Page, password: string): Promise<void> {
  await press(page, 'Disconnect Google');
  await fillIn(page, { 'Your password': password });
  await dialogOf(page).getByRole('button', { name: 'Disconnect', exact: true }).click();
}

/** @returns the address of the new account */
async function signUpWithGoogle(page: Page): Promise<string> {
  const email = `${randomUUID()}@gmail.example`;
  await page.goto('/auth/sign-in');
  const [popup] = await Promise.all([page.waitForEvent('popup'), press(page, 'Continue with Google')]);
  await popup.getByText('Add new account').click();
  await popup.locator('#email-input').fill(email);
  await popup.locator('#sign-in').click();
  await heading(page, /^Hello/);
  return email;
}

test('somebody who signed in with Google disconnects it with the password, and stays signed in', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const email = await signUpWithGoogle(page);
  const { uid } = await adminAuth().getUserByEmail(email);
  const password = 'a new correct horse';
  // The new password ends the sessions of the seconds before.
  await nextSecond();
  await adminAuth().updateUser(uid, { password });
  await page.context().clearCookies();
  await page.goto('/auth/sign-in?switch=true');
  const [again] = await Promise.all([page.waitForEvent('popup'), press(page, 'Continue with Google')]);
  await again.getByText(email).first().click();
  await heading(page, /^Hello/);
  await visitor.expectComplaint(/accounts:lookup/);
  await follow(page, 'Account');
  await press(page, 'Disconnect Google');
  await dialogOf(page).waitFor();
  await visitor.inspect('account-disconnect-google');
  await page.keyboard.press('Escape');
  await disconnectGoogle(page, password);
  await shows(page, 'Google is disconnected.');
  await fillIn(page, { 'Your name': 'Ada' });
  await press(page, 'Save');
  await expect
    .poll(async () => (await adminAuth().getUser(uid)).displayName, { timeout: BROWSER_BACKSTOP_MS })
    .toBe('Ada');
});

test('somebody who signs in with Google sets a password', async () => {
  const { page } = await visit();
  const email = await signUpWithGoogle(page);
  await follow(page, 'Account');
  await press(page, 'Set a password');
  await fillIn(page, { 'New password': 'a new correct horse' });
  const [again] = await Promise.all([page.waitForEvent('popup'), press(page, 'Save password')]);
  await again.getByText(email).first().click();
  await shows(page, 'You can sign in with this password from now on.');
  const { uid } = await adminAuth().getUserByEmail(email);
  await signIn({ uid, email, password: 'a new correct horse' });
});

test('a user downloads everything that is stored about them, after another sign-in', async () => {
  const person = await signUp({ displayName: 'Ann Ember' });
  const visitor = await visit(person);
  const { page } = visitor;
  await page.goto('/account');
  await press(page, 'Download my data');
  await fillIn(page, { 'Your password': person.password });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialogOf(page).getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('my-data.json');
  const data = JSON.parse(await readFile(await download.path(), 'utf8')) as unknown;
  expect(JSON.stringify(data)).toContain(person.email);
  await shows(page, 'Your data is saved in my-data.json.');
});
