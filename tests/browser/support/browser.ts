import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { AXE_FILE, launchChromium } from '@hearth/testing/chromium';
import { BROWSER_BACKSTOP_MS } from '../../../scripts/backstop.ts';
import type { Person } from '../../support/people.ts';
import { stubGapi } from './gapi.ts';
import { signedInState } from './signed-in-state.ts';

/** Folder for pictures of the pages, which are taken with HEARTH_SCREENSHOTS=1. */
const SCREENSHOTS = join(import.meta.dirname, '../screenshots');
const SCREEN = { width: 1280, height: 800 };

/** A page that hangs is not waited for. */
const DESCRIBE_MS = 5_000;

const TAKES_SCREENSHOTS = process.env['HEARTH_SCREENSHOTS'] === '1';

let axe: Promise<string> | undefined;
const axeScript = () => (axe ??= readFile(AXE_FILE, 'utf8'));

export async function launch(): Promise<Browser> {
  await mkdir(SCREENSHOTS, { recursive: true });
  return launchChromium();
}

/**
 * One browser for the tests of a file. Closes what a test opened, and fails the test when a page complained.
 *
 * @returns a function that opens a browser context: of the given person, who is signed in, or of nobody
 */
export function useBrowser(): (person?: Person) => Promise<Visitor> {
  let browser: Promise<Browser> | undefined;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    await (browser = launch());
  });
  afterAll(async () => (await browser)?.close());
  afterEach(async ({ task }) => {
    const opened = visitors.splice(0);
    const hasFailed = task.result?.state === 'fail';
    const shown = hasFailed ? await Promise.all(opened.map((visitor) => visitor.describe())) : [];
    await Promise.all(opened.map(({ context }) => context.close()));
    if (hasFailed) throw new Error(`The pages when the test failed:\n${shown.join('\n')}`);
    expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
  return async (person) => {
    if (browser === undefined) throw new Error('The browser is launched before the first test.');
    const visitor = await Visitor.open(await browser, person);
    visitors.push(visitor);
    return visitor;
  };
}

/** One person's browser: a context of its own, watched for everything that a page complains of. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors in the console of our own pages: failures of scripts and requests, and what the security policy blocked. */
  readonly complaints: string[] = [];
  /** Requests without an answer so far, and those that failed. */
  readonly #requests = new Map<Request, string>();

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    context.on('console', (message) => {
      const { url } = message.location();
      const isOurs = message.page()?.url().startsWith(inject('stack').urls.app) ?? false;
      // A signed-out page requests the session too, and the browser logs the 401.
      const isExpected = url.endsWith('/api/auth/session') && message.text().includes('401');
      if (message.type() === 'error' && isOurs && !isExpected)
        this.complaints.push(`${message.text()} ${url}`);
    });
    context.on('request', (request) => this.#requests.set(request, 'no answer'));
    context.on('requestfinished', (request) => this.#requests.delete(request));
    context.on('requestfailed', (request) => {
      this.#requests.set(request, request.failure()?.errorText ?? 'failed');
    });
    context.on('weberror', (error) => {
      if (error.page()?.url().startsWith(inject('stack').urls.app) === true) {
        this.complaints.push(String(error.error()));
      }
    });
  }

  static async open(browser: Browser, person?: Person): Promise<Visitor> {
    const context = await browser.newContext({
      ...(person !== undefined && { storageState: await signedInState(person) }),
      baseURL: inject('stack').urls.app,
      locale: 'en-US',
      // A colour in transition cannot be checked for contrast.
      reducedMotion: 'reduce',
      viewport: SCREEN,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(BROWSER_BACKSTOP_MS);
    await stubGapi(context);
    return new Visitor(context, await context.newPage());
  }

  /** Waits for a complaint that the test provokes, and ignores it. */
  async expectComplaint(pattern: RegExp): Promise<void> {
    const { complaints } = this;
    const find = () => complaints.findIndex((complaint) => pattern.test(complaint));
    await expect
      .poll(find, { timeout: BROWSER_BACKSTOP_MS, message: pattern.source })
      .toBeGreaterThanOrEqual(0);
    complaints.splice(find(), 1);
  }

  /** The text, address, complaints and requests of the page: for the error of a test that failed. */
  async describe(): Promise<string> {
    const { page, complaints } = this;
    const text = await page
      .locator('body')
      .innerText({ timeout: DESCRIBE_MS })
      .catch((error: unknown) => String(error));
    const requests = [...this.#requests].map(
      ([request, state]) => `${request.method()} ${request.url()}: ${state}`,
    );
    return [page.url(), text.slice(0, 2_000), ...complaints, ...requests.slice(-20)].join('\n');
  }

  /** Checks a state of a page: everybody can use it, and it fits on a phone. */
  async inspect(name: string): Promise<void> {
    expect(await this.barriers(), name).toEqual([]);
    await this.page.setViewportSize({ width: 360, height: 740 });
    expect(await this.fits(), `${name} at 360 px`).toBe(true);
    await this.page.setViewportSize(SCREEN);
    await this.screenshot(name);
  }

  /** Serious accessibility faults that axe finds. https://dequeuniversity.com/rules/axe/ */
  async barriers(): Promise<string[]> {
    // As a script of the test and not of the page, whose security policy allows its own scripts only.
    const isLoaded = await this.page.evaluate(() => 'axe' in globalThis);
    if (!isLoaded) await this.page.evaluate(await axeScript());
    const inLight = await this.#runAxe({ resultTypes: ['violations'] });
    await this.page.emulateMedia({ colorScheme: 'dark' });
    const inDark = await this.#runAxe({ runOnly: ['color-contrast'] });
    await this.page.emulateMedia({ colorScheme: 'light' });
    return [...inLight, ...inDark];
  }

  async #runAxe(options: RunOptions): Promise<string[]> {
    const { violations } = await this.page.evaluate(
      (given) => (globalThis as unknown as { axe: typeof Axe }).axe.run(given),
      options,
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  /** Whether the page can be read without scrolling sideways. */
  fits(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  }

  /** Pictures of the page in light and dark and on a small phone, for somebody to look at. */
  async screenshot(name: string): Promise<void> {
    if (!TAKES_SCREENSHOTS) return;
    const { page } = this;
    const size = page.viewportSize() ?? SCREEN;
    const take = (variant: string) =>
      page.screenshot({
        path: join(SCREENSHOTS, `${name}-${variant}.png`),
        fullPage: true,
        animations: 'disabled',
      });
    await take('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await take('dark');
    await page.setViewportSize({ width: 360, height: 740 });
    await take('phone-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await take('phone');
    await page.setViewportSize(size);
  }
}
