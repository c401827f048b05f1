import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { SAMPLES } from '../../scripts/mail-preview/samples.ts';
import { createPreviewServer } from '../../scripts/mail-preview/server.ts';
import { useResources } from '../support/resources.ts';
import { useBrowser } from './support/browser.ts';

const resources = useResources();
const openBrowser = useBrowser();
let url = '';
beforeAll(async () => {
  const server = createPreviewServer();
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

describe('a mail fits a phone and a wide window, in light and dark colors, without barriers', () => {
  test.each(Object.keys(SAMPLES))('%s', async (name) => {
    const visitor = await openBrowser();
    await visitor.page.goto(`${url}/en/${name}`);
    // A mail is shown inside of the page of a mail program, which has the landmarks.
    await visitor.inspect(`mail-${name}`, { widths: [360, 600], except: ['region'] });
  });
});

test('the preview lists every mail in each language, as HTML and as text', async () => {
  const { page } = await openBrowser();
  await page.goto(url);
  const links = await page.locator('a').evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
  expect(links).toHaveLength(Object.keys(SAMPLES).length * 4);
  for (const link of links) expect((await fetch(link)).status).toBe(200);
  for (const path of ['/fr/welcome', '/en/constructor', '/en/welcome.pdf']) {
    expect((await fetch(url + path)).status).toBe(404);
  }
});
