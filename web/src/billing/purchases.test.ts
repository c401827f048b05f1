import type { Plan } from '@hearth/client';
import { expect, it } from 'vitest';
import { ownedPlan } from './purchases.ts';

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
