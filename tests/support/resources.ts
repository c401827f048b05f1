import { afterAll } from 'vitest';

/**
 * Releases the resources of a test file after its tests, in reverse order. They are released even when a later step of
 * `beforeAll` fails.
 */
export function useResources(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  afterAll(() => stack.disposeAsync());
  return stack;
}
