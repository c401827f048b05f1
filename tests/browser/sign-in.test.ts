import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, initializeAuth, signInWithEmailAndPassword, updateEmail } from 'firebase/auth';
import { expect, inject, test } from 'vitest';
import { BRAND } from '../../shared/src/brand.ts';
import { adminAuth, signUp as createAccount } from '../support/people.ts';
import { createTeam, expire, inviteTo, mailedLinks, mailTo } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { showSamplePlans } from './support/plans.ts';
import {
  actionPath,
  fillIn,
  follow,
  heading,
  isGone,
  press,
  shows,
  signIn,
  signUp,
} from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

/** Somebody who has no account yet. */
const stranger = (name: string) => ({
  name,
  email: `${randomUUID()}@sign-in.example`,
  password: 'correct horse',
});

/** The link in the latest mail to an address that verifies it. */
const mailedVerification = async (email: string) =>
  /^https?:\/\/\S+\/auth\/action\?\S+$/m.exec((await mailTo(email)).at(-1)?.text ?? '')?.[0] ?? '';

test('the start page leads to signing in', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await showSamplePlans(page);
  await page.goto('/');
  await heading(page, 'The backend your team gathers around');
  await heading(page, 'Plans');
  await shows(page, '$12');
  await page.getByRole('paragraph').filter({ hasText: '$49 a member and month' }).waitFor();
  await page.getByText(/^Yearly save/).click();
  await shows(page, '$120');
  await visitor.inspect('home');
  await follow(page, 'Choose Pro');
  await heading(page, 'Sign in');
  expect(new URL(page.url()).searchParams.get('callback')).toBe(`${urls.app}/billing`);
  await page.goBack();
  await follow(page, 'Sign in');
  await heading(page, 'Sign in');
  await visitor.inspect('sign-in');
});

test('somebody signs up, and verifies the address by the link in the message', async () => {
  const ann = stranger('Ann Ember');
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/auth/sign-in');
  await signUp(visitor, ann);
  await heading(page, `Hello, ${ann.name}`);
  await shows(page, 'is not verified');
  await shows(page, 'You are in no team yet.');
  await visitor.inspect('dashboard-empty');

  await page.goto(await actionPath('verifyEmail', ann.email, 'VERIFY_EMAIL'));
  await heading(page, 'Verify your address');
  await visitor.inspect('verify');
  await press(page, 'Verify your address');
  await shows(page, 'Your address is verified.');
  await follow(page, 'Continue');
  await heading(page, `Hello, ${ann.name}`);
  await isGone(page.getByText('is not verified'));
});

test('the dashboard sends the message again, and shows the verified address without reloading', async () => {
  const eve = stranger('Eve Ember');
  const visitor = await visit();
  const { page, context } = visitor;
  await page.goto('/auth/sign-in');
  await signUp(visitor, eve);
  await shows(page, 'is not verified');
  await press(page, 'Send the message again');
  await shows(page, 'The message is on its way.');
  const tab = await context.newPage();
  await tab.goto(await actionPath('verifyEmail', eve.email, 'VERIFY_EMAIL'));
  await press(tab, 'Verify your address');
  await shows(tab, 'Your address is verified.');
  await tab.close();
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await isGone(page.getByText('is not verified'));
});

test('a link that was used already says so', async () => {
  const visitor = await visit();
  await visitor.page.goto(`/auth/action?mode=verifyEmail&oobCode=used`);
  await shows(visitor.page, 'This link is not valid, or was used already.');
  await visitor.expectComplaint(/400/);
});

test('a link that cannot be checked without a connection is offered again, and works then', async () => {
  const { email } = await createAccount();
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/auth/sign-in');
  await press(page, 'Forgot your password?');
  await fillIn(page, { 'E-mail': email });
  await press(page, 'Send reset link');
  await shows(page, 'a message with a link is on its way');
  await page.route(/accounts:resetPassword/, (route) => route.abort());
  await page.goto(await actionPath('resetPassword', email, 'PASSWORD_RESET'));
  await heading(page, 'This page cannot be shown');
  await shows(page, 'Sign-in cannot be reached. Check your connection and try again.');
  await visitor.inspect('action-offline');
  await page.unroute(/accounts:resetPassword/);
  await press(page, 'Try again');
  await page.getByLabel('New password').waitFor();
  visitor.complaints.length = 0;
});

