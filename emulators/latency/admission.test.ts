import { expect, test } from 'vitest';
import { admissionOf } from './admission.ts';

test('a call waits for the latency of the service', async () => {
  const waits: number[] = [];
  const admit = admissionOf({ latencyMs: 120, perSecond: 500 }, (ms) => Promise.resolve(waits.push(ms)));
  expect(await admit('GET /')).toBe(true);
  expect(waits).toEqual([120]);
});

test('calls over the quota of a second are refused, and the next second has its own quota', async () => {
  let time = 10_000;
  const service = { latencyMs: 0, perSecond: 2 };
  const admit = admissionOf(
    service,
    () => Promise.resolve(),
    () => time,
  );
  const ask = () => Promise.all([admit('a'), admit('b'), admit('c')]);
  expect(await ask()).toEqual([true, true, false]);
  time = 11_000;
  expect(await ask()).toEqual([true, true, false]);
});
