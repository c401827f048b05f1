import { describe, expect, test } from 'vitest';
import plansJson from '../../plans.json' with { type: 'json' };
import {
  defaultInterval,
  findPlan,
  freePlan,
  isPaid,
  planLookupKeys,
  planListSchema,
  planOfLookupKey,
  pricesOf,
  isPlanAtLeast,
  seatLookupKeys,
  allLookupKeys,
} from './plans.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const withSeats = (slug: string, change: object = {}) => ({
  ...price(slug),
  seat: { lookupKey: `${slug}_seat`, unitAmount: 10, ...change },
});
const limits = { seats: 1, storageMegabytes: 1, fileMegabytes: 1 };
const free = { slug: 'free', name: 'Free', description: 'd', limits };
const paid = (slug: string) => ({
  ...free,
  slug,
  prices: { month: price(`${slug}_month`), year: price(`${slug}_year`) },
});
const plans = planListSchema.parse([free, paid('pro'), paid('business')]);

test('plans.json is valid', () => {
  expect(planListSchema.safeParse(plansJson).error).toBeUndefined();
});

describe('plans are refused', () => {
  test.each<[string, unknown[]]>([
    ['if there are none', []],
    ['if the first has prices', [paid('pro')]],
    ['if two share a slug', [free, paid('pro'), { ...paid('other'), slug: 'pro' }]],
    ['if two share a lookup key', [free, paid('pro'), { ...paid('pro'), slug: 'other' }]],
    [
      'if month and year share a lookup key',
      [free, { ...paid('pro'), prices: { month: price('k'), year: price('k') } }],
    ],
    ['with a slash in a slug', [free, paid('a/b')]],
    ['with a reserved slug', [free, paid('return')]],
    ['with an upper-case slug', [free, paid('Pro')]],
    ['with an empty name', [{ ...free, name: '' }]],
    ['with prices but no price', [free, { ...paid('pro'), prices: {} }]],
    ['with a price for a week', [free, { ...paid('pro'), prices: { week: price('k') } }]],
    [
      'with a fraction of a cent',
      [free, { ...paid('pro'), prices: { month: { ...price('k'), unitAmount: 0.5 }, year: price('y') } }],
    ],
    ['without a seat', [{ ...free, limits: { seats: 0, storageMegabytes: 1, fileMegabytes: 1 } }]],
    ['with an unknown key', [{ ...free, prise: price('k') }]],
    ['if a former slug is the slug of another', [free, paid('pro'), { ...paid('team'), formerly: ['pro'] }]],
    ['if a former slug is its own', [free, { ...paid('pro'), formerly: ['pro'] }]],
    [
      'if two share a former slug',
      [free, { ...paid('pro'), formerly: ['gold'] }, { ...paid('team'), formerly: ['gold'] }],
    ],
    ['with a quote in a former slug', [free, { ...paid('pro'), formerly: ["go'ld"] }]],
    ['for nobody', [free, { ...paid('pro'), for: [] }]],
    ['for a robot', [free, { ...paid('pro'), for: ['robot'] }]],
    ['if the free plan is not for everybody', [{ ...free, for: ['user'] }]],
    ['per seat, but not for teams', [free, { ...paid('pro'), for: ['user'], perSeat: true }]],
    [
      'with seats beside a base price, and for users',
      [free, { ...paid('pro'), prices: { month: withSeats('m') } }],
    ],
    [
      'with seats beside a price per seat',
      [free, { ...paid('pro'), for: ['team'], perSeat: true, prices: { month: withSeats('m') } }],
    ],
    [
      'with seats beside a base price that is paid once',
      [free, { ...paid('pro'), for: ['team'], prices: { month: withSeats('m'), once: price('o') } }],
    ],
    ['with seats paid once', [free, { ...paid('pro'), for: ['team'], prices: { once: withSeats('o') } }]],
    [
      'with seats by the month only',
      [free, { ...paid('pro'), for: ['team'], prices: { month: withSeats('m'), year: price('y') } }],
    ],
    [
      'if seats share the lookup key of the base price',
      [free, { ...paid('pro'), for: ['team'], prices: { month: withSeats('m', { lookupKey: 'm' }) } }],
    ],
    [
      'if seats have other currencies than the base price',
      [
        free,
        { ...paid('pro'), for: ['team'], prices: { month: withSeats('m', { currencies: { eur: 1 } }) } },
      ],
    ],
    [
      'if less than no seat is included',
      [free, { ...paid('pro'), for: ['team'], prices: { month: withSeats('m', { included: -1 }) } }],
    ],
    ['with a quote in an entitlement', [{ ...free, entitlements: ["it's"] }]],
    ['without a limit that another has', [{ ...free, limits: { ...limits, projects: 3 } }, paid('pro')]],
    [
      'if a limit is a number here and a text there',
      [
        { ...free, limits: { ...limits, projects: 3 } },
        { ...paid('pro'), limits: { ...limits, projects: 'all' } },
      ],
    ],
    ['with a list as a limit', [{ ...free, limits: { ...limits, projects: [] } }]],
    ['with a limit that is no name', [{ ...free, limits: { ...limits, 'a b': 1 } }]],
    [
      'if a price names its currency twice',
      [free, { ...paid('pro'), prices: { month: { ...price('k'), currencies: { usd: 1 } } } }],
    ],
    [
      'if its prices have different currencies',
      [
        free,
        { ...paid('pro'), prices: { month: price('m'), year: { ...price('y'), currencies: { eur: 1 } } } },
      ],
    ],
  ])('%s', (_case, list) => {
    expect(planListSchema.safeParse(list).success).toBe(false);
  });
});

