import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const stored = new Map<string, string>();

const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
};

beforeEach(() => {
  vi.resetModules();
  stored.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The module as a page loads it. */
async function load(localStorage: unknown = storage) {
  vi.stubGlobal('localStorage', localStorage);
  return import('./marker.ts');
}

it('a browser in which nobody has signed in has no session', async () => {
  expect((await load()).hasProbableSession()).toBe(false);
});

it('the next page knows that there was a session, until there is none', async () => {
  (await load()).markSession(true);
  vi.resetModules();
  const next = await load();
  expect(next.hasProbableSession()).toBe(true);
  next.markSession(false);
  expect(next.hasProbableSession()).toBe(false);
  vi.resetModules();
  expect((await load()).hasProbableSession()).toBe(false);
});

it('a browser that stores nothing may have a session', async () => {
  const refuses = () => {
    throw new Error('SecurityError');
  };
  const marker = await load({ getItem: refuses, setItem: refuses, removeItem: refuses });
  expect(marker.hasProbableSession()).toBe(true);
  marker.markSession(false);
  expect(marker.hasProbableSession()).toBe(false);
});
