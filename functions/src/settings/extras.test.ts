import { expect, test } from 'vitest';
import extrasJson from '../../extras.json' with { type: 'json' };
import plansJson from '../../plans.json' with { type: 'json' };
import { conflictWith, extrasSchema } from './extras.ts';
import { planListSchema } from './plans.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const limits = { seats: 1, storageMegabytes: 1, fileMegabytes: 1, support: 'mail' };
const free = { slug: 'free', name: 'Free', description: 'd', limits };
const plans = planListSchema.parse([
  free,
  { ...free, slug: 'pro', formerly: ['gold'], prices: { month: price('pro_month') } },
  {
    ...free,
    slug: 'crew',
    for: ['team'],
    prices: { month: { ...price('crew_month'), seat: { lookupKey: 'crew_seat', unitAmount: 5 } } },
  },
]);
const pack = (slug: string, change: object = {}) => ({
  slug,
  name: 'Pack',
  description: 'd',
  credits: 10,
  prices: { once: price(slug) },
  ...change,
});

test('extras.json is valid and fits the plans', () => {
  const own = extrasSchema.parse(extrasJson);
  expect(conflictWith(planListSchema.parse(plansJson), own)).toBeUndefined();
});

const addOn = (change: object = {}) => ({
  slug: 'storage',
  name: 'Storage',
  description: 'd',
  plans: ['pro'],
  limits: { storageMegabytes: 10 },
  prices: { month: price('storage') },
  ...change,
});

test.each<[what: string, addOn: object]>([
  ['no limit and no entitlement', addOn({ limits: {} })],
  ['a limit of nothing', addOn({ limits: { seats: 0 } })],
  ['a part of a seat', addOn({ limits: { seats: 0.5 } })],
  ['no plan', addOn({ plans: [] })],
  ['a price that is paid once', addOn({ prices: { once: price('a') } })],
  ['no unit', addOn({ maxQuantity: 0 })],
  ['a quote in an entitlement', addOn({ entitlements: ["it's"] })],
  ['an unknown property', addOn({ colour: 'red' })],
])('an add-on with %s is refused', (_what, one) => {
  expect(extrasSchema.safeParse({ addOns: [one] }).success).toBe(false);
});

test.each<[what: string, addOn: object, message: string | undefined]>([
  ['fits the plans', addOn(), undefined],
  ['with the slug of a plan', addOn({ slug: 'pro' }), 'slugs must be unique, with those of the plans'],
  [
    'with a lookup key of seats',
    addOn({ prices: { month: price('crew_seat') } }),
    'lookup keys must be unique, with those of the plans',
  ],
  [
    'for a plan that does not exist',
    addOn({ plans: ['max'] }),
    'the add-on storage is for max, which is no paid plan',
  ],
  ['for the free plan', addOn({ plans: ['free'] }), 'the add-on storage is for free, which is no paid plan'],
  [
    'for users, for a plan for teams',
    addOn({ for: ['user'], plans: ['crew'] }),
    'the add-on storage is for no buyer of the plan crew',
  ],
  [
    'without a price for an interval of the plan',
    addOn({ prices: { year: price('storage') } }),
    'the add-on storage lacks a price for an interval or a currency of the plan pro',
  ],
  [
    'without a currency of the plan',
    addOn({ prices: { month: { ...price('storage'), currency: 'eur' } } }),
    'the add-on storage lacks a price for an interval or a currency of the plan pro',
  ],
  [
    'for a limit that is a text',
    addOn({ limits: { support: 1 } }),
    'the add-on storage adds to support, which is no limit with a number',
  ],
  [
    'for a limit that does not exist',
    addOn({ limits: { constructor: 1 } }),
    'the add-on storage adds to constructor, which is no limit with a number',
  ],
])('an add-on %s', (_what, one, message) => {
  expect(conflictWith(plans, extrasSchema.parse({ addOns: [one] }))).toBe(message);
});

test('a plan bills the usage of configured meters only', () => {
  const metered = [{ meter: 'calls', lookupKey: 'calls', unitAmount: 5 }];
  const billed = planListSchema.parse([
    free,
    { ...free, slug: 'pro', prices: { month: { ...price('pro_month'), metered } } },
  ]);
  const meters = [{ slug: 'calls', name: 'Calls', eventName: 'calls' }];
  expect(conflictWith(billed, extrasSchema.parse({ meters }))).toBeUndefined();
  expect(conflictWith(billed, extrasSchema.parse({}))).toBe(
    'a plan has a price for the meter calls, which is not there',
  );
});

test('a plan with its add-ons has at most as many line items as Stripe allows', () => {
  const meters = ['a', 'b', 'c'].map((slug) => ({ slug, name: slug, eventName: slug }));
  const metered = meters.map(({ slug }) => ({ meter: slug, lookupKey: `by_${slug}`, unitAmount: 5 }));
  const seat = { lookupKey: 'seat', unitAmount: 100 };
  const billed = planListSchema.parse([
    free,
    { ...free, slug: 'pro', for: ['team'], prices: { month: { ...price('pro_month'), seat, metered } } },
  ]);
  const withAddOns = (count: number) => {
    const addOns = Array.from({ length: count }, (_, index) =>
      addOn({
        slug: `add-${String(index)}`,
        for: ['team'],
        prices: { month: price(`add_${String(index)}`) },
      }),
    );
    return conflictWith(billed, extrasSchema.parse({ meters, addOns }));
  };
  expect(withAddOns(15)).toBeUndefined();
  expect(withAddOns(16)).toBe('the plan pro and its add-ons have 21 prices for the month (maximum: 20)');
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