describe('a plan', () => {
  const one = (rest: object) => planListSchema.parse([free, { ...paid('pro'), ...rest }])[1] ?? plans[0];

  test('is for users and teams and has no entitlements, unless it says otherwise', () => {
    expect(one({})).toMatchObject({ for: ['user', 'team'], entitlements: [], formerly: [] });
    expect(one({ for: ['team'] }).for).toEqual(['team']);
  });

  test.each([
    [['month'], 'month'],
    [['year'], 'year'],
    [['year', 'month'], 'month'],
    [['once', 'year'], 'year'],
    [['once'], undefined],
  ])('with the prices %j is paid by the %s unless another interval is wanted', (kinds, interval) => {
    const plan = one({ prices: Object.fromEntries(kinds.map((kind) => [kind, price(`pro_${kind}`)])) });
    expect(isPaid(plan) && defaultInterval(plan)).toBe(interval);
    expect(planLookupKeys(plan).toSorted()).toEqual(kinds.map((kind) => `pro_${kind}`).toSorted());
  });

  test('has prices in further currencies', () => {
    const plan = one({ prices: { month: { ...price('k'), currencies: { eur: 90, jpy: 150 } } } });
    expect(pricesOf(plan)).toMatchObject([{ ...price('k'), currencies: { eur: 90, jpy: 150 } }]);
  });

  test('has prices by usage, which decide no plan', () => {
    const metered = [{ meter: 'calls', lookupKey: 'k_calls', unitAmount: 0.5 }];
    const plan = one({ prices: { month: { ...price('k'), metered } } });
    expect([planLookupKeys(plan), allLookupKeys(plan)]).toEqual([['k'], ['k', 'k_calls']]);
  });

  const byUsage = { meter: 'calls', lookupKey: 'k_calls', unitAmount: 5 };
  test.each([
    ['in another currency', [{ ...byUsage, currencies: { eur: 4 } }]],
    ['twice for a meter', [byUsage, { ...byUsage, lookupKey: 'other' }]],
    ['with the key of the base price', [{ ...byUsage, lookupKey: 'k' }]],
    ['below zero', [{ ...byUsage, unitAmount: -1 }]],
  ])('has no price by usage %s', (_what, metered) => {
    expect(() => one({ prices: { month: { ...price('k'), metered } } })).toThrow();
  });

  test('has a base price, and a price for each seat that it does not include', () => {
    const prices = { month: withSeats('m', { included: 3 }), year: withSeats('y') };
    const plan = one({ for: ['team'], prices });
    expect([plan.prices?.month?.seat?.included, plan.prices?.year?.seat?.included]).toEqual([3, 0]);
    expect([planLookupKeys(plan), seatLookupKeys(plan)]).toEqual([
      ['m', 'y'],
      ['m_seat', 'y_seat'],
    ]);
    expect(planOfLookupKey([plans[0], plan], 'm_seat')).toBeUndefined();
  });

  test('has limits of the app', () => {
    const own = { projects: 5, theme: 'dark', exports: true };
    const plan = planListSchema.parse([{ ...free, limits: { ...limits, ...own } }])[0];
    expect(plan.limits).toEqual({ ...limits, ...own });
  });
});

test('a plan is found by a slug that it had before', () => {
  const renamed = planListSchema.parse([
    free,
    paid('pro'),
    { ...paid('scale'), formerly: ['business', 'Gold'] },
  ]);
  expect(findPlan(renamed, 'business')?.slug).toBe('scale');
  expect(findPlan(renamed, 'Gold')?.slug).toBe('scale');
  expect(isPlanAtLeast(renamed, 'business', 'pro')).toBe(true);
  expect(isPlanAtLeast(renamed, 'business', 'scale')).toBe(true);
  expect(isPlanAtLeast(renamed, 'pro', 'business')).toBe(false);
});

test('a plan is found by its exact slug', () => {
  expect(findPlan(plans, 'pro')?.slug).toBe('pro');
  for (const slug of ['PRO', '', 'constructor', '__proto__', 'pro ']) {
    expect(findPlan(plans, slug)).toBeUndefined();
  }
});

test('a plan is found by the lookup key of its monthly or yearly price', () => {
  expect(planOfLookupKey(plans, 'business_month')?.slug).toBe('business');
  expect(planOfLookupKey(plans, 'business_year')?.slug).toBe('business');
  expect(planOfLookupKey(plans, 'business')).toBeUndefined();
});

test('the first plan is free, the others are paid', () => {
  expect(freePlan(plans).slug).toBe('free');
  expect(plans.map(isPaid)).toEqual([false, true, true]);
});

test('a plan reaches itself and all lower plans; an unknown plan reaches none', () => {
  const slugs = ['free', 'pro', 'business', 'gone'];
  const reached = slugs.map((slug) => slugs.filter((least) => isPlanAtLeast(plans, slug, least)));
  expect(reached).toEqual([['free'], ['free', 'pro'], ['free', 'pro', 'business'], []]);
});
