import { AbortController as OldAbortController } from 'abort-controller';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHearthClient, type ClientOptions } from './index.ts';

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

test('a file is sent with a signal and a form of React Native', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal(
    'FormData',
    class {
      readonly parts: unknown[] = [];
      append(...part: unknown[]) {
        this.parts.push(part);
      }
    },
  );
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends EventTarget {
      readonly status = 200;
      readonly response = { url: 'http://localhost/file' };
      readonly upload = new EventTarget();
      open() {}
      setRequestHeader() {}
      send(form: unknown) {
        sent.push(form);
        this.dispatchEvent(new Event('load'));
      }
    },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { signal } = newController();
  const stored = await clientWith({}).uploads.send(new File(['a'], 'a.txt'), { signal });
  expect([stored, sent.length]).toEqual([{ url: 'http://localhost/file' }, 1]);
});
