import type { Plan } from '@hearth/client';
import { expect, it } from 'vitest';
import { holdingOf } from './holding.ts';
import { subscriptionSchema } from './subscription.ts';
import { canBuyOnce, tileActionOf } from './tile-action.ts';

const NOW = new Date('2030-01-15T00:00:00Z');
const LATER = new Date('2030-02-01T00:00:00Z');
const NEVER = new Date('9999-12-31T23:59:59Z');

const plan = (slug: string) => ({ slug, formerly: [], name: slug }) as unknown as Plan;
const PLANS = [plan('free'), plan('pro'), plan('business'), plan('enterprise')] as const;
const PAID = PLANS.slice(1);
const [, PRO, BUSINESS] = PLANS;

const ACTIVE = { id: 'sub_1', status: 'active', role: 'business', current_period_end: LATER };
const COMPED = { ...ACTIVE, id: 'comped', status: 'comped', grace_until: LATER };

function situationWith(documents: readonly object[], owned?: Plan) {
  const copies = documents.map((document) => subscriptionSchema.parse(document));
  return { holding: holdingOf(PLANS, copies, owned, NOW), plans: PLANS, paidInterval: 'month' as const };
}

it.each<[what: string, documents: object[], owned: Plan | undefined, expected: (string | undefined)[]]>([
  ['nothing', [], undefined, ['subscribe', 'subscribe', 'subscribe']],
  ['a subscription', [ACTIVE], undefined, ['change', undefined, 'change']],
  ['one in its trial', [{ ...ACTIVE, status: 'trialing' }], undefined, ['change', undefined, 'change']],
  ['a cancelled one', [{ ...ACTIVE, cancel_at: LATER }], undefined, ['manage', undefined, 'manage']],
  ['one past due', [{ ...ACTIVE, status: 'past_due' }], undefined, ['manage', undefined, 'manage']],
  ['a paused one', [{ ...ACTIVE, status: 'paused' }], undefined, ['subscribe', 'subscribe', 'subscribe']],
  ['an unpaid one', [{ ...ACTIVE, status: 'unpaid' }], undefined, ['subscribe', 'subscribe', 'subscribe']],
  ['one to something else', [{ ...ACTIVE, role: null }], undefined, ['subscribe', 'subscribe', 'subscribe']],
  ['a comped plan', [COMPED], undefined, [undefined, undefined, 'subscribe']],
  ['a plan that was paid once', [], BUSINESS, [undefined, undefined, 'subscribe']],
  ['a higher comped plan', [{ ...ACTIVE, role: 'pro' }, COMPED], undefined, [undefined, undefined, 'change']],
])('with %s, each tile has its offer', (_what, documents, owned, expected) => {
  const situation = situationWith(documents, owned);
  expect(PAID.map((one) => tileActionOf(one, 'month', situation))).toEqual(expected);
});

it.each<[what: string, documents: object[], owned: Plan | undefined, expected: string | undefined]>([
  ['a subscription', [ACTIVE], undefined, 'change-interval'],
  ['a subscription, and the same plan comped', [ACTIVE, COMPED], undefined, 'change-interval'],
  ['a cancelled subscription', [{ ...ACTIVE, cancel_at: LATER }], undefined, undefined],
  ['a subscription that is past due', [{ ...ACTIVE, status: 'past_due' }], undefined, undefined],
  ['a subscription to a plan that was paid once since', [ACTIVE], BUSINESS, undefined],
  ['a paused subscription', [{ ...ACTIVE, status: 'paused' }], undefined, 'subscribe'],
])('with %s, the other interval of its plan has an offer', (_what, documents, owned, expected) => {
  expect(tileActionOf(BUSINESS, 'year', situationWith(documents, owned))).toBe(expected);
});

it('the interval is not changed while it is unknown', () => {
  const situation = { ...situationWith([ACTIVE]), paidInterval: undefined };
  expect(tileActionOf(BUSINESS, 'year', situation)).toBeUndefined();
  expect(tileActionOf(PRO, 'year', situation)).toBe('change');
});

it('a plan that is sold for one payment only has no subscription', () => {
  expect(tileActionOf(PRO, undefined, situationWith([]))).toBeUndefined();
});

it.each<[what: string, documents: object[], owned: Plan | undefined, expected: boolean[]]>([
  ['a subscription', [ACTIVE], undefined, [true, true, true]],
  ['a plan that was paid once', [], BUSINESS, [false, false, true]],
  ['a plan that is comped for a time', [COMPED], undefined, [true, true, true]],
  ['a plan that is comped for ever', [{ ...COMPED, grace_until: NEVER }], undefined, [false, false, true]],
])('with %s, a plan is sold for one payment if it lasts longer', (_what, documents, owned, expected) => {
  const situation = situationWith(documents, owned);
  expect(PAID.map((one) => canBuyOnce(one, situation))).toEqual(expected);
});
