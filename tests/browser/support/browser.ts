import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inject } from 'vitest';
import { AXE_FILE, launchChromium } from '../../../emulators/testing/chromium.ts';
import { stubGapi } from './gapi.ts';

/** Where pictures of the pages go; they are taken with HEARTH_SCREENSHOTS=1. */
const SCREENSHOTS = join(import.meta.dirname, '../screenshots');
const TAKES_SCREENSHOTS = process.env['HEARTH_SCREENSHOTS'] === '1';

export async function launch(): Promise<Browser> {
  await mkdir(SCREENSHOTS, { recursive: true });
  return launchChromium();
}

/** One person's browser: a context of its own, watched for everything that a page complains of. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors in the console of our own pages: failures of scripts and requests, and what the security policy blocked. */
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    context.on('console', (message) => {
      const { url } = message.location();
      const isOurs = message.page()?.url().startsWith(inject('stack').urls.app) ?? false;
      // Signed out, the session is asked for all the same, and the browser notes the answer.
      const isExpected = url.endsWith('/api/auth/session') && message.text().includes('401');
      if (message.type() === 'error' && isOurs && !isExpected)
        this.complaints.push(`${message.text()} ${url}`);
    });
    context.on('weberror', (error) => {
      if (error.page()?.url().startsWith(inject('stack').urls.app) === true) {
        this.complaints.push(String(error.error()));
      }
    });
  }

  static async open(browser: Browser): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: inject('stack').urls.app,
      locale: 'en-US',
      // A colour that is still changing is none to be judged.
      reducedMotion: 'reduce',
      viewport: { width: 1200, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(15_000);
    await stubGapi(context);
    return new Visitor(context, await context.newPage());
  }

  /** What axe finds seriously wrong for who cannot see, hear or point. https://dequeuniversity.com/rules/axe/ */
  async barriers(): Promise<string[]> {
    // As a script of the test and not of the page, whose security policy allows its own scripts only.
    await this.page.evaluate(await readFile(AXE_FILE, 'utf8'));
    const inLight = await this.#runAxe({});
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
    const size = page.viewportSize() ?? { width: 1200, height: 800 };
    const take = (variant: string) =>
      page.screenshot({
        path: join(SCREENSHOTS, `${name}-${variant}.png`),
        fullPage: true,
        animations: 'disabled',
      });
    await take('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await take('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 740 });
    await take('phone');
    await page.setViewportSize(size);
  }
}