test('a guest follows the mailed link of an invitation signed out, signs up, verifies and is welcomed', async () => {
  const owner = await createAccount();
  const teamId = await createTeam(urls.app, owner, 'Embers & Co');
  const bob = stranger('Bob Birch');
  await inviteTo(urls.app, owner, teamId, bob.email);
  const { accept } = await mailedLinks(bob.email);
  const visitor = await visit();
  const { page, context } = visitor;
  await page.goto(accept);
  await heading(page, 'Create an account');
  await shows(page, 'invites you to Embers & Co as member.');
  expect(await page.getByLabel('E-mail').inputValue()).toBe(bob.email);
  await visitor.inspect('invited');
  await fillIn(page, { 'Your name': bob.name, Password: bob.password });
  await press(page, 'Create account');
  await heading(page, 'Verify your address');
  await visitor.inspect('verification');
  await press(page, 'I have verified, continue');
  await shows(page, 'Your address is not verified yet.');
  const tab = await context.newPage();
  await tab.goto(await actionPath('verifyEmail', bob.email, 'VERIFY_EMAIL'));
  await press(tab, 'Verify your address');
  await shows(tab, 'Your address is verified.');
  await tab.close();
  // The page goes on by itself when the person comes back to it.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await shows(page, 'Welcome to Embers & Co! You are now a member.');
});

test('an invitation link that has lost its end says so before anybody signs in', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await page.goto('/api/team/accept-invitation?invitationId=3f2c9a');
  await heading(page, 'This link is incomplete');
  await visitor.inspect('invitation-incomplete');
  await follow(page, 'Sign in without it');
  await heading(page, 'Sign in');
});

test('an invitation that is over says so before anybody signs in', async () => {
  const owner = await createAccount();
  const bob = stranger('Bob Birch');
  const { id } = await inviteTo(urls.app, owner, await createTeam(urls.app, owner), bob.email);
  const { accept } = await mailedLinks(bob.email);
  await expire(id);
  const visitor = await visit();
  const { page } = visitor;
  await page.goto(accept);
  await shows(page, 'expired');
  await heading(page, 'Sign in');
  await visitor.expectComplaint(/410/);
  await press(page, 'Ask for a new invitation');
  await heading(page, 'You have asked for a new invitation');
  expect((await mailTo(owner.email)).map(({ subject }) => subject)).toEqual([
    `${bob.email} asks for a new invitation to Acme`,
  ]);
});

