import { expect, test } from 'vitest';
import { DocumentPath, parseDocument } from '../convert.ts';
import { DamagedDocument, requireIntact } from '../damage.ts';
import { customerSchema } from './customer.ts';
import { purchaseSchema } from './purchase.ts';
import { subscriptionSchema } from './subscription.ts';
import { teamSchema } from './team.ts';

/** Documents as the Stripe extension or an older version of this service wrote them. */

const AT = new Date(1_700_000_000_000);

const readCustomer = (data: object) => requireIntact(parseDocument(customerSchema, 'customers/id', data));

test('the customer of the extension is a user', () => {
  const document = { email: 'ada@example.com', stripeId: 'cus_1', stripeLink: 'https://stripe.com' };
  expect(readCustomer({ ...document, phone: '1' })).toEqual({
    ...document,
    type: 'user',
    name: null,
    creationKey: '',
    creationKeyAt: new Date(0),
  });
});

test.each<[field: string, value: unknown]>([
  ['type', 'team'],
  ['creationKey', 'key'],
  ['creationKeyAt', AT],
])('a customer that has only %s of our fields is damaged', (field, value) => {
  expect(() => readCustomer({ email: null, stripeId: 'cus_1', [field]: value })).toThrow(DamagedDocument);
});

test('the time of the creation key is read from its former field', () => {
  const document = { type: 'user', email: null, name: null, creationKey: 'key' };
  expect(readCustomer({ ...document, reservedAt: AT })).toEqual({ ...document, creationKeyAt: AT });
  expect(readCustomer({ ...document, reservedAt: new Date(0), creationKeyAt: AT }).creationKeyAt).toEqual(AT);
});

test('a checkout and a purchase are read from their former fields', () => {
  const contents = { priceId: 'price_1', quantity: 1 };
  const urls = { success: 'https://app.example.com/paid', cancel: 'https://app.example.com/' };
  const former = { promotionCode: 'promo_1', returnUrls: urls };
  const present = { promotionCodeId: 'promo_1', stripeReturnUrls: urls };
  const checkout = { ...contents, trialDays: 0, ownerId: 'u' };
  const formerCheckout = { ...former, callerId: 'v', key: 'key', toExpire: ['cs_0'] };
  const presentCheckout = { buyerId: 'v', idempotencyKey: 'key', replacedSessionIds: ['cs_0'] };
  const customer = { type: 'user', email: null, name: null, creationKey: 'key', creationKeyAt: AT };
  const read = readCustomer({ ...customer, checkout: { ...checkout, ...formerCheckout } });
  expect(read.checkout).toEqual({ ...checkout, ...present, ...presentCheckout });

  const purchase = {
    ...contents,
    status: 'paid',
    item: 'lifetime',
    lookupKey: 'lifetime_once',
    credits: null,
    sessionId: 'cs_1',
    paymentIntentId: null,
    amount: 100,
    currency: 'eur',
    createdAt: AT,
    paidAt: AT,
    refundedAt: null,
    checkAt: null,
  };
  const stored = parseDocument(purchaseSchema, 'customers/id/purchases/p', {
    ...purchase,
    ...former,
    toEnd: ['p0'],
  });
  expect(stored).toEqual({ ...purchase, ...present, replacedPurchaseIds: ['p0'] });
});

test('the subscription of a team is read from its former fields', () => {
  const team = { name: 'Acme', slug: 'acme', ownerId: 'u', plan: 'pro', seatLimit: 10, createdAt: AT };
  expect(
    parseDocument(teamSchema, 'teams/t', { ...team, subscribed: true, seatsBilled: false }),
  ).toMatchObject({ isCustomer: true, hasRunningSubscription: true, billingDependsOnMembers: false });
});

test.each([
  ['without a running subscription is a customer', { hasRunningSubscription: false }, { isCustomer: true }],
  ['that was never a customer is none', {}, {}],
])('a team of a former version %s', (_case, fields, added) => {
  const team = { name: 'Acme', slug: 'acme', ownerId: 'u', plan: 'free', seatLimit: 3, createdAt: AT };
  expect(parseDocument(teamSchema, 'teams/t', { ...team, ...fields })).toEqual({
    ...team,
    ...fields,
    ...added,
  });
});

/** A document of the extension, apart from the line items. */
const subscription = {
  status: 'active',
  role: 'pro',
  metadata: { firebaseUID: 'u' },
  price: new DocumentPath('products/prod_1/prices/price_1'),
  product: new DocumentPath('products/prod_1'),
  prices: [new DocumentPath('products/prod_1/prices/price_1')],
  quantity: 1,
  cancel_at_period_end: false,
  created: AT,
  current_period_start: AT,
  current_period_end: AT,
  cancel_at: null,
  canceled_at: null,
  ended_at: null,
  trial_start: null,
  trial_end: null,
  stripeLink: 'https://dashboard.stripe.com/subscriptions/sub_1',
};
const ours = { id: 'si_1', price: 'price_1', lookupKey: 'pro_month', product: 'prod_1', quantity: 1 };
const price = {
  id: 'price_1',
  lookup_key: 'pro_month',
  product: { id: 'prod_1', name: 'Pro' },
  type: 'recurring',
};
const theirs = { id: 'si_1', object: 'subscription_item', price, quantity: 1 };

const readSubscription = (data: object) =>
  requireIntact(
    parseDocument(subscriptionSchema, 'customers/u/subscriptions/sub_1', { ...subscription, ...data }),
  );

test.each<[what: string, stored: { items?: unknown[] }, expected: unknown[]]>([
  ["Stripe's line items", { items: [theirs] }, [ours]],
  [
    'a product that was not expanded, and no quantity',
    { items: [{ id: 'si_1', price: { ...price, product: 'prod_1' } }] },
    [ours],
  ],
  [
    'a price without a lookup key',
    { items: [{ ...theirs, price: { ...price, lookup_key: null } }] },
    [{ ...ours, lookupKey: null }],
  ],
  ['no line items', {}, []],
])(
  'a subscription of the extension with %s is intact, and differs from a copy of ours',
  (_what, stored, items) => {
    expect(readSubscription(stored)).toEqual({
      ...subscription,
      items,
      priceId: null,
      past_due_since: null,
      grace_until: null,
      collection_paused: null,
      latest_invoice: null,
      schedule: null,
    });
  },
);

test('an older version stored the id of the price', () => {
  const older = { items: [ours], product: undefined, prices: undefined };
  expect(readSubscription({ ...older, price: 'price_1' })).toMatchObject({
    price: subscription.price,
    product: null,
    priceId: null,
  });
  expect(readSubscription({ ...older, price: 'price_2' })).toMatchObject({ price: null });
});
