import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { adminAuth, signUp, type Person } from '../support/people.ts';
import { useBrowser, type Visitor } from './support/browser.ts';
import { buildPages, servePages, type BuiltPages } from './support/built-pages.ts';
import { actionPath, fillIn, heading, isGone, press, shows, signIn } from './support/steps.ts';
import { addAuthenticators, codeAt } from './support/totp.ts';

const visit = useBrowser();

/** The pages with the second factor turned on. */
let pages: BuiltPages;
beforeAll(async () => {
  pages = await buildPages({ VITE_SECOND_FACTOR: 'true' });
});

const dialogOf = (page: Page) => page.getByRole('dialog');

const factorsOf = async ({ uid }: Person) =>
  (await adminAuth().getUser(uid)).multiFactor?.enrolledFactors ?? [];

const submit = (page: Page, name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true }).click();

test('a person turns on the second factor, signs in with it, and turns it off', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page, context } = visitor;
  await servePages(context, pages);
  await addAuthenticators(context);

  await page.goto('/account');
  await press(page, 'Turn on');
  await fillIn(page, { 'Your password': person.password });
  await submit(page, 'Continue');
  await shows(page, 'Scan this with your authenticator app');
  await visitor.inspect('account-second-factor');
  const secret = await dialogOf(page).locator('code').innerText();
  await fillIn(page, { Code: '000 000' });
  await submit(page, 'Turn on the second factor');
  await shows(page, 'This code is wrong or has expired.');
  await visitor.expectComplaint(/400/);
  expect(await factorsOf(person)).toEqual([]);
  await fillIn(page, { Code: codeAt(secret) });
  await submit(page, 'Turn on the second factor');
  await shows(page, 'The second factor is on.');
  expect(await factorsOf(person)).toHaveLength(1);

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.goto('/auth/sign-in');
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'Enter your code');
  await visitor.inspect('sign-in-second-factor');
  await fillIn(page, { Code: '000000' });
  await press(page, 'Sign in');
  await shows(page, 'This code is wrong or has expired.');
  await visitor.expectComplaint(/400/);
  await fillIn(page, { Code: codeAt(secret) });
  await press(page, 'Sign in');
  await heading(page, /^Hello/);
  await page.goto('/account');

  await press(page, 'Turn off');
  await fillIn(page, { 'Your password': person.password, Code: codeAt(secret) });
  await visitor.inspect('account-second-factor-off');
  await submit(page, 'Turn off the second factor');
  await shows(page, 'The second factor is off.');
  expect(await factorsOf(person)).toEqual([]);
  await page.reload();
  await shows(page, 'Protect your account');
});

/**
 * Ends the user's sessions when a second factor is changed, until the next sign-in, as Firebase Auth may do. The
 * emulator ends none.
 */
async function endSessionsAtChange(context: BrowserContext): Promise<void> {
  const headers = { 'Access-Control-Allow-Origin': '*' };
  let hasEnded = false;
  await context.route(/mfaEnrollment:(withdraw|finalize)\?/, async (route) => {
    hasEnded = true;
    await route.fallback();
  });
  await context.route(/:signInWithPassword\?/, async (route) => {
    hasEnded = false;
    await route.fallback();
  });
  await context.route(/accounts:lookup\?/, (route) =>
    hasEnded
      ? route.fulfill({ headers, status: 400, json: { error: { code: 400, message: 'TOKEN_EXPIRED' } } })
      : route.fallback(),
  );
}

