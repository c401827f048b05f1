import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UserFacingError } from '../errors.ts';
import { loadPart } from './load-part.ts';

const ORIGIN = 'https://app.example.com';

const entry = (name: string, responseStatus?: number) => ({
  name,
  ...(responseStatus !== undefined && { responseStatus }),
});

let fetched: ReturnType<typeof vi.fn<typeof fetch>>;
beforeEach(() => {
  fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response(null, { status: 404 })));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { origin: ORIGIN });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function loaded(entries: object[]): void {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue(entries as PerformanceEntryList);
}

const missing = new TypeError('Importing a module script failed.');

const failureOf = () =>
  loadPart(() => Promise.reject(missing)).then(
    () => undefined,
    (error: unknown) => error,
  );

it('a part of the app is loaded without another request', async () => {
  await expect(loadPart(() => Promise.resolve('part'))).resolves.toBe('part');
  expect(fetched).not.toHaveBeenCalled();
});

it('after a failed import every missing file of the app is fetched past the cache, once', async () => {
  loaded([
    entry(`${ORIGIN}/assets/page.js`, 200),
    entry(`${ORIGIN}/assets/dependency.js`, 404),
    entry(`${ORIGIN}/assets/dependency.js`, 404),
    entry(`${ORIGIN}/assets/offline.js`, 0),
    entry(`${ORIGIN}/api/auth/session`, 401),
    entry('https://other.example.com/assets/a.js', 404),
  ]);
  expect(await failureOf()).toEqual(
    new UserFacingError('There is a new version of this app. Load the page again.', { cause: missing }),
  );
  const names = ['dependency.js', 'offline.js'];
  expect(fetched.mock.calls).toEqual(names.map((name) => [`${ORIGIN}/assets/${name}`, { cache: 'reload' }]));
});

it('in a browser that does not report the status, all files of the app are fetched', async () => {
  loaded([entry(`${ORIGIN}/assets/page.js`), entry(`${ORIGIN}/assets/dependency.js`)]);
  await failureOf();
  expect(fetched).toHaveBeenCalledTimes(2);
});

it('a part whose files were all loaded is itself wrong', async () => {
  loaded([entry(`${ORIGIN}/assets/page.js`, 200)]);
  expect(await failureOf()).toBe(missing);
  expect(fetched).not.toHaveBeenCalled();
});

it('without a connection the message asks to check it', async () => {
  loaded([entry(`${ORIGIN}/assets/page.js`, 0)]);
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await failureOf()).toEqual(
    new UserFacingError(
      'A part of this app cannot be loaded. Check your connection, and load the page again.',
      { cause: missing },
    ),
  );
});
