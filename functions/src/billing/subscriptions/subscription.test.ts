import fc from 'fast-check';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { planListSchema } from '../../settings/plans.ts';
import { toDocument as documentOf, type Terms } from './subscription-document.ts';
import { toItems } from './subscription-items.ts';
import { bestPlan, isRunning, isUnchanged, planItemOf } from './subscription.ts';

const price = (lookupKey: string) => ({ lookupKey, unitAmount: 100, currency: 'usd' });
const plan = (slug: string) => ({
  slug,
  name: slug,
  description: slug,
  limits: { seats: 1, uploadMegabytes: 1, fileMegabytes: 1 },
});
const paid = (slug: string) => ({
  ...plan(slug),
  prices: { month: price(`${slug}_month`), year: price(`${slug}_year`) },
});
const plans = planListSchema.parse([plan('free'), paid('pro'), { ...paid('business'), perSeat: true }]);
const now = new Date('2023-12-01T00:00:00Z');
const terms = { plans, pastDueGraceDays: 0, now };

/** Status, whether a second subscription beside it would charge twice, whether it gives its plan. */
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

/** The document of a subscription that was not stored before. */
const toDocument = (from: Stripe.Subscription, terms: Terms) =>
  documentOf(from, toItems(from, terms.plans), terms);

interface Item {
  lookupKey: string | null;
  price?: string;
  product?: string | { id: string };
  quantity?: number;
}

function subscription(items: Item[], rest: Partial<Stripe.Subscription> = {}): Stripe.Subscription {
  return {
    id: 'sub_1',
    status: 'active',
    metadata: { firebaseUID: 'u' },
    cancel_at_period_end: false,
    created: 1_700_000_000,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    trial_start: null,
    trial_end: null,
    latest_invoice: null,
    livemode: false,
    items: {
      data: items.map(({ lookupKey, price: id = 'price_1', product = 'prod_1', quantity }) => ({
        id: 'si_1',
        price: { id, lookup_key: lookupKey, product },
        quantity,
        current_period_start: 1_700_000_000,
        current_period_end: 1_702_592_000,
      })),
    },
    ...rest,
  } as Stripe.Subscription;
}

describe.each(STATUSES)('a subscription that is %s', (status, running, entitling) => {
  test(`is running: ${running}, gives its plan: ${entitling}`, () => {
    expect(isRunning(subscription([], { status }))).toBe(running);
    expect(bestPlan([{ status, role: 'pro', grace_until: null }], plans, now).slug).toBe(
      entitling ? 'pro' : 'free',
    );
  });
});

