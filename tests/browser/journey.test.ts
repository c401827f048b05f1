import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { png, pngOfSize } from '../support/files.ts';
import { launch, Visitor } from './support/browser.ts';
import { judgeWhatArrives } from './support/direct-uploads.ts';
import { signIn } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { actionPath, fillIn, focused, heading, press, shows, signUp } from './support/steps.ts';

const run = randomUUID().slice(0, 8);
const ann = { name: 'Ann Ember', email: `ann-${run}@journey.example`, password: 'correct horse' };
const bob = { name: 'Bob Birch', email: `bob-${run}@journey.example`, password: 'battery staple' };

let browser: Browser;
let first: Visitor;
let second: Visitor;
beforeAll(async () => {
  browser = await launch();
  [first, second] = await Promise.all([Visitor.open(browser), Visitor.open(browser)]);
});
afterAll(() => browser.close());

/** After a step that failed the others would only wait for what does not come. */
let hasFailed = false;
beforeEach(({ skip, onTestFailed }) => {
  skip(hasFailed, 'A step before this one failed.');
  onTestFailed(() => {
    hasFailed = true;
  });
});

afterEach(() => {
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});

/** What holds for every page: readable for everybody, and on a phone. */
async function inspect(visitor: Visitor, name: string): Promise<void> {
  expect(await visitor.barriers(), name).toEqual([]);
  await visitor.page.setViewportSize({ width: 360, height: 740 });
  expect(await visitor.fits(), `${name} at 360 px`).toBe(true);
  await visitor.page.setViewportSize({ width: 1200, height: 800 });
  await visitor.screenshot(name);
}

/** Drops a text file on an element. */
async function drop(page: Page, selector: string, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: 'text/plain' }));
      return transfer;
    },
    [name, text] as const,
  );
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
}

test('the start page leads to signing in', async () => {
  const { page } = first;
  await page.goto('/');
  await heading(page, 'The backend your team gathers around');
  await inspect(first, 'home');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await heading(page, 'Sign in');
  await inspect(first, 'sign-in');
});

test('somebody signs up, and sees that the address is not verified yet', async () => {
  const { page } = first;
  await signUp(first, ann);
  await heading(page, `Hello, ${ann.name}`);
  await shows(page, 'is not verified');
  await shows(page, 'You are in no team yet.');
  await inspect(first, 'dashboard-empty');
});

test('they verify the address by the link in the message', async () => {
  const { page } = first;
  await page.goto(await actionPath('verifyEmail', ann.email, 'VERIFY_EMAIL'));
  await inspect(first, 'verify');
  await press(page, 'Verify your address');
  await shows(page, 'Your address is verified.');
  await page.getByRole('link', { name: 'Continue' }).click();
  await heading(page, `Hello, ${ann.name}`);
  expect(await page.getByText('is not verified').count()).toBe(0);
});

test('a link that was used already says so', async () => {
  const { page } = first;
  await page.goto(`/auth/action?mode=verifyEmail&oobCode=used`);
  await shows(page, 'This link is not valid, or was used already.');
  first.complaints.length = 0; // The browser notes that Firebase answered 400.
});

let acceptUrl: string;

test('they make a team and invite somebody', async () => {
  const { page } = first;
  await page.goto('/dashboard');
  await fillIn(page, { 'New team': 'Embers & Co' });
  await press(page, 'Create team');
  await heading(page, 'Embers & Co');
  await fillIn(page, { 'E-mail': bob.email });
  await press(page, 'Send invitation');
  await shows(page, `${bob.email} is invited.`);
  await page.getByRole('button', { name: `Copy link for ${bob.email}` }).click();
  acceptUrl = await page.evaluate(() => navigator.clipboard.readText());
  expect(acceptUrl).toMatch(/^http:\/\/localhost:\d+\/api\/team\/accept-invitation\?invitationId=\w{40}$/);
});

test('the guest follows the link signed out, signs up, verifies and is welcomed', async () => {
  const { page, context } = second;
  await page.goto(acceptUrl);
  await heading(page, 'Sign in');
  await signUp(second, bob);
  await heading(page, 'Verify your address');
  await inspect(second, 'verification');
  await press(page, 'I have verified, continue');
  await shows(page, 'Your address is not verified yet.');
  const tab = await context.newPage();
  await tab.goto(await actionPath('verifyEmail', bob.email, 'VERIFY_EMAIL'));
  await press(tab, 'Verify your address');
  await shows(tab, 'Your address is verified.');
  await tab.close();
  await press(page, 'I have verified, continue');
  await shows(page, 'Welcome to Embers & Co! You are now a member.');
});

