import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firestoreRules } from '@hearth/security-rules/testing';
import { BACKSTOP_MS } from '@hearth/testing/backstop';
import { launchChromium } from '@hearth/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DATABASE, PROJECT, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';

// A page of another origin makes the calls of the Emulator UI, as its sources have them:
// https://github.com/firebase/firebase-tools-ui/tree/main/src/components/Firestore

const RULES = firestoreRules(
  'match /open/{id} { allow read, create: if true; allow update: if resource.data.x; }',
);

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

/** A page of another origin than the server's, which has the rules. */
async function openPage(): Promise<TestServer & { page: Page; url: string }> {
  const served = await serveForTest({ rules: RULES, requestsPort: 0 });
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const page = await browser.newPage();
  page.setDefaultTimeout(BACKSTOP_MS);
  onTestFinished(async () => {
    await page.close();
    site.close();
  });
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  return { ...served, page, url: `http://${served.server.host}:${served.server.port}` };
}

async function fill({ firestore }: TestServer): Promise<void> {
  for (const path of ['c/1', 'c/1/d/2', 'c/1/d/2/e/3', 'c/10', 'other/1'])
    await firestore.doc(path).set({ a: 1 });
}

async function pathsIn({ firestore }: TestServer): Promise<string[]> {
  const groups = await Promise.all(['c', 'd', 'e', 'other'].map((id) => firestore.collectionGroup(id).get()));
  return groups.flatMap(({ docs }) => docs.map(({ ref }) => ref.path)).sort();
}

describe('a page of another origin deletes', () => {
  test.each<[what: string, path: string, left: string[]]>([
    ['all data', '', []],
    ['a collection with everything below it', '/c', ['other/1']],
    ['a document with everything below it', '/c/1', ['c/10', 'other/1']],
    ['a nested collection', '/c/1/d', ['c/1', 'c/10', 'other/1']],
    ['a missing document', '/missing/1', ['c/1', 'c/1/d/2', 'c/1/d/2/e/3', 'c/10', 'other/1']],
  ])('%s', async (_title, path, left) => {
    const served = await openPage();
    await fill(served);
    const address = `${served.url}/emulator/v1/${DATABASE}/documents${path}`;
    const status = await served.page.evaluate(
      async (url) => (await fetch(url, { method: 'DELETE' })).status,
      address,
    );
    expect(status).toBe(200);
    expect(await pathsIn(served)).toEqual(left);
  });
});

interface Evaluation {
  readonly outcome: string;
  readonly rulesContext: { readonly path: string; readonly method: string };
}

interface PageGlobals {
  received: (Evaluation | Evaluation[])[];
}

/** Opens the WebSocket in the page, which stores all messages. */
async function connect({ page, server }: { page: Page; server: TestServer['server'] }): Promise<void> {
  await page.evaluate((port) => {
    const globals = globalThis as unknown as PageGlobals;
    globals.received = [];
    const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/requests`);
    socket.addEventListener('message', ({ data }) => {
      globals.received.push(JSON.parse(data as string) as Evaluation);
    });
  }, server.requestsPort);
}

async function received(page: Page, count: number): Promise<(Evaluation | Evaluation[])[]> {
  await page.waitForFunction(
    (wanted) => (globalThis as unknown as PageGlobals).received.length >= wanted,
    count,
  );
  return page.evaluate(() => (globalThis as unknown as PageGlobals).received);
}

const shortOf = ({ outcome, rulesContext: { method, path } }: Evaluation): string =>
  `${outcome} ${method} ${path}`;

describe('the requests of end users', () => {
  test('are shown with the results of the rules: first earlier requests, then new ones live', async () => {
    const served = await openPage();
    const documents = `${served.url}/v1/${DATABASE}/documents`;
    await fetch(`${documents}/open/1`);
    await fetch(`${documents}/closed/1`);
    await connect(served);
    const [before] = (await received(served.page, 1)) as [Evaluation[]];
    expect(before.map(shortOf)).toEqual([
      'allow get /databases/(default)/documents/open/1',
      'deny get /databases/(default)/documents/closed/1',
    ]);
    await fetch(`${documents}/open?documentId=1`, {
      method: 'POST',
      body: '{"fields":{"a":{"integerValue":"1"}}}',
    });
    await fetch(`${documents}/open/1`, { method: 'PATCH', body: '{}' });
    await fetch(`${documents}/open`);
    const [, ...live] = (await received(served.page, 4)) as [Evaluation[], ...Evaluation[]];
    expect(live.map(shortOf)).toEqual([
      'allow create /databases/(default)/documents/open/1',
      'error update /databases/(default)/documents/open/1',
      'allow list /databases/(default)/documents/open',
    ]);
    expect(live[0]).toEqual({
      outcome: 'allow',
      rulesContext: {
        method: 'create',
        path: '/databases/(default)/documents/open/1',
        request: {
          mapValue: {
            fields: {
              auth: { nullValue: null },
              method: { stringValue: 'create' },
              path: { pathValue: { segments: expect.any(Array) as unknown } },
              resource: {
                mapValue: { fields: expect.objectContaining({ id: { stringValue: '1' } }) as unknown },
              },
              time: { timestampValue: expect.any(String) as unknown },
            },
          },
        },
        resource: { nullValue: null },
        time: expect.any(String) as unknown,
      },
      requestId: expect.any(String) as unknown,
      granularAllowOutcomes: [{ line: 3, outcome: 'allow' }],
      rules: RULES,
      rulesReleaseName: `projects/${PROJECT}/releases/cloud.firestore/(default)`,
      time: expect.any(String) as unknown,
    });
  });
});
