import { expect, it } from 'vitest';
import plansJson from '../../functions/plans.json' with { type: 'json' };
import { planListSchema } from '../../functions/src/plans.ts';
import { PAID_PLANS, PLANS, formatPrice, isPaidPlan, planName } from './plans.ts';

it('shows the plans that the backend accepts', () => {
  expect(PLANS).toEqual(planListSchema.parse(plansJson));
});

it('tells paid plans from the free one', () => {
  const paid = PLANS.map(({ slug }) => slug).filter(isPaidPlan);
  expect(paid).toEqual(PAID_PLANS.map(({ slug }) => slug));
  expect(paid).not.toContain(PLANS[0]?.slug);
});

it.each([
  ['pro', 'Pro'],
  ['retired-plan', 'retired-plan'],
])('names the plan %s %s', (slug, name) => {
  expect(planName(slug)).toBe(name);
});

it.each([
  [1200, 'usd', '$12'],
  [1250, 'usd', '$12.50'],
  [1200, 'jpy', '¥1,200'],
  [12345, 'kwd', 'KWD 12.345'],
])('writes %d of %s as %s', (unitAmount, currency, expected) => {
  expect(formatPrice(unitAmount, currency, 'en-US').replace(/\s/g, ' ')).toBe(expected);
});
