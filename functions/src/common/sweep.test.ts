import { expect, test } from 'vitest';
import { sweepEach } from './sweep.ts';

const DOCUMENTS = Array.from({ length: 12 }, (_, index) => ({ path: `things/${index}` }));

test('a failure does not stop the work on other documents, and is not counted', async () => {
  const seen: string[] = [];
  const done = await sweepEach(DOCUMENTS, ({ path }) => {
    seen.push(path);
    return path.endsWith('/3') ? Promise.reject(new Error('broken')) : Promise.resolve();
  });
  expect(done).toBe(11);
  expect(seen).toEqual(DOCUMENTS.map(({ path }) => path));
});

test('at most five documents are handled at the same time', async () => {
  let running = 0;
  let most = 0;
  await sweepEach(DOCUMENTS, async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  });
  expect(most).toBe(5);
});

test('no work begins once the run is over', async () => {
  let begun = 0;
  const work = () => {
    begun += 1;
    return Promise.resolve();
  };
  expect(await sweepEach(DOCUMENTS, work, () => begun === 7)).toBe(7);
  expect(begun).toBe(7);
});
