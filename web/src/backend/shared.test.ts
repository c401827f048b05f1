import { expect, test } from 'vitest';
import { shared } from './shared.ts';

function counted(results: (() => Promise<number>)[]) {
  let calls = 0;
  return shared(() => results[calls++]?.() ?? Promise.reject(new Error('Called too often.')));
}

const succeed = (value: number) => () => Promise.resolve(value);
const fail = () => Promise.reject(new Error('no network'));

test('all callers share one value', async () => {
  const { get } = counted([succeed(1)]);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

test('the call after a failure loads again', async () => {
  const { get } = counted([fail, succeed(2)]);
  await expect(get()).rejects.toThrow('no network');
  expect(await get()).toBe(2);
});

test('a forgotten value is loaded again, and its late failure changes nothing', async () => {
  const { get, forget } = counted([fail, succeed(2)]);
  const first = get();
  forget();
  const second = get();
  await expect(first).rejects.toThrow('no network');
  expect([await second, await get()]).toEqual([2, 2]);
});
