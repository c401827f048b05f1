import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { subscription } from '../testing/subscriptions.ts';
import {
  isBeingDebited,
  isPaidByBankDebit,
  requireExpanded,
  WITH_PAYMENT_METHODS,
  type ExpandedSubscription,
} from './bank-debit.ts';

const method = (type: string) => ({ id: `pm_${type}`, type }) as Stripe.PaymentMethod;

const customerWith = (type: string | null) =>
  ({
    id: 'cus_1',
    invoice_settings: { default_payment_method: type === null ? null : method(type) },
  }) as Stripe.Customer;

interface Methods {
  own?: string | null;
  ofCustomer?: string | null;
}

function paidBy(
  { own = null, ofCustomer = null }: Methods,
  rest: Partial<Stripe.Subscription> = {},
): ExpandedSubscription {
  return requireExpanded(
    subscription([], {
      collection_method: 'charge_automatically',
      default_payment_method: own === null ? null : method(own),
      customer: customerWith(ofCustomer),
      pending_update: null,
      ...rest,
    }),
  );
}

describe('a subscription is paid by bank debit', () => {
  test.each([
    'acss_debit',
    'au_becs_debit',
    'bacs_debit',
    'nz_bank_account',
    'sepa_debit',
    'us_bank_account',
  ])('with its own payment method %s', (type) => {
    expect(isPaidByBankDebit(paidBy({ own: type, ofCustomer: 'card' }))).toBe(true);
  });

  test('with the default of its customer', () => {
    expect(isPaidByBankDebit(paidBy({ ofCustomer: 'sepa_debit' }))).toBe(true);
  });

  test.each<[what: string, methods: Methods, rest?: Partial<Stripe.Subscription>]>([
    ['with a card of its own', { own: 'card', ofCustomer: 'sepa_debit' }],
    ['with a card of its customer', { ofCustomer: 'card' }],
    ['with a bank transfer', { own: 'customer_balance' }],
    ['without a payment method', {}],
    ['with a deleted customer', {}, { customer: { id: 'cus_1', object: 'customer', deleted: true } }],
    ['if its invoices are sent', { own: 'sepa_debit' }, { collection_method: 'send_invoice' }],
  ])('not %s', (_what, methods, rest) => {
    expect(isPaidByBankDebit(paidBy(methods, rest))).toBe(false);
  });
});

describe('an open invoice is being debited', () => {
  const open = (collection: Stripe.Invoice['collection_method'] = 'charge_automatically') =>
    ({ status: 'open', collection_method: collection }) as Stripe.Invoice;

  test.each(['active', 'trialing'] as const)('while the subscription is %s', (status) => {
    expect(isBeingDebited(paidBy({ own: 'sepa_debit' }, { status }), open())).toBe(true);
  });

  test.each<[what: string, subscription: ExpandedSubscription, invoice?: Stripe.Invoice]>([
    ['by a card', paidBy({ own: 'card' })],
    ['while the subscription is past due', paidBy({ own: 'sepa_debit' }, { status: 'past_due' })],
    ['while the subscription is unpaid', paidBy({ own: 'sepa_debit' }, { status: 'unpaid' })],
    [
      'if an update waits for it',
      paidBy({ own: 'sepa_debit' }, { pending_update: {} as Stripe.Subscription.PendingUpdate }),
    ],
    ['if it was sent', paidBy({ own: 'sepa_debit' }), open('send_invoice')],
  ])('not %s', (_what, found, invoice = open()) => {
    expect(isBeingDebited(found, invoice)).toBe(false);
  });
});

describe('a subscription whose payment methods are not expanded is a fault', () => {
  test.each<[what: string, fields: Partial<Stripe.Subscription>]>([
    ['its own one', { default_payment_method: 'pm_1', customer: customerWith(null) }],
    ['its customer', { default_payment_method: null, customer: 'cus_1' }],
    [
      'the default of its customer',
      {
        default_payment_method: null,
        customer: {
          ...customerWith(null),
          invoice_settings: { default_payment_method: 'pm_1' },
        } as Stripe.Customer,
      },
    ],
  ])('%s', (_what, fields) => {
    expect(() => requireExpanded(subscription([], fields))).toThrow('not expanded');
  });
});

test('Stripe expands at most four levels, also in a list', () => {
  const levels = WITH_PAYMENT_METHODS.expand.map((path) => `data.${path}`.split('.').length);
  expect(Math.max(...levels)).toBeLessThanOrEqual(4);
});
