import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { SAMPLE_PLANS as plans } from '../../functions/src/testing/sample-plans.ts';
import { problemOf, toExtensionCustomer, toStoredBefore, type Facts } from './extension-customer.ts';
import { planSlugOf } from './plan-finder.ts';
import { noteOf, tableOf, type Comparison } from './report.ts';
import { endpointAdvice } from './webhook-endpoints.ts';

describe('a customer', () => {
  test('is a user if it comes from the extension, and otherwise has its type', () => {
    expect(toExtensionCustomer('u', { email: 'a@example.com', stripeId: 'cus_1' })).toEqual({
      id: 'u',
      type: 'user',
      stripeId: 'cus_1',
    });
    expect(toExtensionCustomer('t', { type: 'team', stripeId: 7 })).toEqual({
      id: 't',
      type: 'team',
      stripeId: undefined,
    });
  });

  test.each<[what: string, facts: Partial<Facts>, problem: string | undefined]>([
    ['with an account and its Stripe customer', {}, undefined],
    ['with a Stripe customer that names nobody', { stripeOwner: { id: undefined } }, undefined],
    ['without an account', { hasAccount: false }, 'no such account'],
    ['that Stripe does not have', { stripeOwner: undefined }, 'Stripe has no such customer'],
    ["with another's Stripe customer", { stripeOwner: { id: 'v' } }, 'the Stripe customer belongs to v'],
    ['with a Stripe customer that was seen before', { duplicateOf: 'v' }, 'v has the same Stripe customer'],
  ])('%s has the problem', (_what, facts, problem) => {
    const customer = { id: 'u', type: 'user' as const, stripeId: 'cus_1' };
    const all = { customer, hasAccount: true, stripeOwner: { id: 'u' }, duplicateOf: undefined, ...facts };
    expect(problemOf(all)).toBe(problem);
  });

  test('may have damaged subscriptions', () => {
    expect(toStoredBefore({ status: 1 })).toEqual({ status: 'unreadable', role: null });
  });
});

describe('the plan of a subscription', () => {
  const price = (id: string, product: string, key: string | null) =>
    ({ id, product, lookup_key: key }) as Stripe.Price;
  const prices = [
    price('price_m', 'prod_pro', 'hearth_pro_monthly'),
    price('price_y', 'prod_pro', 'hearth_pro_yearly'),
    price('price_a', 'prod_both', 'hearth_pro_monthly'),
    price('price_b', 'prod_both', 'hearth_business_monthly'),
  ];
  const planOf = (of: Stripe.Price) =>
    planSlugOf({ items: { data: [{ id: 'si_1', price: of }] } } as Stripe.Subscription, plans, { prices });

  test('follows from the lookup key of its price, or from a product of one plan', () => {
    expect(planOf(price('price_m', 'prod_pro', 'hearth_pro_monthly'))).toBe('pro');
    expect(planOf(price('price_old', 'prod_pro', null))).toBe('pro');
  });

  test('is unknown for a product of two plans or of none', () => {
    expect(planOf(price('price_old', 'prod_both', null))).toBeUndefined();
    expect(planOf(price('price_old', 'prod_other', null))).toBeUndefined();
  });
});

test.each<[what: string, comparison: Partial<Comparison>, note: RegExp | undefined]>([
  ['is the same', {}, undefined],
  ['has another status', { status: 'past_due' }, /status has changed/],
  ['was missing', { before: undefined }, /missing in Firestore/],
  ['is gone', { status: undefined }, /Stripe does not have it/],
  ['gives no plan', { plan: undefined }, /gives no plan: price_1/],
  ['had another role', { before: { status: 'active', role: 'premium' } }, /role premium becomes pro/],
  ['has ended without a plan', { status: 'active', isRunning: false, plan: undefined }, undefined],
])('a subscription that %s is noted', (_what, comparison, note) => {
  const before = { status: 'active', role: 'pro' };
  const written = noteOf({
    before,
    status: 'active',
    plan: 'pro',
    isRunning: true,
    prices: ['price_1'],
    ...comparison,
  });
  if (note === undefined) expect(written).toBeUndefined();
  else expect(written).toMatch(note);
});

test('the table has a line for each row, with columns of one width', () => {
  const rows = [
    {
      customer: 'u',
      stripeCustomer: 'cus_1',
      subscription: 'sub_1',
      now: 'active',
      plan: 'pro',
      note: 'was missing',
    },
    { customer: 'somebody', stripeCustomer: 'cus_2', note: 'NOT TAKEN OVER: no such account' },
  ];
  expect(tableOf(rows).split('\n')).toEqual([
    'customer  Stripe customer  subscription  in Firestore  at Stripe  plan  note',
    'u         cus_1            sub_1         -             active     pro   was missing',
    'somebody  cus_2            -             -             -          -     NOT TAKEN OVER: no such account',
  ]);
});

describe('the webhook endpoints', () => {
  const endpoint = (id: string, url: string, more: object = {}) =>
    ({ id, url, status: 'enabled', enabled_events: ['*'], ...more }) as Stripe.WebhookEndpoint;
  const OURS = 'https://app.example.com/api/webhooks/stripe';

  test.each([
    'https://us-central1-acme.cloudfunctions.net/ext-firestore-stripe-payments-handleWebhookEvents',
    'https://europe-west1-acme.cloudfunctions.net/ext-firestore-stripe-payments-a1b2-handleWebhookEvents',
    'https://ext-firestore-stripe-payments-handlewebhookevents-abc123-uc.a.run.app',
  ])('are named if they belong to the extension: %s', (url) => {
    expect(endpointAdvice([endpoint('we_1', url), endpoint('we_2', OURS)], [])).toEqual([
      `Switch off the webhook endpoint we_1 of the extension: ${url}`,
    ]);
    expect(
      endpointAdvice([endpoint('we_1', url, { status: 'disabled' }), endpoint('we_2', OURS)], []),
    ).toEqual([]);
  });

  test('include our own, with all events', () => {
    expect(endpointAdvice([], [])).toEqual([expect.stringContaining('Create a webhook endpoint')]);
    const some = endpoint('we_2', OURS, { enabled_events: ['invoice.paid'] });
    expect(endpointAdvice([some], ['invoice.paid', 'price.created'])).toEqual([
      'Add these events to the webhook endpoint we_2: price.created',
    ]);
  });
});
