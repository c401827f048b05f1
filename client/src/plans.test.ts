import { expect, test } from 'vitest';
import { findPlan, hasEntitlement, limitOf } from './plans.ts';
import type { AddOn, Plan } from './types.ts';

const plan = (slug: string, entitlements: string[], formerly: string[] = []) =>
  ({ slug, entitlements, formerly }) as unknown as Plan;
const plans = [plan('free', ['share']), plan('pro', ['share', 'export'], ['gold'])];

test.each([
  ['free', 'share', true],
  ['free', 'export', false],
  ['pro', 'export', true],
  ['pro', 'sso', false],
  ['gold', 'export', true],
  ['gone', 'share', false],
])('the plan %s includes %s: %s', (slug, entitlement, expected) => {
  expect(hasEntitlement(plans, slug, entitlement)).toBe(expected);
});

const addOn = (slug: string, limits: Record<string, number>, entitlements: string[]) =>
  ({ slug, limits, entitlements }) as AddOn;
const extras = { addOns: [addOn('crew', { seats: 5 }, ['sso']), addOn('more', { seats: 1 }, [])] };
const sold = [{ ...plan('pro', [], ['gold']), limits: { seats: 10, theme: 'dark' } } as unknown as Plan];

test.each<[addOns: Record<string, number> | undefined, seats: number, hasSso: boolean]>([
  [undefined, 10, false],
  [{ crew: 2 }, 20, true],
  [{ crew: 1, more: 3 }, 18, true],
  [{ crew: 0, retired: 1 }, 10, false],
])('with the add-ons %j a team has %d seats and SSO: %s', (addOns, seats, hasSso) => {
  const team = { plan: 'pro', addOns };
  expect(limitOf(sold, team, 'seats', extras)).toBe(seats);
  expect(limitOf(sold, team, 'theme', extras)).toBe('dark');
  expect(hasEntitlement(sold, team, 'sso', extras)).toBe(hasSso);
  expect([limitOf(sold, team, 'seats'), hasEntitlement(sold, team, 'sso')]).toEqual([10, false]);
});

test('a former slug has the limits of its plan', () => {
  expect(limitOf(sold, { plan: 'gold' }, 'seats')).toBe(10);
  expect(findPlan(sold, 'gold')?.slug).toBe('pro');
});

test('an unknown plan has no limit', () => {
  expect(limitOf(sold, { plan: 'gone' }, 'seats')).toBeUndefined();
});
