import { expect, test } from 'vitest';
import extrasJson from '../../extras.json' with { type: 'json' };
import { conflictWith, extrasSchema } from './extras.ts';
import { planListSchema } from './plans.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const limits = { seats: 1, uploadMegabytes: 1, fileMegabytes: 1 };
const free = { slug: 'free', name: 'Free', description: 'd', limits };
const plans = planListSchema.parse([
  free,
  { ...free, slug: 'pro', formerly: ['gold'], prices: { month: price('pro_month') } },
]);
const pack = (slug: string, change: object = {}) => ({
  slug,
  name: 'Pack',
  description: 'd',
  credits: 10,
  prices: { once: price(slug) },
  ...change,
});

test('extras.json is valid', () => {
  expect(extrasSchema.parse(extrasJson)).toEqual({ creditPacks: [], meters: [] });
});

test.each<[what: string, pack: object]>([
  ['no credits', pack('a', { credits: 0 })],
  ['a part of a credit', pack('a', { credits: 1.5 })],
  ['a price per month', pack('a', { prices: { once: price('a'), month: price('b') } })],
  ['an unknown property', pack('a', { colour: 'red' })],
  ['a slug with a slash', pack('a/b')],
])('a credit pack with %s is refused', (_what, creditPack) => {
  expect(extrasSchema.safeParse({ creditPacks: [creditPack] }).success).toBe(false);
});

test.each<[what: string, packs: object[], message: string | undefined]>([
  ['with names of their own fit the plans', [pack('small'), pack('large')], undefined],
  ['with the slug of a plan are refused', [pack('pro')], 'slugs must be unique, with those of the plans'],
  ['with a former slug are refused', [pack('gold')], 'slugs must be unique, with those of the plans'],
  [
    'with a lookup key of a plan are refused',
    [pack('small', { prices: { once: price('pro_month') } })],
    'lookup keys must be unique, with those of the plans',
  ],
])('credit packs %s', (_what, creditPacks, message) => {
  expect(conflictWith(plans, extrasSchema.parse({ creditPacks }))).toBe(message);
});
