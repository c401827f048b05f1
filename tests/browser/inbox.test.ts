import { launchChromium } from '@hearth/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { adminFirestore } from '../support/people.ts';
import { useResources } from '../support/resources.ts';
import { inspectPage } from './support/inspect.ts';
import { eventually } from './support/steps.ts';

const { inbox, app } = inject('stack').urls;

let browser: Browser;
const resources = useResources();
beforeAll(async () => {
  browser = resources.use(await launchChromium());
});

let page: Page;
let to: string;
/** Errors and warnings of the browser, such as violations of the page's policy. */
let complaints: string[];
beforeEach(async () => {
  to = `${crypto.randomUUID()}@browser.example`;
  complaints = [];
  page = await browser.newPage();
  page.setDefaultTimeout(BACKSTOP_MS);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  onTestFinished(() => page.close());
  await page.goto(`${inbox}/?to=${encodeURIComponent(to)}`);
});

async function write(subject: string, html: string, text = 'Text'): Promise<string> {
  const { id } = await adminFirestore()
    .collection('mail')
    .add({ to: [to], message: { subject, text, html }, delivery: { state: 'PENDING', error: null } });
  return id;
}

test('a mail appears by itself, and a click shows its body and its links', async () => {
  await page.getByText('0 messages').waitFor();
  await inspectPage(page, 'inbox-empty');
  const link = `${app}/api/health`;
  await write('Welcome', `<h1>Hello you</h1><a href="${link}">Go on</a>`, `Go on: ${link}`);
  await page.getByRole('button', { name: 'Welcome' }).click();
  await page.frameLocator('iframe').getByText('Hello you').waitFor();
  expect(await page.locator('.links a').getAttribute('href')).toBe(link);
  await inspectPage(page, 'inbox');
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.frameLocator('iframe').getByText('Go on').click(),
  ]);
  await opened.waitForURL(link);
  expect(complaints).toEqual([]);
});

test('content that others wrote is shown as text, and none of their scripts runs', async () => {
  const evil = '<img src=x onerror="document.title=\'taken\'">';
  await write(evil, `${evil}<script>parent.document.title = 'taken'</script><p>Body</p>`, evil);
  await page.getByRole('button', { name: evil }).click();
  await page.frameLocator('iframe').getByText('Body').waitFor();
  await page.locator('pre', { hasText: evil }).waitFor();
  expect(await page.title()).toBe('Inbox · local mail');
  expect(await page.locator('img').count()).toBe(0);
});

test('the open message stays while the list is updated, and shows its delivery', async () => {
  const id = await write('First', '<p>One</p>');
  await page.getByRole('button', { name: 'First' }).click();
  await write('Second', '<p>Two</p>');
  await page.getByText('2 messages').waitFor();
  await page.frameLocator('iframe').getByText('One').waitFor();
  const first = page.getByRole('button', { name: 'First' });
  await eventually(() => first.getAttribute('aria-current')).toBe('true');
  await adminFirestore().doc(`mail/${id}`).update({ 'delivery.state': 'SUCCESS' });
  await page.locator('article .SUCCESS').waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toContain('First');
});
