import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { refusal } from '../../refusals/refusals.ts';
import { sameRepairFor, Run, visitList } from './visit.ts';

/** More than are repaired at the same time. */
const IDS = Array.from({ length: 30 }, (_, index) => `item-${String(index).padStart(2, '0')}`);

/** Visits items that all need a repair, and returns those whose repair began. */
async function repairedBy(run: Run, onRepair: (id: string) => unknown = () => undefined): Promise<string[]> {
  const repaired: string[] = [];
  await visitList(run, 'products', {
    readPage: () => Promise.resolve({ data: IDS.map((id) => ({ id })), has_more: false }),
    findRepairs: (items) =>
      Promise.resolve(
        sameRepairFor(items, async ({ id }) => {
          repaired.push(id);
          await onRepair(id);
        }),
      ),
  });
  return repaired;
}

const newRun = (maxCalls: number, isTimeUp = () => false) => new Run({}, { maxCalls, isTimeUp });

test('a run with enough calls repairs everything and starts anew', async () => {
  const run = newRun(100);
  expect(await repairedBy(run)).toEqual(IDS);
  expect(run.position).toEqual({});
});

test('a few repairs run at the same time', async () => {
  let atOnce = 0;
  let most = 0;
  await repairedBy(newRun(100), async () => {
    most = Math.max(most, (atOnce += 1));
    await setImmediate();
    atOnce -= 1;
  });
  expect(most).toBe(10);
});

test('a run without calls left continues later after the last repaired item', async () => {
  const run = newRun(3);
  expect(await repairedBy(run)).toEqual(IDS.slice(0, 2));
  expect(run.position).toEqual({ list: 'products', after: IDS[1] });
});

test('a run whose time is up continues later after the last item whose repair began', async () => {
  let isTimeUp = false;
  const run = newRun(100, () => isTimeUp);
  const repaired = await repairedBy(run, () => {
    isTimeUp = true;
  });
  expect(repaired.length).toBeLessThan(IDS.length);
  expect(repaired).toEqual(IDS.slice(0, repaired.length));
  expect(run.position).toEqual({ list: 'products', after: repaired.at(-1) });
});

test('an empty page ends the list, also behind a position', async () => {
  const run = new Run({ list: 'products', after: 'gone' }, { maxCalls: 1, isTimeUp: () => false });
  const nothing = { data: [], has_more: false };
  await visitList(run, 'products', {
    readPage: () => Promise.resolve(nothing),
    findRepairs: () => Promise.resolve(new Map()),
  });
  expect(run.position).toEqual({});
});

const fail = () => Promise.reject(refusal('billing_unavailable'));

test('a few items that Stripe does not return do not stop the run', async () => {
  const run = newRun(100);
  const repaired = await repairedBy(run, (id) => (IDS.indexOf(id) < 4 ? fail() : undefined));
  expect(repaired).toEqual(IDS);
  expect(run.position).toEqual({});
});

test('a run ends while Stripe is down, and continues later after the items that it has tried', async () => {
  const run = newRun(100);
  await expect(repairedBy(run, fail)).rejects.toMatchObject({ status: 503 });
  expect(run.position.list).toBe('products');
  expect(IDS.indexOf(run.position.after ?? '')).toBeLessThan(20);
});
