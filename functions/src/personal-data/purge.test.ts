import { expect, test } from 'vitest';
import type { Backend } from '../backend.ts';
import { runInBatches, type Purge } from './purge.ts';

const BACKEND = {} as Backend;

/** A purge that finds this number of documents. Records the size of each batch. */
function purgeOf(count: number, batches: number[]): Purge {
  let left = count;
  return (_backend, _id, limit) => {
    const removed = Math.min(left, limit);
    left -= removed;
    batches.push(removed);
    return Promise.resolve(removed);
  };
}

test('every purge runs until a batch is not full', async () => {
  const batches: number[] = [];
  const purges = [purgeOf(250, batches), purgeOf(0, batches), purgeOf(100, batches)];
  expect(await runInBatches(BACKEND, 'a', purges, () => false)).toBe(true);
  expect(batches).toEqual([100, 100, 50, 0, 100, 0]);
});

test('no batch follows a full one when the time is up, and the next call continues', async () => {
  const batches: number[] = [];
  const purges = [purgeOf(150, batches), purgeOf(30, batches)];
  expect(await runInBatches(BACKEND, 'a', purges, () => true)).toBe(false);
  expect(batches).toEqual([100]);
  expect(await runInBatches(BACKEND, 'a', purges, () => true)).toBe(true);
  expect(batches).toEqual([100, 50, 30]);
});
