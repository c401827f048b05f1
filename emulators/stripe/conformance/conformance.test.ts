import Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '../api/operation.ts';
import { OPERATIONS } from '../api/operations.ts';
import { startStripe } from '../server.ts';
import { API_KEY, PLANS } from '../testing.ts';
import { mismatches } from './answers.ts';
import { useEverything } from './scenario.ts';
import { readSdkTypes } from './types.ts';
import type { SdkTypes } from './types.ts';

interface Answered {
  method: string;
  path: string;
  status: number;
  body: unknown;
}

let sdk: SdkTypes;
const answers: Answered[] = [];

beforeAll(async () => {
  sdk = readSdkTypes();
  const local = await startStripe({ plans: PLANS, apiKey: API_KEY });
  const recording: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const { pathname } = new URL(new Request(url).url);
    const body: unknown = await response.clone().json();
    answers.push({ method: init?.method ?? 'GET', path: pathname, status: response.status, body });
    return response;
  };
  const stripe = new Stripe(API_KEY, {
    host: '127.0.0.1',
    port: local.port,
    protocol: 'http',
    httpClient: Stripe.createFetchHttpClient(recording),
  });
  try {
    await useEverything(stripe);
    for await (const event of stripe.events.list({ limit: 100 })) events.push(event);
  } finally {
    await local.close();
  }
});

const events: Stripe.Event[] = [];

/** The operation that a request went to: the first whose path fits, as the server does it. */
function operationOf({ method, path }: Answered): Operation | undefined {
  return OPERATIONS.find(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );
}

test.each(OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s answers with the type that the SDK declares',
  (name, operation) => {
    const type = sdk.member('Answers', name);
    const given = answers.filter((answer) => operationOf(answer) === operation);
    expect(given.map(({ status }) => status)).toContain(200);
    for (const { status, body } of given) {
      expect(status === 200 && type && mismatches(sdk.checker, type, body, name)).toEqual([]);
    }
  },
);

test('every event has an object of the type that the SDK declares', () => {
  const found = events.flatMap(({ type, data: { object } }) => {
    const kind = 'object' in object ? object.object : '';
    const expected = sdk.member('EventObjects', kind);
    return expected ? mismatches(sdk.checker, expected, object, type) : [`${type}: unknown ${kind}`];
  });
  expect([...new Set(found)]).toEqual([]);
});

test('an answer of another shape is found', () => {
  const type = sdk.member('EventObjects', 'coupon');
  const coupon = answers.find(({ method, path }) => method === 'GET' && /^\/v1\/coupons\/./.test(path))?.body;
  const wrong = (change: object) =>
    type && mismatches(sdk.checker, type, { ...(coupon as object), ...change }, 'coupon');
  expect(wrong({})).toEqual([]);
  expect(wrong({ color: 'red' })).toEqual(['coupon.color is unknown']);
  expect(wrong({ valid: 'yes' })).toEqual(['coupon.valid: "yes" is no false']);
  expect(wrong({ duration: 'always' })).toHaveLength(1);
  expect(wrong({ percent_off: '5' })).toHaveLength(1);
});
