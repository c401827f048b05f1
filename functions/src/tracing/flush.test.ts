import { expect, test } from 'vitest';
import { waitAtMost, oneAtATime } from './flush.ts';

test('calls during an export share the one after it', async () => {
  const exports: PromiseWithResolvers<undefined>[] = [];
  const flush = oneAtATime(() => {
    const started = Promise.withResolvers<undefined>();
    exports.push(started);
    return started.promise.then(() => undefined);
  });
  const first = flush();
  await Promise.resolve();
  const [second, third] = [flush(), flush()];
  expect(second).toBe(third);
  expect(exports).toHaveLength(1);
  exports[0]?.reject(new Error('out of reach'));
  await first;
  await Promise.resolve();
  expect(exports).toHaveLength(2);
  exports[1]?.resolve(undefined);
  await third;
});

test('waiting ends at its limit, or with the work', async () => {
  await waitAtMost(10, new Promise(() => undefined));
  await waitAtMost(1_000_000_000, Promise.resolve());
});
