import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { intentIdsOf, isPaidByIntents } from './invoice.ts';

type Payment = Pick<Stripe.InvoicePayment, 'status' | 'amount_paid' | 'payment'>;

const byIntent = (id: string, amount: number | null, status: Payment['status'] = 'paid'): Payment => ({
  status,
  amount_paid: amount,
  payment: { type: 'payment_intent', payment_intent: id },
});

const elsewhere: Payment = {
  status: 'paid',
  amount_paid: 700,
  payment: { type: 'payment_record', payment_record: 'pr_1' },
};

const invoiceWith = (amount: number, ...data: Payment[]) =>
  ({ amount_paid: amount, payments: { data } }) as Stripe.Invoice;

describe('an invoice that was paid', () => {
  test.each<[how: string, invoice: Stripe.Invoice, ids: string[], isByIntents: boolean]>([
    ['at once', invoiceWith(1200, byIntent('pi_1', 1200)), ['pi_1'], true],
    ['in parts', invoiceWith(1200, byIntent('pi_2', 700), byIntent('pi_1', 500)), ['pi_2', 'pi_1'], true],
    [
      'after a payment was canceled',
      invoiceWith(500, byIntent('pi_1', null, 'canceled'), byIntent('pi_2', 500)),
      ['pi_2'],
      true,
    ],
    ['in part outside of Stripe', invoiceWith(1200, byIntent('pi_1', 500), elsewhere), ['pi_1'], false],
    ['outside of Stripe', invoiceWith(1200), [], false],
    ['by credit', invoiceWith(0), [], true],
  ])('%s', (_how, invoice, ids, isByIntents) => {
    expect(intentIdsOf(invoice)).toEqual(ids);
    expect(isPaidByIntents(invoice)).toBe(isByIntents);
  });
});