test('the owner sees the new member without reloading, and the new role shows at the member’s', async () => {
  const { page } = first;
  await shows(page, bob.name);
  await shows(page, `${bob.name} joined as member`);
  await shows(second.page, 'Team settings');
  expect(await second.page.getByRole('button', { name: 'Send invitation' }).count()).toBe(0);
  await page.getByLabel(`Role of ${bob.name}`).selectOption('admin');
  await second.page.getByRole('button', { name: 'Send invitation' }).waitFor();
  await inspect(first, 'dashboard');
  await inspect(second, 'dashboard-admin');
});

test('who is invited to another team sees it come, and declines', async () => {
  await fillIn(second.page, { 'New team': 'Birches' });
  await press(second.page, 'Create team');
  await heading(second.page, 'Birches');
  await fillIn(second.page, { 'E-mail': ann.email });
  await press(second.page, 'Send invitation');
  await heading(first.page, 'You are invited');
  await inspect(first, 'dashboard-invited');
  await press(first.page, 'Decline');
  await shows(first.page, 'You declined the invitation.');
  expect(await first.page.getByRole('heading', { name: 'You are invited' }).count()).toBe(0);
});

test('a change that is refused is undone on the page', async () => {
  const { page } = first;
  const own = page.getByLabel(`Role of ${ann.name}`);
  await own.selectOption('member');
  await shows(page, 'A team keeps at least one owner.');
  expect(await own.inputValue()).toBe('owner');
  first.complaints.length = 0; // The browser notes the 409.
});

test('files are uploaded, shown, opened by their link and deleted', async () => {
  const { page } = first;
  await page.getByRole('link', { name: 'Files' }).click();
  await shows(page, 'You have no files yet.');
  await inspect(first, 'files-empty');
  const picture = png(64, 64);
  await page
    .getByLabel('Drop files here, or choose them')
    .setInputFiles([{ name: 'hearth.png', mimeType: 'image/png', buffer: picture }]);
  const link = page.getByRole('link', { name: 'hearth.png' });
  await link.waitFor();
  const fetched = await fetch((await link.getAttribute('href')) ?? '');
  expect(Buffer.from(await fetched.arrayBuffer()).equals(picture)).toBe(true);
  await inspect(first, 'files');
  await press(page, 'Delete');
  await press(page, 'Delete the file');
  await shows(page, 'You have no files yet.');
  expect(await focused(page)).toBe('Your files');
  await drop(page, '.dropzone', 'note.txt', 'Warm.');
  await page.getByRole('link', { name: 'note.txt' }).waitFor();
});

test('a large file goes straight to Storage, and is in the list when it is judged', async () => {
  const { page } = first;
  const picker = page.getByLabel('Drop files here, or choose them');
  // Nothing arrives before it is paused, however fast it would be.
  await page.route(/[?&]upload_id=/, () => undefined);
  await picker.setInputFiles([{ name: 'large.png', mimeType: 'image/png', buffer: pngOfSize(9_000_000) }]);
  await page.getByRole('button', { name: 'Pause large.png' }).focus();
  await page.keyboard.press('Enter');
  await shows(page, 'Paused');
  const resume = page.getByRole('button', { name: 'Resume large.png', disabled: false });
  expect(await resume.evaluate((button) => button === document.activeElement)).toBe(true);
  await inspect(first, 'files-paused');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.keyboard.press('Enter');
  await judgeWhatArrives(ann.email, 'large-');
  await page.getByRole('link', { name: 'large.png', exact: true }).waitFor();
});

