import { expect, it, onTestFinished, vi } from 'vitest';
import { renewChunk } from './renew-chunk.ts';

const CHUNK = 'https://app.example.com/assets/billing-Ab3.js';

it.each([
  ['Chromium', `Failed to fetch dynamically imported module: ${CHUNK}`, [[CHUNK, { cache: 'reload' }]]],
  ['Firefox', `error loading dynamically imported module: ${CHUNK}`, [[CHUNK, { cache: 'reload' }]]],
  ['Safari, which names no URL', 'Importing a module script failed.', []],
  ['another origin', 'Failed to fetch dynamically imported module: https://other.example.com/a.js', []],
])('a missing part of the app is fetched past the cache: %s', async (_browser, message, expected) => {
  const fetched = vi.fn(() => Promise.reject(new TypeError('offline')));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { origin: 'https://app.example.com' });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  await renewChunk(new TypeError(message));
  expect(fetched.mock.calls).toEqual(expected);
});