test('a person whose session ends with the change of the second factor is led to sign in', async () => {
  const person = await signUp();
  const visitor = await visit(person);
  const { page, context } = visitor;
  await servePages(context, pages);
  await addAuthenticators(context);
  await endSessionsAtChange(context);

  await page.goto('/account');
  await press(page, 'Turn on');
  await fillIn(page, { 'Your password': person.password });
  await submit(page, 'Continue');
  const secret = await dialogOf(page).locator('code').innerText();
  await fillIn(page, { Code: codeAt(secret) });
  await submit(page, 'Turn on the second factor');
  await shows(page, 'Your session has ended.');
  await visitor.inspect('sign-in-session-ended');
  await visitor.expectComplaint(/400/);
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await fillIn(page, { Code: codeAt(secret) });
  await press(page, 'Sign in');
  await shows(page, 'Each sign-in asks for a code');

  await press(page, 'Turn off');
  await fillIn(page, { 'Your password': person.password, Code: codeAt(secret) });
  await submit(page, 'Turn off the second factor');
  await shows(page, 'Your session has ended.');
  await visitor.expectComplaint(/400/);
  expect(await factorsOf(person)).toEqual([]);
  await fillIn(page, { 'E-mail': person.email, Password: person.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shows(page, 'Protect your account');
});

/**
 * Answers for the link with which Firebase's mail removes a new second factor. The Auth emulator knows no such link.
 * https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/resetPassword
 */
async function addRevertLinks({ context }: Visitor, { uid, email }: Person): Promise<string> {
  const code = randomUUID();
  const isForCode = (route: Route) =>
    (route.request().postDataJSON() as { oobCode?: string }).oobCode === code;
  const headers = { 'Access-Control-Allow-Origin': '*' };
  await context.route(/accounts:resetPassword\?/, (route) => {
    if (!isForCode(route)) return route.fallback();
    const mfaInfo = { mfaEnrollmentId: 'new', displayName: 'Authenticator app', totpInfo: {} };
    return route.fulfill({ headers, json: { requestType: 'REVERT_SECOND_FACTOR_ADDITION', email, mfaInfo } });
  });
  await context.route(/accounts:update\?/, async (route) => {
    if (!isForCode(route)) return route.fallback();
    await adminAuth().updateUser(uid, { multiFactor: { enrolledFactors: null } });
    await route.fulfill({ headers, json: { localId: uid, email, emailVerified: true } });
  });
  return `/auth/action?${new URLSearchParams({ mode: 'revertSecondFactorAddition', oobCode: code }).toString()}`;
}

async function signUpWithFactor(): Promise<Person> {
  const person = await signUp();
  const enrolledFactors = [{ factorId: 'phone', uid: 'new', phoneNumber: '+15555550111' }];
  await adminAuth().updateUser(person.uid, { multiFactor: { enrolledFactors } });
  return person;
}

test('a person finds a strange second factor, removes it, and receives a link to a new password', async () => {
  const person = await signUpWithFactor();
  const visitor = await visit();
  const { page } = visitor;
  await page.goto(await addRevertLinks(visitor, person));
  await shows(page, person.email);
  await visitor.inspect('revert-second-factor');
  expect(await factorsOf(person)).toHaveLength(1);
  await press(page, 'Remove the new second factor');
  await shows(page, 'We sent you a message to choose a new password.');
  expect(await factorsOf(person)).toEqual([]);
  await page.goto(await actionPath('resetPassword', person.email, 'PASSWORD_RESET'));
  await fillIn(page, { 'New password': 'a new correct horse' });
  await press(page, 'Save password');
  await shows(page, 'Your password has been changed.');
  await signIn(visitor, { email: person.email, password: 'a new correct horse' });
});

test('a second factor is removed although the message about the password cannot be sent', async () => {
  const person = await signUpWithFactor();
  const visitor = await visit();
  const { page } = visitor;
  await page.route(/accounts:sendOobCode/, (route) => route.abort());
  await page.goto(await addRevertLinks(visitor, person));
  await press(page, 'Remove the new second factor');
  await shows(page, 'choose a new one on the sign-in page');
  expect(await factorsOf(person)).toEqual([]);
  await visitor.expectComplaint(/accounts:sendOobCode/);
});

test('somebody with an unverified address cannot turn on the second factor', async () => {
  const { page, context } = await visit(await signUp({ emailVerified: false }));
  await servePages(context, pages);
  await page.goto('/account');
  await shows(page, 'Verify your e-mail address first.');
  await isGone(page.getByRole('button', { name: 'Turn on' }));
});

test('a project without the second factor does not offer it', async () => {
  const { page } = await visit(await signUp());
  await page.goto('/account');
  await shows(page, 'this one');
  expect(await page.getByText('Second factor').count()).toBe(0);
});
