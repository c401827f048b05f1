import { launchChromium } from '@hearth/testing/chromium';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { BROWSER_BACKSTOP_MS } from '../../../scripts/backstop.ts';
import type { Person } from '../../support/people.ts';
import { stubGapi } from './gapi.ts';
import { inspectPage, type InspectOptions } from './inspect.ts';
import { signedInState } from './signed-in-state.ts';

const SCREEN = { width: 1280, height: 800 };

/** A page that hangs is not waited for. */
const DESCRIBE_MS = 5_000;

/**
 * One browser for the tests of a file. Closes the pages of each test, and fails the test if a page logged an error.
 *
 * @returns a function that opens a browser context: of the given person, who is signed in, or of nobody; in English
 *   unless it gets another locale
 */
export function useBrowser(): (person?: Person, locale?: string) => Promise<Visitor> {
  let browser: Promise<Browser> | undefined;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    await (browser = launchChromium());
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
  return async (person, locale = 'en-US') => {
    if (browser === undefined) throw new Error('The browser is launched before the first test.');
    const visitor = await Visitor.open(await browser, locale, person);
    visitors.push(visitor);
    return visitor;
  };
}

/** One person's browser: a context of its own, watched for everything that a page complains of. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors in the console of our own pages: failed scripts and requests, and violations of the security policy. */
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

  static async open(browser: Browser, locale: string, person?: Person): Promise<Visitor> {
    const context = await browser.newContext({
      ...(person !== undefined && { storageState: await signedInState(person) }),
      baseURL: inject('stack').urls.app,
      locale,
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

  /** The text, URL, console errors and requests of the page, for the error of a failed test. */
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

  /** Checks a state of the page. */
  inspect(name: string, options?: InspectOptions): Promise<void> {
    return inspectPage(this.page, name, options);
  }
}
