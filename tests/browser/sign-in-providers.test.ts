import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { signUp, type Person } from '../support/people.ts';
import { createTeam, inviteTo, mailedLinks } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { buildPages, servePages, type BuiltPages } from './support/built-pages.ts';
import { heading, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

type Providers = 'google' | 'password';

/** The pages of a project with one way to sign in. */
let pages: Readonly<Record<Providers, BuiltPages>>;
beforeAll(async () => {
  // One after the other, because each build reads the environment.
  const google = await buildPages({ VITE_SIGN_IN_PROVIDERS: 'google' });
  pages = { google, password: await buildPages({ VITE_SIGN_IN_PROVIDERS: 'password' }) };
});

async function visitWith(providers: Providers, person?: Person) {
  const visitor = await visit(person);
  await servePages(visitor.context, pages[providers]);
  return visitor;
}

/** The names of the buttons of the page's content. */
const buttonsOf = (page: Page) => page.getByRole('main').getByRole('button').allTextContents();

test('a project without passwords offers only Google', async () => {
  const visitor = await visitWith('google');
  const { page } = visitor;
  await page.goto('/auth/sign-in');
  await heading(page, 'Sign in');
  expect(await buttonsOf(page)).toEqual(['Continue with Google']);
  expect(await page.getByRole('textbox').count()).toBe(0);
  await visitor.inspect('sign-in-google');
});

test('a project without passwords leads an invited person to Google', async () => {
  const { page } = await visitWith('google');
  const owner = await signUp();
  const email = `${randomUUID()}@sign-in.example`;
  await inviteTo(urls.app, owner, await createTeam(urls.app, owner), email);
  const { accept } = await mailedLinks(email);
  await page.goto(`/auth/sign-in?callback=${encodeURIComponent(accept)}`);
  await heading(page, 'Sign in');
  await shows(page, /invites you to/);
  expect(await buttonsOf(page)).toEqual(['Continue with Google']);
});

test('a project without passwords has no password to change', async () => {
  const { page } = await visitWith('google', await signUp());
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Google' }).waitFor();
  expect(await buttonsOf(page)).not.toContain('Change password');
});

test('a project without Google offers only passwords', async () => {
  const visitor = await visitWith('password', await signUp());
  const { page } = visitor;
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change password' }).waitFor();
  expect(await buttonsOf(page)).not.toContain('Connect Google');
  await page.goto('/auth/sign-in?switch=true');
  await heading(page, 'Sign in');
  expect(await buttonsOf(page)).not.toContain('Continue with Google');
  expect(await page.getByText('or with e-mail').count()).toBe(0);
});
