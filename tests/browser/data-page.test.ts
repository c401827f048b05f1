import { launchChromium } from '@hearth/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { BACKSTOP_MS } from '../../scripts/backstop.ts';
import { adminFirestore } from '../support/people.ts';
import { useResources } from '../support/resources.ts';
import { inspectPage } from './support/inspect.ts';

const { inbox } = inject('stack').urls;

let browser: Browser;
const resources = useResources();
beforeAll(async () => {
  browser = resources.use(await launchChromium());
});

let page: Page;
let complaints: string[];
beforeEach(async () => {
  complaints = [];
  page = await browser.newPage();
  page.setDefaultTimeout(BACKSTOP_MS);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  onTestFinished(() => page.close());
});

const open = (path: string) => page.goto(`${inbox}/data?path=${encodeURIComponent(path)}`);
const heading = (name: string) => page.getByRole('rowheader', { name, exact: true });

test('a developer goes from a collection to a document, along a reference, and back by the path', async () => {
  const team = adminFirestore().doc(`dataPage/${crypto.randomUUID()}`);
  const owner = team.collection('owners').doc('ada');
  await owner.set({ name: 'Ada' });
  await team.set({ name: 'Acme', owner, tags: ['a', 'b'], limits: { seats: 3 } });

  await open('dataPage');
  await page.getByRole('link', { name: team.id }).click();
  await heading('name').waitFor();
  await inspectPage(page, 'data-document');
  await page.getByRole('link', { name: `${team.path}/owners/ada` }).click();
  await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'dataPage' }).click();
  await page.getByText('name: Acme · owner: ').first().waitFor();
  await inspectPage(page, 'data-collection');
  expect(complaints).toEqual([]);
});

test('a change appears without reloading, and foreign data is shown as text', async () => {
  const document = adminFirestore().doc(`dataPage/${crypto.randomUUID()}`);
  await open(document.path);
  await page.getByText('This document does not exist.').waitFor();
  const evil = '<img src=x onerror="document.title=\'taken\'">';
  await document.set({ [evil]: evil });
  await page.getByRole('cell', { name: evil }).waitFor();
  expect(await page.locator('article img').count()).toBe(0);
  expect(await page.title()).toBe(`${document.id} · local Firestore`);
  expect(complaints).toEqual([]);
});
