import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { TooLate, withTimeLimit } from './time-limit.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('work that ends in time gives its result or its error, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await withTimeLimit(1_000, Promise.resolve('done'))).toBe('done');
  await expect(withTimeLimit(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that is too late counts as failed, and its later error is no unhandled rejection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { promise, reject } = Promise.withResolvers<never>();
  const waiting = expect(withTimeLimit(1_000, promise)).rejects.toThrow(TooLate);
  vi.advanceTimersByTime(1_000);
  await waiting;
  reject(new Error('broken later'));
  await turn();
  await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
