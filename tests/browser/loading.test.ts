import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { signUp } from '../support/people.ts';
import { createTeam } from '../support/teams.ts';
import { useBrowser } from './support/browser.ts';
import { eventually, shows } from './support/steps.ts';

const { urls } = inject('stack');
const visit = useBrowser();

/** From https://web.dev/articles/cls: up to this number a page does not jump. */
const STILL = 0.1;

interface Shift {
  at: number;
  value: number;
}

/** Notes each time that a part of the page moves by itself. */
function observeShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      shifts.push({ at: entry.startTime, value: (entry as unknown as { value: number }).value });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** How much of the page has moved since a time. */
const movedSince = (page: Page, time: number) =>
  page.evaluate(async (since) => {
    // The browser reports a shift after the frame in which it happened.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    const { shifts } = globalThis as unknown as { shifts: Shift[] };
    return shifts.filter(({ at }) => at >= since).reduce((sum, { value }) => sum + value, 0);
  }, time);

/** Holds the answers to the session until `release` is called. */
async function holdSession(page: Page): Promise<{ release: () => void }> {
  const held = Promise.withResolvers<undefined>();
  await page.route('**/api/auth/session', async (route) => {
    await held.promise;
    await route.continue();
  });
  return {
    release: () => {
      held.resolve(undefined);
    },
  };
}

describe.each([
  ['/dashboard', '1 of 3 taken'],
  ['/files', 'Drop one above'],
  ['/billing', 'Compare the plans'],
  ['/account', 'this one'],
  ['/team/members', '1 member'],
])('the page %s', (path, content) => {
  test('shows its outline while it is loading, and does not jump when its content is there', async () => {
    const owner = await signUp({ displayName: 'Ann Ash' });
    await createTeam(urls.app, owner, 'Hearthstone');
    const visitor = await visit(owner);
    const { page } = visitor;
    await page.addInitScript(observeShifts);
    const { release } = await holdSession(page);
    await page.goto(path);
    const outline = page.locator('main [aria-busy=true]');
    await outline.waitFor();
    await shows(page, /^Loading/);
    await visitor.inspect(`loading-${path.slice(1).replace('/', '-')}`);
    const released = await page.evaluate(
      () => new Promise<number>((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    release();
    await shows(page, content);
    await outline.first().waitFor({ state: 'detached' });
    expect(await movedSince(page, released)).toBeLessThan(STILL);
  });
});

test('an outline moves only for people who have not asked for less motion', async () => {
  const { page } = await visit(await signUp());
  await holdSession(page);
  await page.goto('/dashboard');
  const animation = () =>
    page
      .locator('main .skeleton')
      .first()
      .evaluate((element) => getComputedStyle(element).animationName);
  await eventually(animation).toBe('none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await eventually(animation).toBe('pulse');
});
