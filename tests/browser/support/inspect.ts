import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AXE_FILE } from '@hearth/testing/chromium';
import type * as Axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Folder for pictures of the pages, which are taken with HEARTH_SCREENSHOTS=1. */
const SCREENSHOTS = join(import.meta.dirname, '../screenshots');
const TAKES_SCREENSHOTS = process.env['HEARTH_SCREENSHOTS'] === '1';

const COLOR_SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

/** Widths in pixels of a small phone and a screen. */
const WIDTHS = [360, 1280];

export interface InspectOptions {
  /** Widths of the window in pixels. */
  widths?: readonly number[];
  /** Rules of axe that do not apply here. */
  except?: readonly string[];
}

let axe: Promise<string> | undefined;
const axeScript = () => (axe ??= readFile(AXE_FILE, 'utf8'));

/**
 * Checks a state of a page in light and dark, on each width: axe finds no violation, and nothing must be scrolled
 * sideways. Takes a picture of each with HEARTH_SCREENSHOTS=1, so that no state has a picture and no check.
 *
 * https://dequeuniversity.com/rules/axe/
 */
export async function inspectPage(
  page: Page,
  name: string,
  { widths = WIDTHS, except = [] }: InspectOptions = {},
): Promise<void> {
  const size = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of COLOR_SCHEMES) {
      // A color in transition cannot be checked for contrast.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const state = `${name}-${width}-${colorScheme}`;
      expect(await findViolations(page, except), state).toEqual([]);
      expect(await fits(page), `${state} fits`).toBe(true);
      if (TAKES_SCREENSHOTS) await takeScreenshot(page, state);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (size !== null) await page.setViewportSize(size);
}

async function findViolations(page: Page, except: readonly string[]): Promise<string[]> {
  // Added by the test, because the security policy of the page allows its own scripts only.
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await page.evaluate(await axeScript());
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
  };
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: typeof Axe }).axe.run(given),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html}`),
  );
}

function fits(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({
    path: join(SCREENSHOTS, `${name}.png`),
    fullPage: true,
    animations: 'disabled',
  });
}
