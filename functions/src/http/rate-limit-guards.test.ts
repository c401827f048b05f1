import express from 'express';
import { expect, test } from 'vitest';
import { createDb } from '../firestore/db.ts';
import { createLimiters, type Limiters } from '../rate-limits/limiters.ts';
import { clientKeysOf } from './client-keys.ts';
import { jsonErrors } from './errors/render-error.ts';
import { limitByIpPerInstance } from './rate-limit-guards.ts';
import { serve } from './testing/serve.ts';

const LIMITERS = createLimiters({
  db: createDb({ loadClient: () => Promise.reject(new Error()), auditDays: 1 }),
  now: () => new Date(),
});

/** One point for each client. */
async function limited(
  { perInstance }: Pick<Limiters, 'perInstance'> = LIMITERS,
  { points = 1, pointsOf }: { points?: number; pointsOf?: Parameters<typeof limitByIpPerInstance>[2] } = {},
) {
  const app = express();
  const limit = { name: `test-${crypto.randomUUID()}`, points, seconds: 3600 };
  app.use(limitByIpPerInstance({ perInstance }, limit, pointsOf));
  app.use((_request, response) => {
    response.end();
  });
  app.use(jsonErrors);
  const origin = await serve(app);
  return async (forwarded: string) => {
    const { status } = await fetch(origin, { headers: { 'X-Forwarded-For': forwarded } });
    return status;
  };
}

const OFFICE = '198.51.100.1';
const EDGE = '203.0.113.9';
const ATTACKER = '192.0.2.66';

test('an IP address is limited', async () => {
  const ask = await limited();
  expect([await ask(OFFICE), await ask(OFFICE)]).toEqual([200, 429]);
});

test('forged IP addresses are limited by the hop, to fifty times the limit', async () => {
  const ask = await limited();
  const forged = Array.from({ length: 60 }, (_, index) => `10.0.0.${index}, ${ATTACKER}`);
  const statuses = await Promise.all(forged.map(ask));
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
});

test('refused requests of one client do not use up the limit of the hop that others share', async () => {
  const ask = await limited();
  const flood = Array.from({ length: 60 }, () => `${ATTACKER}, ${EDGE}`);
  expect((await Promise.all(flood.map(ask))).filter((status) => status === 200)).toHaveLength(1);
  expect(await ask(`${OFFICE}, ${EDGE}`)).toBe(200);
});

test('requests that fail for another reason count for the hop', async () => {
  let counters = 0;
  const ask = await limited({
    perInstance: (limit) => {
      const counter = LIMITERS.perInstance(limit);
      const isOfClient = counters++ === 0;
      return isOfClient ? { ...counter, consume: () => Promise.reject(new Error('Down.')) } : counter;
    },
  });
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, index) => ask(`10.0.0.${index}, ${ATTACKER}`)),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test('an IP address that somebody else forges is not blocked behind another hop', async () => {
  const ask = await limited();
  expect([await ask(`${OFFICE}, ${ATTACKER}`), await ask(`${OFFICE}, ${ATTACKER}`)]).toEqual([200, 429]);
  expect(await ask(`${OFFICE}, ${EDGE}`)).toBe(200);
  expect(await ask(OFFICE)).toBe(200);
});

test('a request that can never pass is refused as invalid', async () => {
  const ask = await limited(LIMITERS, { points: 2, pointsOf: () => 3 });
  expect(await ask(OFFICE)).toBe(400);
});

test('a request without points is not counted, also over the limit', async () => {
  const requestPoints = [1, 0, 1, 0];
  const ask = await limited(LIMITERS, { pointsOf: () => requestPoints.shift() ?? 1 });
  const statuses = [await ask(OFFICE), await ask(OFFICE), await ask(OFFICE), await ask(OFFICE)];
  expect(statuses).toEqual([200, 200, 429, 200]);
});

async function addressesWith(forwarded: string): Promise<unknown> {
  const origin = await serve(
    express().get('/', (request, response) => {
      response.json(clientKeysOf(request));
    }),
  );
  const response = await fetch(origin, { headers: forwarded === '' ? {} : { 'X-Forwarded-For': forwarded } });
  return response.json();
}

test.each([
  ['203.0.113.9', { client: '203.0.113.9' }],
  ['198.51.100.1, 203.0.113.9', { client: '198.51.100.1|203.0.113.9', hop: '203.0.113.9' }],
  ['forged, 198.51.100.1, 203.0.113.9', { client: '198.51.100.1|203.0.113.9', hop: '203.0.113.9' }],
  ['forged, 203.0.113.9', { client: 'unknown|203.0.113.9', hop: '203.0.113.9' }],
  ['2001:db8:1:2:3:4:5:6', { client: '8193:3512:1:2' }],
  ['2001:db8:1:2:ffff::1', { client: '8193:3512:1:2' }],
  ['::ffff:203.0.113.9', { client: '203.0.113.9' }],
  ['', { client: '127.0.0.1' }],
])('a request forwarded for "%s" is counted under %o', async (forwarded, addresses) => {
  expect(await addressesWith(forwarded)).toEqual(addresses);
});
