import type { Plan } from '@hearth/client';
import { expect, it } from 'vitest';
import { isLatestPaid, ownedPlan, purchaseSchema } from './purchases.ts';

const plan = (slug: string, ...formerly: string[]) => ({ slug, formerly }) as unknown as Plan;
const plans = [plan('free'), plan('pro', 'gold'), plan('business')];
const bought = (item: string, change: object = {}) => ({ item, isPaid: true, isPlan: true, ...change });

it.each([
  ['nothing', [], undefined],
  ['a plan', [bought('pro')], 'pro'],
  ['a plan by its former slug', [bought('gold')], 'pro'],
  ['two plans', [bought('business'), bought('pro')], 'business'],
  ['a plan that is not paid', [bought('pro', { isPaid: false })], undefined],
  ['credits', [bought('pro', { isPlan: false })], undefined],
  ['a plan that is no longer configured', [bought('retired')], undefined],
])('a customer who has bought %s', (_case, purchases, slug) => {
  expect(ownedPlan(plans, purchases)?.slug).toBe(slug);
});

const purchase = (day: number, status: string) =>
  purchaseSchema.parse({ item: 'pack', status, credits: 5, createdAt: new Date(2030, 0, day) });

it.each([
  ['no purchase', [], false],
  ['a paid purchase', [purchase(1, 'paid')], true],
  ['a later purchase that is being processed', [purchase(2, 'processing'), purchase(1, 'paid')], false],
  ['a later purchase that is paid', [purchase(2, 'paid'), purchase(1, 'processing')], true],
])('a customer with %s is thanked: %s', (_case, purchases, expected) => {
  expect(isLatestPaid(purchases)).toBe(expected);
});
