import { expect, test } from 'vitest';
import { extrasSchema, type AddOnQuantities } from '../../../settings/extras.ts';
import { planListSchema } from '../../../settings/plans.ts';
import { hasEntitlement, requireEntitlement } from './entitlements.ts';
import { limitsOf } from './limits.ts';

const limits = { seats: 1, storageMegabytes: 1, fileMegabytes: 1 };
const free = { slug: 'free', name: 'Free', description: 'd', limits };
const price = { lookupKey: 'k', unitAmount: 900, currency: 'usd' };
const plans = planListSchema.parse([
  { ...free, entitlements: ['share'] },
  {
    ...free,
    slug: 'pro',
    formerly: ['gold'],
    limits: { ...limits, seats: 5 },
    entitlements: ['share', 'export'],
    prices: { month: price },
  },
]);

const addOn = (slug: string, rest: object) => ({
  slug,
  name: slug,
  description: slug,
  plans: ['pro'],
  maxQuantity: 5,
  prices: { month: { ...price, lookupKey: slug } },
  ...rest,
});
const extras = extrasSchema.parse({
  addOns: [
    addOn('more-seats', { limits: { seats: 2 } }),
    addOn('more', { limits: { seats: 1, storageMegabytes: 10 }, entitlements: ['sso'] }),
  ],
});
const plansAndExtras = { plans, extras };

test.each<[plan: string | undefined, extra: string[] | undefined, name: string, has: boolean]>([
  [undefined, undefined, 'share', true],
  [undefined, undefined, 'export', false],
  [undefined, ['export'], 'export', true],
  ['free', undefined, 'export', false],
  ['pro', undefined, 'export', true],
  ['gold', undefined, 'export', true],
  ['pro', ['sso'], 'sso', true],
  ['pro', undefined, 'sso', false],
  ['retired', undefined, 'share', false],
  ['constructor', undefined, 'length', false],
])('with the plan %s and further entitlements %j, %s is included: %s', (plan, entitlements, name, has) => {
  const holder = { plan, entitlements };
  expect(hasEntitlement(plansAndExtras, holder, name)).toBe(has);
  const attempt = () => requireEntitlement(plansAndExtras, holder, name);
  if (has) return expect(attempt).not.toThrow();
  expect(attempt).toThrow(expect.objectContaining({ status: 403, code: 'entitlement_required' }) as Error);
});

test.each([
  [undefined, 1],
  ['pro', 5],
  ['gold', 5],
  ['retired', 1],
])('the plan %s allows %d seats', (plan, seats) => {
  expect(limitsOf(plansAndExtras, { plan }).seats).toBe(seats);
});

test.each<[addOns: AddOnQuantities, seats: number, megabytes: number, hasSso: boolean]>([
  [{}, 5, 1, false],
  [{ 'more-seats': 3 }, 11, 1, false],
  [{ 'more-seats': 1, more: 2 }, 9, 21, true],
  [{ more: 0 }, 5, 1, false],
  [{ retired: 9 }, 5, 1, false],
])('the add-ons %j make %d seats and %d MB, and give SSO: %s', (addOns, seats, storageMegabytes, hasSso) => {
  const holder = { plan: 'pro', addOns };
  expect(limitsOf(plansAndExtras, holder)).toEqual({ ...limits, seats, storageMegabytes });
  expect(hasEntitlement(plansAndExtras, holder, 'sso')).toBe(hasSso);
});

test('a slug of the prototype is no add-on', () => {
  const odd = {
    plans,
    extras: extrasSchema.parse({ addOns: [addOn('constructor', { limits: { seats: 1 } })] }),
  };
  expect(limitsOf(odd, { plan: 'pro', addOns: {} }).seats).toBe(5);
});