describe('of several subscriptions', () => {
  const held = fc.record({
    status: fc.constantFrom(...STATUSES.map(([status]) => status)),
    role: fc.constantFrom('free', 'pro', 'business', 'gone', null),
    grace_until: fc.constantFrom(null, new Date('2023-11-30T00:00:00Z'), new Date('2023-12-02T00:00:00Z')),
  });
  const heldInTwoOrders = fc
    .array(held, { maxLength: 6 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  test('the best plan counts, in whatever order they come', () => {
    fc.assert(
      fc.property(heldInTwoOrders, ([list, shuffled]) => {
        const best = bestPlan(list, plans, now).slug;
        expect(bestPlan(shuffled, plans, now).slug).toBe(best);
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

describe('the document', () => {
  test('has the shape of the Stripe extension', () => {
    const document = toDocument(
      subscription([{ lookupKey: 'pro_month', product: { id: 'prod_2' }, quantity: 3 }], {
        cancel_at: 1_702_592_000,
        trial_end: 0,
      }),
      terms,
    );
    expect(document).toEqual({
      status: 'active',
      role: 'pro',
      metadata: { firebaseUID: 'u' },
      items: [{ id: 'si_1', price: 'price_1', lookupKey: 'pro_month', product: 'prod_2', quantity: 3 }],
      price: 'price_1',
      quantity: 3,
      cancel_at_period_end: false,
      created: new Date('2023-11-14T22:13:20Z'),
      current_period_start: new Date('2023-11-14T22:13:20Z'),
      current_period_end: new Date('2023-12-14T22:13:20Z'),
      cancel_at: new Date('2023-12-14T22:13:20Z'),
      canceled_at: null,
      ended_at: null,
      trial_start: null,
      trial_end: new Date(0),
      grace_until: null,
      latest_invoice: null,
      stripeLink: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
    });
  });

  test.each<[string, Item[], string | null]>([
    ['monthly price', [{ lookupKey: 'pro_month' }], 'pro'],
    ['yearly price', [{ lookupKey: 'business_year' }], 'business'],
    ['add-on before the plan', [{ lookupKey: 'addon' }, { lookupKey: 'pro_month' }], 'pro'],
    ['price without lookup key', [{ lookupKey: null }], null],
    ['price of no plan', [{ lookupKey: 'retired' }], null],
    ['nothing', [], null],
  ])('has the plan of a %s', (_case, items, role) => {
    expect(toDocument(subscription(items), terms).role).toBe(role);
  });

  test('of a subscription without items has no price or period', () => {
    expect(toDocument(subscription([]), terms)).toMatchObject({
      price: null,
      quantity: null,
      current_period_end: null,
    });
  });

  test('links a live subscription outside of test mode', () => {
    expect(toDocument(subscription([], { livemode: true }), terms).stripeLink).toBe(
      'https://dashboard.stripe.com/subscriptions/sub_1',
    );
  });
});

describe('a subscription whose payment failed', () => {
  const day = 86_400;
  const failed = Date.parse('2023-11-30T00:00:00Z') / 1000;
  const invoice = {
    id: 'in_1',
    status: 'open',
    amount_due: 1200,
    currency: 'usd',
    created: failed,
    next_payment_attempt: failed + 3 * day,
    hosted_invoice_url: 'https://invoice.stripe.com/i/1',
  } as Stripe.Invoice;
  const pastDue = subscription([{ lookupKey: 'pro_month' }], { status: 'past_due', latest_invoice: invoice });

  test.each<[graceDays: number, at: string, until: string | null, plan: string]>([
    [0, '2023-11-30T00:00:00Z', null, 'free'],
    [3, '2023-11-30T00:00:00Z', '2023-12-03T00:00:00Z', 'pro'],
    [3, '2023-12-02T23:59:59Z', '2023-12-03T00:00:00Z', 'pro'],
    [3, '2023-12-03T00:00:00Z', null, 'free'],
  ])('with %s days of grace has at %s grace until %s and gives %s', (pastDueGraceDays, at, until, slug) => {
    const document = toDocument(pastDue, { plans, pastDueGraceDays, now: new Date(at) });
    expect(document.grace_until).toEqual(until && new Date(until));
    expect(bestPlan([document], plans, new Date(at)).slug).toBe(slug);
  });

  test('tells the invoice that is to be paid, and when Stripe tries again', () => {
    expect(toDocument(pastDue, terms).latest_invoice).toEqual({
      id: 'in_1',
      status: 'open',
      amount_due: 1200,
      currency: 'usd',
      created: new Date('2023-11-30T00:00:00Z'),
      next_payment_attempt: new Date('2023-12-03T00:00:00Z'),
      hosted_invoice_url: 'https://invoice.stripe.com/i/1',
    });
  });
});

test.each<[string, Item[], Stripe.Subscription.Status, object | undefined]>([
  [
    'a price per seat',
    [{ lookupKey: 'business_month', quantity: 4 }],
    'active',
    { quantity: 4, perSeat: true },
  ],
  [
    'an add-on beside it',
    [{ lookupKey: 'x' }, { lookupKey: 'business_year' }],
    'trialing',
    { perSeat: true },
  ],
  ['a flat price', [{ lookupKey: 'pro_month', quantity: 4 }], 'active', { quantity: 4, perSeat: false }],
  ['an end', [{ lookupKey: 'business_month' }], 'canceled', undefined],
  ['no plan', [{ lookupKey: 'x' }], 'active', undefined],
])('the item of the plan of a subscription with %s', (_case, items, status, found) => {
  const item = planItemOf(toDocument(subscription(items, { status }), terms), plans);
  if (found === undefined) expect(item).toBeUndefined();
  else expect(item).toMatchObject(found);
});

test('a document is unchanged until Stripe changes a field', () => {
  const current = toDocument(subscription([{ lookupKey: 'pro_month' }]), terms);
  expect(isUnchanged(structuredClone(current), current)).toBe(true);
  expect(isUnchanged(current, { ...current, current_period_end: new Date(0) })).toBe(false);
  expect(isUnchanged(current, { ...current, items: [] })).toBe(false);
});
