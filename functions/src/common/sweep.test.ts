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

test.each([
  ['five documents', undefined, 5],
  ['as many documents as the sweep says', 8, 8],
])('at most %s are handled at the same time', async (_name, concurrency, expected) => {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  await sweepEach(DOCUMENTS, work, () => false, concurrency);
  expect(most).toBe(expected);
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
