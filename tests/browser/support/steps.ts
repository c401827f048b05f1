import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { BROWSER_BACKSTOP_MS } from '../../../scripts/backstop.ts';
import { codeMailedTo, type CodeKind } from '../../support/mailbox.ts';
import type { Visitor } from './browser.ts';

export interface Identity {
  name: string;
  email: string;
  password: string;
}

export async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).first().waitFor();

export const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

export const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click();

/** Opens a page as a link in the app does: the app is not loaded again. */
export async function openInside(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a');
    link.href = href;
    link.textContent = 'Inside';
    document.querySelector('main')?.prepend(link);
  }, path);
  await follow(page, 'Inside');
}

/** The URL of the app's own page for a message that Firebase sends. */
export async function actionPath(mode: string, email: string, kind: CodeKind): Promise<string> {
  const oobCode = await codeMailedTo(email, kind);
  return `/auth/action?${new URLSearchParams({ mode, oobCode, apiKey: 'x' }).toString()}`;
}

export async function signUp({ page }: Visitor, { name, email, password }: Identity): Promise<void> {
  await press(page, 'Create an account');
  await fillIn(page, { 'Your name': name, 'E-mail': email, Password: password });
  await press(page, 'Create account');
}

export async function signIn(
  { page }: Visitor,
  { email, password }: Pick<Identity, 'email' | 'password'>,
): Promise<void> {
  await page.goto('/auth/sign-in');
  await fillIn(page, { 'E-mail': email, Password: password });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await heading(page, /^Hello/);
}

/** Waits until no such element is on the page. */
export const isGone = (locator: Locator) => locator.first().waitFor({ state: 'detached' });

/** Waits until a page is as expected, because the effects of a click appear after the click has returned. */
export const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: BROWSER_BACKSTOP_MS });

/** Waits until the element with this text has the focus. */
export const hasFocus = (page: Page, text: string) =>
  eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe(text);

export const isFocused = (locator: Locator) =>
  eventually(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);