test('somebody who is signed in to the wrong account switches it and accepts an invitation', async () => {
  const [owner, bob] = await Promise.all([createAccount(), createAccount()]);
  await inviteTo(urls.app, owner, await createTeam(urls.app, owner), bob.email);
  const { accept } = await mailedLinks(bob.email);
  const carol = await createAccount();
  const visitor = await visit(carol);
  const { page } = visitor;
  await page.goto(accept);
  await heading(page, 'This invitation is for another e-mail address.');
  await shows(page, `You are signed in as ${carol.email}.`);
  // The interface of the invitation routes asks for a heading of level 3.
  await visitor.inspect('invitation-other-address', { except: ['page-has-heading-one'] });
  await follow(page, 'Switch account');
  await shows(page, 'The invitation is for');
  expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(bob.email);
  await press(page, 'I have an account');
  await fillIn(page, { 'E-mail': bob.email, Password: bob.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shows(page, 'Welcome to Acme! You are now a member.');
  await visitor.expectComplaint(/403/);
});

test('somebody whose address is not verified uses another account, and the invitation is still there', async () => {
  const [owner, bob, carol] = await Promise.all([
    createAccount(),
    createAccount(),
    createAccount({ emailVerified: false }),
  ]);
  await inviteTo(urls.app, owner, await createTeam(urls.app, owner), bob.email);
  const { accept } = await mailedLinks(bob.email);
  const { page } = await visit(carol);
  await page.goto(`/auth/sign-in?${new URLSearchParams({ callback: accept }).toString()}`);
  await heading(page, 'Verify your address');
  await press(page, 'Use another account');
  await shows(page, 'The invitation is for');
  await press(page, 'I have an account');
  await fillIn(page, { 'E-mail': bob.email, Password: bob.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shows(page, 'Welcome to Acme! You are now a member.');
});

test('somebody who switches to a new account accepts an invitation by the link that verifies it', async () => {
  const [owner, carol] = await Promise.all([createAccount(), createAccount()]);
  const bob = stranger('Bob Birch');
  await inviteTo(urls.app, owner, await createTeam(urls.app, owner), bob.email);
  const { accept } = await mailedLinks(bob.email);
  const visitor = await visit(carol);
  const { page, context } = visitor;
  await page.goto(accept);
  await follow(page, 'Switch account');
  await heading(page, 'Create an account');
  await fillIn(page, { 'Your name': bob.name, Password: bob.password });
  await press(page, 'Create account');
  await heading(page, 'Verify your address');
  const tab = await context.newPage();
  // This page would accept the invitation, too.
  await page.close();
  await tab.goto(await mailedVerification(bob.email));
  await press(tab, 'Verify your address');
  await follow(tab, 'Continue');
  await shows(tab, 'Welcome to Acme! You are now a member.');
  await visitor.expectComplaint(/403/);
});

test('somebody signs in with Google in a separate window', async () => {
  const { page } = await visit();
  await page.goto('/auth/sign-in?callback=https%3A%2F%2Fevil.example%2F');
  const [popup] = await Promise.all([page.waitForEvent('popup'), press(page, 'Continue with Google')]);
  await popup.getByText('Add new account').click();
  await popup.locator('#email-input').fill(`${randomUUID()}@gmail.example`);
  await popup.locator('#display-name-input').fill('Carol');
  await popup.locator('#sign-in').click();
  await heading(page, 'Hello, Carol');
  expect(page.url()).toBe(`${urls.app}/dashboard`);
});

test('a person finds their address changed, restores it, and receives a link to a new password', async () => {
  const { uid, email, password } = await createAccount();
  await changeEmail({ email, password }, `${randomUUID()}@thief.example`);
  const visitor = await visit();
  const { page } = visitor;
  await page.goto(await actionPath('recoverEmail', email, 'RECOVER_EMAIL'));
  await shows(page, email);
  await visitor.inspect('recover-address');
  expect((await adminAuth().getUser(uid)).email).not.toBe(email);
  await press(page, 'Take your old address back');
  await shows(page, 'We sent you a message to choose a new password.');
  expect(await adminAuth().getUser(uid)).toMatchObject({ email, emailVerified: true });
  await page.goto(await actionPath('resetPassword', email, 'PASSWORD_RESET'));
  await fillIn(page, { 'New password': 'a new correct horse' });
  await press(page, 'Save password');
  await shows(page, 'Your password has been changed.');
  await signIn(visitor, { email, password: 'a new correct horse' });
});

test('an address is restored although the message about the password cannot be sent', async () => {
  const { uid, email, password } = await createAccount();
  await changeEmail({ email, password }, `${randomUUID()}@other.example`);
  const visitor = await visit();
  const { page } = visitor;
  await page.route(/accounts:sendOobCode/, (route) => route.abort());
  await page.goto(await actionPath('recoverEmail', email, 'RECOVER_EMAIL'));
  await press(page, 'Take your old address back');
  await shows(page, 'choose a new one on the sign-in page');
  expect((await adminAuth().getUser(uid)).email).toBe(email);
  await visitor.expectComplaint(/accounts:sendOobCode/);
});

/**
 * Changes an address with the client SDK, as a thief does who knows the password. In production this needs a project
 * without email enumeration protection; the emulator always allows it.
 */
async function changeEmail(account: { email: string; password: string }, to: string): Promise<void> {
  const client = initializeApp({ apiKey: 'x' }, to);
  const auth = initializeAuth(client);
  connectAuthEmulator(auth, urls.auth, { disableWarnings: true });
  const { user } = await signInWithEmailAndPassword(auth, account.email, account.password);
  await updateEmail(user, to);
  await deleteApp(client);
}

test.each([
  ['sign-up', '/auth/sign-in', 'Create an account'],
  ['forgotten-password', '/auth/sign-in', 'Forgot your password?'],
  ['incomplete-link', '/auth/action?mode=unknown', undefined],
])('the page is accessible: %s', async (name, path, button) => {
  const visitor = await visit();
  await visitor.page.goto(path);
  await visitor.page.getByRole('heading').first().waitFor();
  if (button !== undefined) await press(visitor.page, button);
  await visitor.inspect(name);
});

test('the page for unknown URLs is accessible', async () => {
  const visitor = await visit();
  await visitor.page.goto('/nothing');
  await visitor.page.getByRole('heading').first().waitFor();
  await visitor.inspect('not-found');
  await visitor.expectComplaint(/404/);
});

test('a script that the security policy does not allow is blocked, and this test detects it', async () => {
  const visitor = await visit();
  await visitor.page.goto('/');
  await visitor.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(script);
  });
  expect(await visitor.page.title()).toBe(BRAND.name);
  await visitor.expectComplaint(/Content Security Policy/);
});
