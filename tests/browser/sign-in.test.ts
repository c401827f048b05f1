import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, initializeAuth, signInWithEmailAndPassword, updateEmail } from 'firebase/auth';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { adminAuth, signUp as createAccount } from '../support/people.ts';
import { launch, Visitor } from './support/browser.ts';
import { actionPath, fillIn, focused, heading, press, shows, signIn, signUp } from './support/steps.ts';

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

test('who finds their address changed takes it back, and is sent the way to a new password', async () => {
  const { uid, email, password } = await createAccount();
  await changeEmail({ email, password }, `thief-${run}@journey.example`);
  const visitor = await Visitor.open(browser);
  const { page } = visitor;
  await page.goto(await actionPath('recoverEmail', email, 'RECOVER_EMAIL'));
  await shows(page, email);
  expect(await visitor.barriers()).toEqual([]);
  expect((await adminAuth().getUser(uid)).email).not.toBe(email);
  await press(page, 'Take your old address back');
  await shows(page, 'We sent you a message to choose a new password.');
  expect(await adminAuth().getUser(uid)).toMatchObject({ email, emailVerified: true });
  await page.goto(await actionPath('resetPassword', email, 'PASSWORD_RESET'));
  await fillIn(page, { 'New password': 'a new correct horse' });
  await press(page, 'Save password');
  await shows(page, 'Your new password holds from now on.');
  await signIn(visitor, { email, password: 'a new correct horse' });
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test('an address is theirs again although the message about the password cannot be sent', async () => {
  const { uid, email, password } = await createAccount();
  await changeEmail({ email, password }, `other-${run}@journey.example`);
  const visitor = await Visitor.open(browser);
  const { page } = visitor;
  await page.route(/accounts:sendOobCode/, (route) => route.abort());
  await page.goto(await actionPath('recoverEmail', email, 'RECOVER_EMAIL'));
  await press(page, 'Take your old address back');
  await shows(page, 'choose a new one on the sign-in page');
  expect((await adminAuth().getUser(uid)).email).toBe(email);
  await visitor.context.close();
});

/** Changes an address with the client SDK, as a thief does who knows the password. */
async function changeEmail(account: { email: string; password: string }, to: string): Promise<void> {
  const client = initializeApp({ apiKey: 'x' }, to);
  const auth = initializeAuth(client);
  connectAuthEmulator(auth, urls.auth, { disableWarnings: true });
  const { user } = await signInWithEmailAndPassword(auth, account.email, account.password);
  await updateEmail(user, to);
  await deleteApp(client);
}

test('the forms for signing in and the page for what is not there can be used by everybody', async () => {
  const visitor = await Visitor.open(browser);
  const { page } = visitor;
  const views = [
    ['/auth/sign-in', 'Create an account'],
    ['/auth/sign-in', 'Forgot your password?'],
    ['/auth/action?mode=unknown', undefined],
    ['/nothing', undefined],
  ] as const;
  for (const [path, button] of views) {
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    if (button !== undefined) await press(page, button);
    await page.setViewportSize({ width: 360, height: 740 });
    expect([await visitor.barriers(), await visitor.fits()], button ?? path).toEqual([[], true]);
  }
  await visitor.context.close();
});

test('a page is walked through by the keyboard alone', async () => {
  const visitor = await Visitor.open(browser);
  const { page } = visitor;
  await signIn(visitor, await createAccount());
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete my account' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.getByLabel('Your name').evaluate((input) => input === document.activeElement)).toBe(true);
  const walked = [];
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab');
    walked.push(await focused(page));
  }
  expect(walked).toEqual(['Save', 'Sign out', 'Sign out everywhere', 'Delete my account']);
  for (const end of ['Enter', 'Escape']) {
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Cancel');
    await page.keyboard.press(end);
    expect(await focused(page)).toBe('Delete my account');
  }
  expect(visitor.complaints).toEqual([]);
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
