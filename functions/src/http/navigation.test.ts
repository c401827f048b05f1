import { request } from 'node:http';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { jsonErrors } from './errors/render-error.ts';
import { noPrefetch, tabOnly } from './navigation.ts';
import { serve } from './testing/serve.ts';

function guarded() {
  const app = express();
  app.use('/link', tabOnly);
  app.use('/page', noPrefetch);
  app.use((_request, response) => {
    response.json('visited');
  });
  app.use(jsonErrors);
  return serve(app);
}

/** Not fetch, which sends a Sec-Fetch-Mode of its own. */
function get(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const NAVIGATION = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' };

/**
 * Columns: request headers, expected status of the invitation links, expected status of pages that only refuse
 * prefetching.
 */
const REQUESTS: [string, Record<string, string>, number, number][] = [
  ['a program without fetch metadata', {}, 200, 200],
  ['a click in a browser', NAVIGATION, 200, 200],
  ['a click from another site', { ...NAVIGATION, 'Sec-Fetch-Site': 'cross-site' }, 200, 200],
  ['a prefetch', { ...NAVIGATION, 'Sec-Purpose': 'prefetch' }, 403, 403],
  ['a prerender', { ...NAVIGATION, 'Sec-Purpose': 'prefetch;prerender' }, 403, 403],
  ['a prefetch in capitals', { 'Sec-Purpose': 'Prefetch' }, 403, 403],
  ['a prefetch of older Chrome', { Purpose: 'prefetch' }, 403, 403],
  ['a prefetch of older Firefox', { 'X-Moz': 'prefetch' }, 403, 403],
  ['a preview of Safari', { 'X-Purpose': 'preview' }, 403, 403],
  ['an image', { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }, 403, 200],
  ['an iframe', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }, 403, 200],
  ['an object', { 'Sec-Fetch-Dest': 'object', 'Sec-Fetch-Mode': 'navigate' }, 403, 200],
  ['a script with fetch', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }, 403, 200],
  [
    'a document that is not navigated to',
    { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'no-cors' },
    403,
    200,
  ],
  ['a document that a script fetches', { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'cors' }, 403, 200],
  ['a document without mode', { 'Sec-Fetch-Dest': 'document' }, 200, 200],
  ['a destination without mode', { 'Sec-Fetch-Dest': 'image' }, 403, 200],
  ["Node's fetch", { 'Sec-Fetch-Mode': 'cors' }, 200, 200],
  ['a mode without destination', { 'Sec-Fetch-Mode': 'no-cors' }, 403, 200],
];

describe.each(REQUESTS)('%s', (_who, headers, link, page) => {
  test(`is answered ${link} by a link with effects, ${page} by a page`, async () => {
    const origin = await guarded();
    const statuses = await Promise.all(['/link', '/page'].map((path) => get(origin + path, headers)));
    expect(statuses).toEqual([link, page]);
  });
});

test.each(['HEAD', 'OPTIONS', 'POST'])('%s is 405, and Allow names GET', async (method) => {
  const origin = await guarded();
  for (const path of ['/link', '/page']) {
    const response = await fetch(origin + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('GET');
  }
});
