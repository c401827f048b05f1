import { expect, test } from 'vitest';
import { hasEntitlement } from './plans.ts';
import type { Plan } from './types.ts';

const plan = (slug: string, entitlements: string[]) => ({ slug, entitlements }) as Plan;
const plans = [plan('free', ['share']), plan('pro', ['share', 'export'])];

test.each([
  ['free', 'share', true],
  ['free', 'export', false],
  ['pro', 'export', true],
  ['pro', 'sso', false],
  ['gone', 'share', false],
])('the plan %s includes %s: %s', (slug, entitlement, expected) => {
  expect(hasEntitlement(plans, slug, entitlement)).toBe(expected);
});
