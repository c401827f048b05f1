import { expect, inject, test } from 'vitest';
import { nextSecond, signIn, signUp } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import {
  actionPath,
  fillIn,
  follow,
  hasFocus,
  heading,
  isFocused,
  isGone,
  press,
  shows,
} from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

test('the account page changes the name, and lists the sessions', async () => {
  const visitor = await visit(await signUp({ displayName: 'Ann Ember' }));
  const { page } = visitor;
  await page.goto('/dashboard');
  await heading(page, 'Hello, Ann Ember');
  await follow(page, 'Account');
  await shows(page, 'this one');
  await visitor.inspect('account');
  await fillIn(page, { 'Your name': 'Ann E.' });
  await press(page, 'Save');
  await shows(page, 'Saved.');
  await follow(page, 'Dashboard');
  await heading(page, 'Hello, Ann E.');
});

test('the account page ends a session elsewhere', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page } = visitor;
  // Two cookies of one second are the same.
  await nextSecond();
  const begun = await call('POST', `${urls.app}/api/auth/session`, {
    headers: { Origin: urls.app },
    json: { idToken: (await signIn(person)).idToken },
  });
  const elsewhere = { Cookie: begun.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const statusElsewhere = async () =>
    (await call('GET', `${urls.app}/api/auth/session`, { headers: elsewhere })).status;
  expect([begun.status, await statusElsewhere()]).toEqual([201, 200]);
  await page.goto('/account');
  const end = page.getByRole('button', { name: /^End the session in Another program/ });
  await end.waitFor();
  await visitor.inspect('sessions');
  await end.click();
  await shows(page, 'The session in Another program has ended.');
  await shows(page, 'If you no longer have this device, sign out everywhere.');
  await isGone(end);
  await shows(page, 'this one');
  expect(await statusElsewhere()).toBe(401);
});

test('a person signs out, sets a new password with the link in the message, and signs in with it', async () => {
  const { email, ...person } = await signUp();
  const visitor = await visit({ email, ...person });
  const { page } = visitor;
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await follow(page, 'Sign in');
  await press(page, 'Forgot your password?');
  await fillIn(page, { 'E-mail': email });
  await press(page, 'Send reset link');
  await shows(page, 'a message with a link is on its way');
  await page.goto(await actionPath('resetPassword', email, 'PASSWORD_RESET'));
  await fillIn(page, { 'New password': 'a new correct horse' });
  await visitor.inspect('reset');
  await press(page, 'Save password');
  await shows(page, 'Your password has been changed.');
  await follow(page, 'Continue');
  await heading(page, 'Sign in');
  await fillIn(page, { 'E-mail': email, Password: 'a new correct horse' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, /^Hello/);
});

test('a person who was signed out elsewhere is led to sign in by their next action', async () => {
  const owner = await signUp();
  await createTeam(urls.app, owner, 'Birches');
  const visitor = await visit(owner);
  const { page, context } = visitor;
  await page.goto('/team/settings');
  await heading(page, 'Birches');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await context.clearCookies();
  await fillIn(page, { Name: 'Birch Wood' });
  await press(page, 'Rename');
  await heading(page, 'Sign in');
  await visitor.expectComplaint(/401/);
  await fillIn(page, { 'E-mail': owner.email, Password: owner.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'Birches');
});

test('signing out everywhere ends this session', async () => {
  const { page } = await visit(await signUp());
  await page.goto('/account');
  await press(page, 'Sign out everywhere');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.goto('/dashboard');
  await heading(page, 'Sign in');
});

test('an account is deleted after another sign-in, and nobody can sign in to it again', async () => {
  const dora = await signUp();
  const visitor = await visit(dora);
  const { page } = visitor;
  await page.goto('/account');
  await press(page, 'Delete my account');
  await page.getByRole('dialog').waitFor();
  await visitor.inspect('account-delete-password');
  await press(page, 'Cancel');
  await press(page, 'Delete my account');
  await fillIn(page, { 'Your password': 'not the password' });
  await press(page, 'Delete everything');
  await shows(page, 'The e-mail address or the password is wrong.');
  await visitor.inspect('account-delete');
  await visitor.expectComplaint(/400/);
  await fillIn(page, { 'Your password': dora.password });
  await press(page, 'Delete everything');
  await follow(page, 'Sign in');
  await fillIn(page, { 'E-mail': dora.email, Password: dora.password });
  expect(visitor.complaints).toEqual([]);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shows(page, 'The e-mail address or the password is wrong.');
  await visitor.expectComplaint(/400/);
});

/** The buttons of the account page after the field with the name, in order. */
const BUTTONS = [
  'Save',
  'Change password',
  'Change address',
  'Connect Google',
  'Sign out',
  'Sign out everywhere',
  'Download my data',
  'Delete my account',
];

test('a page can be used with the keyboard alone', async () => {
  const { page } = await visit(await signUp());
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete my account' }).waitFor();
  await shows(page, 'this one');
  await page.keyboard.press('Tab');
  await hasFocus(page, 'Skip to content');
  await page.keyboard.press('Enter');
  await isFocused(page.locator('#main'));
  await page.keyboard.press('Tab');
  await hasFocus(page, 'Add a picture');
  await page.keyboard.press('Tab');
  await isFocused(page.getByLabel('Your name'));
  for (const name of BUTTONS) {
    await page.keyboard.press('Tab');
    await hasFocus(page, name);
  }
  for (const end of ['Enter', 'Escape']) {
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Cancel');
    await page.keyboard.press(end);
    await hasFocus(page, 'Delete my account');
  }
});
