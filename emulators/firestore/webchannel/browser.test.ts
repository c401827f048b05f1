import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BACKSTOP_MS } from '@hearth/testing/backstop';
import { launchChromium } from '@hearth/testing/chromium';
import { build } from 'esbuild';
import type * as Sdk from 'firebase/firestore';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { PROJECT, serveForTest } from '../testing.ts';
import type { TestServer } from '../testing.ts';

/** Globals of the page that tests use. */
interface PageGlobals {
  sdk: typeof Sdk & { initializeApp: (options: object) => object };
  client: Sdk.Firestore;
}

let browser: Browser | undefined;
let script: string;

beforeAll(async () => {
  const bundle = await build({
    stdin: {
      contents: "export { initializeApp } from 'firebase/app'; export * from 'firebase/firestore';",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
    write: false,
  });
  script = bundle.outputFiles[0]?.text ?? '';
  browser = await launchChromium();
});

afterAll(() => browser?.close());

/** A page of another origin than the server's, with the client SDK connected as an administrator. */
async function openPage(settings: Sdk.FirestoreSettings): Promise<TestServer & { page: Page }> {
  const test = await serveForTest();
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  if (browser === undefined) throw new Error('The browser is launched before the first test.');
  const page = await browser.newPage();
  page.setDefaultTimeout(BACKSTOP_MS);
  onTestFinished(async () => {
    await page.close();
    site.close();
  });
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  await page.addScriptTag({ content: script });
  await page.evaluate(
    ({ host, port, projectId, options }) => {
      const globals = globalThis as unknown as PageGlobals;
      const { sdk } = globals;
      const app = sdk.initializeApp({ projectId }) as Parameters<typeof Sdk.initializeFirestore>[0];
      globals.client = sdk.initializeFirestore(app, options);
      sdk.connectFirestoreEmulator(globals.client, host, port, { mockUserToken: 'owner' });
    },
    { host: test.server.host, port: test.server.port, projectId: PROJECT, options: settings },
  );
  return { ...test, page };
}

const TRANSPORTS: [name: string, settings: Sdk.FirestoreSettings][] = [
  ['as it chooses', {}],
  ['long polling', { experimentalForceLongPolling: true }],
];

test.each(TRANSPORTS)(
  'a browser listens, writes offline and runs a transaction: %s',
  async (_name, settings) => {
    const { page, firestore } = await openPage(settings);
    await firestore.doc('c/1').set({ a: 1 });
    const seen = await page.evaluate(async () => {
      const { sdk, client } = globalThis as unknown as PageGlobals;
      const states: string[] = [];
      let check = (): void => undefined;
      const until = (wanted: string): Promise<void> =>
        new Promise((resolve) => {
          check = () => {
            if (states.at(-1) === wanted) resolve();
          };
          check();
        });
      const collection = sdk.collection(client, 'c');
      sdk.onSnapshot(collection, { includeMetadataChanges: true }, ({ docs, metadata }) => {
        const documents = docs.map((entry) => `${entry.id}=${String(entry.get('a'))}`);
        states.push([...documents, metadata.fromCache ? 'cached' : 'live'].join(' '));
        check();
      });
      await until('1=1 live');
      await sdk.disableNetwork(client);
      const written = sdk.setDoc(sdk.doc(collection, '2'), { a: 2 });
      await until('1=1 2=2 cached');
      await sdk.enableNetwork(client);
      await written;
      await until('1=1 2=2 live');
      await sdk.runTransaction(client, async (transaction) => {
        const read = await transaction.get(sdk.doc(collection, '1'));
        transaction.update(read.ref, { a: (read.get('a') as number) + 10 });
      });
      await until('1=11 2=2 live');
      return states.at(-1);
    });
    expect(seen).toBe('1=11 2=2 live');
    const stored = await firestore.collection('c').get();
    expect(stored.docs.map((entry) => entry.data())).toEqual([{ a: 11 }, { a: 2 }]);
  },
);

test('a browser receives the error of a refused write', async () => {
  const { page } = await openPage({});
  const code = await page.evaluate(async () => {
    const { sdk, client } = globalThis as unknown as PageGlobals;
    return sdk
      .updateDoc(sdk.doc(client, 'c/missing'), { a: 1 })
      .catch((error: unknown) => (error as Sdk.FirestoreError).code);
  });
  expect(code).toBe('not-found');
});