test('a large file is given up while it is paused, and refused when it is not what it says', async () => {
  const { page } = first;
  const picker = page.getByLabel('Drop files here, or choose them');
  await page.route(/[?&]upload_id=/, () => undefined);
  await picker.setInputFiles([{ name: 'never.png', mimeType: 'image/png', buffer: pngOfSize(9_000_000) }]);
  await press(page, 'Pause never.png');
  await shows(page, 'Paused');
  await press(page, 'Cancel never.png');
  await page.getByText('never.png').waitFor({ state: 'detached' });
  expect(await picker.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await picker.setInputFiles([{ name: 'no.png', mimeType: 'image/png', buffer: Buffer.alloc(9_000_000) }]);
  await judgeWhatArrives(ann.email, 'no-');
  await shows(page, 'The file is not what its extension says');
  await press(page, 'Dismiss no.png');
});

test('a file of another kind is refused in words', async () => {
  const { page } = first;
  await page
    .getByLabel('Drop files here, or choose them')
    .setInputFiles([{ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }]);
  await shows(page, 'The file is not what its extension .png says.');
  await press(page, 'Dismiss fake.png');
  first.complaints.length = 0; // The browser notes the 415.
});

test('they subscribe on the hosted page, and manage it in the portal', async () => {
  const { page } = first;
  await page.getByRole('link', { name: 'Billing' }).click();
  await shows(page, 'You have no subscription.');
  await inspect(first, 'billing');
  await page.getByRole('link', { name: 'Subscribe to Pro' }).click();
  await page.getByRole('button', { name: /^Pay|^Start trial/ }).click();
  await heading(page, 'Thank you');
  await shows(page, 'The subscription is active.');
  await inspect(first, 'billing-success');
  await page.getByRole('link', { name: 'Billing' }).first().click();
  await shows(page, /Active: it renews on|In its trial until/);
  await inspect(first, 'billing-subscribed');
  await page.getByRole('link', { name: 'Manage billing' }).click();
  await page.waitForURL(/\/p\/session\//);
  await shows(page, 'Pro');
  await page.getByRole('link', { name: 'Return' }).click();
  await heading(page, 'Billing');
});

test('plans for a team are bought for the team', async () => {
  const { page } = first;
  await page.getByLabel('For').selectOption({ label: 'Embers & Co' });
  await shows(page, 'The team has no subscription.');
  const href = await page.getByRole('link', { name: 'Subscribe to Business' }).getAttribute('href');
  expect(href).toMatch(/\/checkout\/business\?interval=month&team=\w+$/);
});

test('the account page changes the name, and lists the sessions', async () => {
  const { page } = first;
  await page.getByRole('link', { name: 'Account' }).click();
  await shows(page, 'this one');
  await inspect(first, 'account');
  await fillIn(page, { 'Your name': 'Ann E.' });
  await press(page, 'Save');
  await shows(page, 'Saved.');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await heading(page, 'Hello, Ann E.');
});

test('the account page ends a session elsewhere', async () => {
  const { page } = first;
  const { idToken } = await signIn({ uid: '', email: ann.email, password: ann.password });
  const origin = new URL(page.url()).origin;
  const begun = await call('POST', `${origin}/api/auth/session`, {
    headers: { Origin: origin },
    json: { idToken },
  });
  const elsewhere = { Cookie: begun.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const statusElsewhere = async () =>
    (await call('GET', `${origin}/api/auth/session`, { headers: elsewhere })).status;
  expect([begun.status, await statusElsewhere()]).toEqual([201, 200]);
  await page.getByRole('link', { name: 'Account' }).click();
  await inspect(first, 'sessions');
  const end = page.getByRole('button', { name: /^End the session in Another program/ });
  await end.click();
  await shows(page, 'Signed out of Another program.');
  await end.waitFor({ state: 'detached' });
  await shows(page, 'this one');
  expect(await statusElsewhere()).toBe(401);
  await page.getByRole('link', { name: 'Dashboard' }).click();
});

test('they sign out, choose a new password by the link in the message, and sign in with it', async () => {
  const { page } = first;
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await press(page, 'Forgot your password?');
  await fillIn(page, { 'E-mail': ann.email });
  await press(page, 'Send reset link');
  await shows(page, 'a message with a link is on its way');
  await page.goto(await actionPath('resetPassword', ann.email, 'PASSWORD_RESET'));
  await fillIn(page, { 'New password': 'a new correct horse' });
  await inspect(first, 'reset');
  await press(page, 'Save password');
  await shows(page, 'Your new password holds from now on.');
  await page.getByRole('link', { name: 'Continue' }).click();
  await heading(page, 'Sign in');
  await fillIn(page, { 'E-mail': ann.email, Password: 'a new correct horse' });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, 'Hello, Ann E.');
});

test('who is signed out elsewhere is led to sign in by the next thing they ask for', async () => {
  const { page, context } = second;
  await page.goto('/dashboard');
  await press(page, 'Birches');
  await context.clearCookies();
  await fillIn(page, { Name: 'Birch Wood' });
  await press(page, 'Rename');
  await heading(page, 'Sign in');
  second.complaints.length = 0; // The browser notes the 401.
  await fillIn(page, { 'E-mail': bob.email, Password: bob.password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, `Hello, ${bob.name}`);
});

test('signing out everywhere ends it here', async () => {
  const { page } = second;
  await page.getByRole('link', { name: 'Account' }).click();
  await press(page, 'Sign out everywhere');
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.goto('/dashboard');
  await heading(page, 'Sign in');
});
