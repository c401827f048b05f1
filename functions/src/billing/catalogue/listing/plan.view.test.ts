import { expect, test } from 'vitest';
import type { PriceDocument } from '../../../firestore/documents/catalogue.ts';
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
  expect(solo && planViewOf(solo, new Map(), 14)).toEqual({
    slug: 'solo',
    formerly: [],
    name: 'Free',
    description: 'd',
    for: ['user'],
    limits,
    entitlements: ['export'],
    perSeat: false,
    trialDays: 14,
    prices: {
      month: null,
      year: { unitAmount: 900, currency: 'usd', currencies: { eur: 800 }, seat: null, metered: [] },
      once: null,
    },
  });
  expect(planViewOf(first, new Map(), 14).prices).toBeNull();
});

test('only a plan that is sold as a subscription has trial days', () => {
  const owned = solo && { ...solo, prices: { once: { ...price, currencies: {} } } };
  const archived = new Map([['k', { active: false } as PriceDocument]]);
  expect(planViewOf(first, new Map(), 14).trialDays).toBe(0);
  expect(owned && planViewOf(owned, new Map(), 14).trialDays).toBe(0);
  expect(solo && planViewOf(solo, archived, 14).trialDays).toBe(0);
  expect(solo && planViewOf(solo, new Map(), 0).trialDays).toBe(0);
});
