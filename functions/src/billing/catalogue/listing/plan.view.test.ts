import { expect, test } from 'vitest';
import { planListSchema } from '../../../settings/plans.ts';
import { planViewOf } from './plan.view.ts';

const limits = { seats: 1, storageMegabytes: 1, fileMegabytes: 1, projects: 2 };
const free = { slug: 'free', name: 'Free', description: 'd', limits };
const price = { lookupKey: 'k', unitAmount: 900, currency: 'usd', currencies: { eur: 800 } };
const { 0: first, 1: solo } = planListSchema.parse([
  free,
  { ...free, slug: 'solo', for: ['user'], entitlements: ['export'], prices: { year: price } },
]);

test('the view has null for an interval that the plan has no price for', () => {
  expect(solo && planViewOf(solo, new Map())).toEqual({
    slug: 'solo',
    formerly: [],
    name: 'Free',
    description: 'd',
    for: ['user'],
    limits,
    entitlements: ['export'],
    perSeat: false,
    prices: {
      month: null,
      year: { unitAmount: 900, currency: 'usd', currencies: { eur: 800 }, seat: null, metered: [] },
      once: null,
    },
  });
  expect(planViewOf(first, new Map()).prices).toBeNull();
});
