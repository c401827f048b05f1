import { afterAll } from 'vitest';

/**
 * Releases what the tests of a file start, after them and in reverse order. What was started is released even when a later
 * step of `beforeAll` fails.
 */
export function useResources(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  afterAll(() => stack.disposeAsync());
  return stack;
}
