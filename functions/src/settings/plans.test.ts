import { describe, expect, test } from 'vitest';
import plansJson from '../../plans.json' with { type: 'json' };
import { findPlan, freePlan, isPaid, planListSchema, planOfLookupKey, reaches } from './plans.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const free = {
  slug: 'free',
  name: 'Free',
  description: 'd',
  limits: { seats: 1, uploadMegabytes: 1, fileMegabytes: 1 },
};
const paid = (slug: string) => ({
  ...free,
  slug,
  prices: { month: price(`${slug}_month`), year: price(`${slug}_year`) },
});
const plans = planListSchema.parse([free, paid('pro'), paid('business')]);

test('plans.json is valid', () => {
  expect(planListSchema.parse(plansJson).map(({ slug }) => slug)).toEqual(['free', 'pro', 'business']);
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
    ['without a yearly price', [free, { ...paid('pro'), prices: { month: price('k') } }]],
    [
      'with a fraction of a cent',
      [free, { ...paid('pro'), prices: { month: { ...price('k'), unitAmount: 0.5 }, year: price('y') } }],
    ],
    ['without a seat', [{ ...free, limits: { seats: 0, uploadMegabytes: 1, fileMegabytes: 1 } }]],
    ['with an unknown key', [{ ...free, prise: price('k') }]],
  ])('%s', (_case, list) => {
    expect(planListSchema.safeParse(list).success).toBe(false);
  });
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
  const reached = slugs.map((slug) => slugs.filter((least) => reaches(plans, slug, least)));
  expect(reached).toEqual([['free'], ['free', 'pro'], ['free', 'pro', 'business'], []]);
});
