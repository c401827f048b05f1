import fc from 'fast-check';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { planListSchema } from '../../settings/plans.ts';
import { holdingOf } from './holding.ts';
import { planItemIfRunning, planOfSubscription } from './plan-item.ts';
import { isRunning } from './status.ts';
import { documentOf, now, plans, subscription, terms, type Item } from './testing/subscriptions.ts';

/** Each status, whether it is running, and whether it gives its plan. */
const STATUSES: [Stripe.Subscription.Status, running: boolean, entitling: boolean][] = [
  ['active', true, true],
  ['trialing', true, true],
  ['past_due', true, false],
  ['unpaid', true, false],
  ['paused', true, false],
  ['incomplete', false, false],
  ['incomplete_expired', false, false],
  ['canceled', false, false],
];

const given = { items: [], grace_until: null, collection_paused: null };

describe.each(STATUSES)('a subscription that is %s', (status, running, entitling) => {
  test(`is running: ${running}, gives its plan: ${entitling}`, () => {
    expect(isRunning(subscription([], { status }))).toBe(running);
    expect(holdingOf([{ ...given, status, role: 'pro' }], terms, now).plan.slug).toBe(
      entitling ? 'pro' : 'free',
    );
  });
});

describe('several subscriptions', () => {
  const entitlement = fc.record({
    status: fc.constantFrom(...STATUSES.map(([status]) => status)),
    role: fc.constantFrom('free', 'pro', 'business', 'gone', null),
    items: fc.constant([]),
    collection_paused: fc.constant(null),
    grace_until: fc.constantFrom(null, new Date('2023-11-30T00:00:00Z'), new Date('2023-12-02T00:00:00Z')),
  });
  const inTwoOrders = fc
    .array(entitlement, { maxLength: 6 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  test('give the best of their plans, in any order', () => {
    fc.assert(
      fc.property(inTwoOrders, ([list, shuffled]) => {
        const best = holdingOf(list, terms, now).plan.slug;
        expect(holdingOf(shuffled, terms, now).plan.slug).toBe(best);
        const given = list
          .filter(({ status, grace_until: until }) =>
            status === 'past_due'
              ? until !== null && until > now
              : status === 'active' || status === 'trialing',
          )
          .map(({ role }) => role);
        expect(best).toBe((['business', 'pro'] as const).find((slug) => given.includes(slug)) ?? 'free');
      }),
    );
  });
});

test.each<[string, Item[], Stripe.Subscription.Status, object | undefined]>([
  [
    'a price per seat',
    [{ lookupKey: 'business_month', quantity: 4 }],
    'active',
    { quantity: 4, pricing: { kind: 'per-seat' } },
  ],
  [
    'an add-on beside it',
    [{ lookupKey: 'x' }, { lookupKey: 'business_year' }],
    'trialing',
    { pricing: { kind: 'per-seat' } },
  ],
  [
    'a flat price',
    [{ lookupKey: 'pro_month', quantity: 4 }],
    'active',
    { quantity: 4, pricing: { kind: 'flat' } },
  ],
  ['status canceled', [{ lookupKey: 'business_month' }], 'canceled', undefined],
  ['no plan', [{ lookupKey: 'x' }], 'active', undefined],
])('the plan item of a subscription with %s', (_case, items, status, found) => {
  const item = planItemIfRunning(documentOf(subscription(items, { status })), plans);
  if (found === undefined) expect(item).toBeUndefined();
  else expect(item).toMatchObject(found);
});

test.each<[what: string, keys: (string | null)[], role: string | null, plan: string | undefined]>([
  ['the key of its item, not the stored slug', ['business_month'], 'pro', 'business'],
  ['the best of two items', ['pro_month', 'business_month'], null, 'business'],
  ['the best of two items in the other order', ['business_year', 'pro_month'], null, 'business'],
  ['the stored slug, if no item has a key', [null], 'pro', 'pro'],
  ['the stored slug, if its items are missing', [], 'pro', 'pro'],
  ['a former slug', [], 'gold', 'pro'],
  ['no plan', ['x'], 'unknown', undefined],
  ['no plan', [], null, undefined],
])('a subscription is for the plan of %s', (_what, keys, role, slug) => {
  const [free, pro, business] = plans;
  const renamed = planListSchema.parse([free, { ...pro, formerly: ['gold'] }, business]);
  const items = keys.map((lookupKey) => ({ lookupKey }));
  expect(planOfSubscription({ items, role }, renamed)?.slug).toBe(slug);
});

test.each<[behavior: string, resumesAt: string | null, plan: string]>([
  ['void', null, 'free'],
  ['void', '2023-12-01T00:00:01Z', 'free'],
  ['void', '2023-12-01T00:00:00Z', 'pro'],
  ['keep_as_draft', null, 'pro'],
  ['mark_uncollectible', null, 'pro'],
])('a subscription that is paused by %s until %s gives the plan %s', (behavior, resumesAt, slug) => {
  const paused = { behavior, resumes_at: resumesAt && new Date(resumesAt) } as {
    behavior: string;
    resumes_at: Date | null;
  };
  const subscription = { ...given, status: 'active', role: 'pro', collection_paused: paused };
  expect(holdingOf([subscription], terms, now).plan.slug).toBe(slug);
});

test('the item that pays for the best plan is billed for the seats', () => {
  const items = [{ lookupKey: 'pro_month' }, { lookupKey: 'business_month', quantity: 4 }];
  expect(planItemIfRunning(documentOf(subscription(items)), plans)).toMatchObject({
    quantity: 4,
    pricing: { kind: 'per-seat' },
  });
});

test('an unchanged subscription always gives the same document', () => {
  const current = documentOf(subscription([{ lookupKey: 'pro_month' }]));
  expect(documentOf(subscription([{ lookupKey: 'pro_month' }]))).toStrictEqual(current);
});
