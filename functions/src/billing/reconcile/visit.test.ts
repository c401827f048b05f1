import { expect, test } from 'vitest';
import { Run, visitList } from './visit.ts';

const ITEMS = ['a', 'b', 'c'].map((id) => ({ id }));

/** Visits three items that all need a repair, and returns those that were repaired. */
async function repairedBy(run: Run, onRepair: () => void = () => undefined): Promise<string[]> {
  const repaired: string[] = [];
  await visitList(run, 'products', {
    readPage: () => Promise.resolve({ data: ITEMS, has_more: false }),
    findDrift: (items) =>
      Promise.resolve(
        new Map(
          items.map((item) => [
            item,
            () => {
              repaired.push(item.id);
              onRepair();
              return Promise.resolve();
            },
          ]),
        ),
      ),
  });
  return repaired;
}

test('a run with enough calls repairs everything and starts anew', async () => {
  const run = new Run({}, { maxCalls: 100, isTimeUp: () => false });
  expect(await repairedBy(run)).toEqual(['a', 'b', 'c']);
  expect(run.position).toEqual({});
});

test('a run without calls left continues later after the last repaired item', async () => {
  const run = new Run({}, { maxCalls: 3, isTimeUp: () => false });
  expect(await repairedBy(run)).toEqual(['a', 'b']);
  expect(run.position).toEqual({ list: 'products', after: 'b' });
});

test('a run whose time is up continues later after the last repaired item', async () => {
  let isTimeUp = false;
  const run = new Run({}, { maxCalls: 100, isTimeUp: () => isTimeUp });
  const repaired = await repairedBy(run, () => {
    isTimeUp = true;
  });
  expect(repaired).toEqual(['a']);
  expect(run.position).toEqual({ list: 'products', after: 'a' });
});
