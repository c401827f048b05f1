import { expect, test } from 'vitest';
import { planListSchema } from '../../settings/plans.ts';
import { hasEntitlement, limitsOf, requireEntitlement } from './entitlements.ts';

const limits = { seats: 1, uploadMegabytes: 1, fileMegabytes: 1 };
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
])('with the plan %s and %j besides it, %s is included: %s', (plan, entitlements, name, has) => {
  const holder = { plan, entitlements };
  expect(hasEntitlement(plans, holder, name)).toBe(has);
  const attempt = () => requireEntitlement({ plans }, holder, name);
  if (has) return expect(attempt).not.toThrow();
  expect(attempt).toThrow(expect.objectContaining({ status: 403, code: 'entitlement_required' }) as Error);
});

test.each([
  [undefined, 1],
  ['pro', 5],
  ['gold', 5],
  ['retired', 1],
])('the plan %s allows %d seats', (plan, seats) => {
  expect(limitsOf({ plans }, { plan }).seats).toBe(seats);
});
