import { AbortController as OldAbortController } from 'abort-controller';
import { deleteApp, initializeApp } from 'firebase/app';
import { getStorage } from 'firebase/storage';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHearthClient, HearthError, type ClientOptions } from './index.ts';
import { sendDirectly } from './storage.ts';

/** A signal as React Native has it, by the package that React Native installs. */
const newController = () => new OldAbortController() as AbortController;

const clientWith = (options: ClientOptions) =>
  createHearthClient({ baseUrl: 'http://localhost', retries: 1, ...options });

const errorOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test('a request without a network is unreachable, also with a signal of React Native', async () => {
  const hearth = clientWith({ fetch: () => Promise.reject(new TypeError('Network request failed')) });
  const { signal } = newController();
  expect(await errorOf(hearth.teams.list({ signal }))).toMatchObject({ code: 'unreachable' });
});

test('a request that a signal of React Native aborts throws an AbortError', async () => {
  const controller = newController();
  const hearth = clientWith({
    fetch: () => {
      controller.abort();
      return Promise.reject(new TypeError('Aborted'));
    },
  });
  const { signal } = controller;
  expect(await errorOf(hearth.teams.list({ signal }))).toMatchObject({ name: 'AbortError' });
});

test('a wait before a retry that a signal of React Native aborts throws an AbortError', async () => {
  const controller = newController();
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '5' };
  const hearth = clientWith({
    fetch: () => {
      // After the answer has been read.
      setTimeout(() => {
        controller.abort();
      });
      return Promise.resolve(new Response('{}', { status: 503, headers }));
    },
  });
  const { signal } = controller;
  expect(await errorOf(hearth.teams.list({ signal }))).toMatchObject({ name: 'AbortError' });
});

/** The parameters of React Native up to 0.79, which read an array as an object. */
class OldSearchParams {
  readonly #pairs: [name: string, value: string][];
  constructor(given: object = {}) {
    this.#pairs = Object.entries(given).map(([name, value]) => [name, String(value)]);
  }
  toString() {
    return this.#pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  }
}

test('a query is written without the `URLSearchParams` of older versions of React Native', async () => {
  vi.stubGlobal('URLSearchParams', OldSearchParams);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const asked: unknown[] = [];
  const hearth = clientWith({
    fetch: (url) => {
      asked.push(url);
      return Promise.resolve(Response.json({ uploads: [], nextCursor: null }));
    },
  });
  await hearth.uploads.list({ team: 'R&D team', limit: 100 });
  expect(asked).toEqual(['http://localhost/api/uploads?team=R%26D%20team&limit=100']);
  expect(hearth.billing.checkoutUrl('pro', { code: 'ü+1' })).toBe(
    'http://localhost/api/auth/checkout/pro?code=%C3%BC%2B1',
  );
});

/** The form of older versions of React Native, which has no `set`. */
class OldFormData {
  readonly parts: [name: string, value: unknown][] = [];
  append(name: string, value: unknown) {
    this.parts.push([name, value]);
  }
}

/**
 * Replaces the request that reports its progress.
 *
 * @param outcome the event that ends each request
 * @returns the forms that were sent
 */
function answerRequests(response: unknown, outcome = 'load'): OldFormData[] {
  const sent: OldFormData[] = [];
  vi.stubGlobal('FormData', OldFormData);
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends EventTarget {
      readonly status = 200;
      readonly response = response;
      readonly upload = new EventTarget();
      open() {}
      setRequestHeader() {}
      getResponseHeader() {
        return null;
      }
      send(form: OldFormData) {
        sent.push(form);
        this.dispatchEvent(new Event(outcome));
      }
    },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return sent;
}

test('a file is sent with a signal and a form of React Native', async () => {
  const sent = answerRequests({ url: 'http://localhost/file' });
  const { signal } = newController();
  const file = new File(['a'], 'a.txt');
  const stored = await clientWith({}).uploads.send(file, { signal });
  expect(stored).toEqual({ url: 'http://localhost/file' });
  expect(sent.map(({ parts }) => parts)).toEqual([[['file', file]]]);
});

test.each(['error', 'timeout'])('a file without an answer is unreachable: %s', async (outcome) => {
  answerRequests(null, outcome);
  const sending = clientWith({}).uploads.send(new File(['a'], 'a.txt'));
  expect(await errorOf(sending)).toMatchObject({ code: 'unreachable' });
});

test.each([
  ['without `crypto`', undefined],
  [
    'on a page without HTTPS, where `crypto` has no `randomUUID`',
    { getRandomValues: crypto.getRandomValues.bind(crypto) },
  ],
])('direct uploads have different ids %s', async (_, stub) => {
  const app = initializeApp({ storageBucket: 'demo' });
  onTestFinished(() => deleteApp(app));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  vi.stubGlobal('crypto', stub);
  if (stub === undefined) Reflect.deleteProperty(globalThis, 'crypto');
  const cancelled = { signal: AbortSignal.abort() };
  const uploads = [1, 2].map(() => sendDirectly(getStorage(app), 'ada', new File(['a'], 'a.txt'), cancelled));
  await Promise.allSettled(uploads.map(({ sent }) => sent));
  const ids = uploads.map(({ id }) => id);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(new Set(ids).size).toBe(2);
});

test('a page with status 200 is no stored file but an error', async () => {
  // The request parses no JSON in a page.
  answerRequests(null);
  const error = await errorOf(clientWith({}).uploads.send(new File(['a'], 'a.txt')));
  expect(error).toBeInstanceOf(HearthError);
  expect(error).toMatchObject({ status: 200, code: 'unknown' });
});
