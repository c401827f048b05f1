import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { paymentIntentIdsOf, isPaidByPaymentIntents, readAllLines } from './invoice.ts';

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
    expect(paymentIntentIdsOf(invoice)).toEqual(ids);
    expect(isPaidByPaymentIntents(invoice)).toBe(isByIntents);
  });
});

describe('the lines of an invoice', () => {
  const lines = Array.from({ length: 130 }, (_, index) => ({ id: `il_${index}`, amount: index }));
  const requested: URL[] = [];

  /** A Stripe that has one invoice, and answers pages of its lines. */
  const stripe = new Stripe('sk_test_lines', {
    httpClient: Stripe.createFetchHttpClient((input: string | URL | Request) => {
      const url = new URL(input instanceof Request ? input.url : input);
      requested.push(url);
      const from = lines.findIndex(({ id }) => id === url.searchParams.get('starting_after')) + 1;
      const end = from + Number(url.searchParams.get('limit'));
      const page = { object: 'list', data: lines.slice(from, end), has_more: end < lines.length };
      return Promise.resolve(Response.json({ ...page, url: url.pathname }));
    }),
  });

  const embedded = (count: number) =>
    ({
      id: 'upcoming_in_1',
      lines: { data: lines.slice(0, count), has_more: count === 10 },
    }) as unknown as Stripe.Invoice;

  test('are all read if Stripe has embedded only the first ones', async () => {
    requested.length = 0;
    const all = await readAllLines(stripe, embedded(10));
    expect(all.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
    expect(requested.map(({ pathname }) => pathname)).toEqual(
      Array(2).fill('/v1/invoices/upcoming_in_1/lines'),
    );
  });

  test('cost no call if Stripe has embedded all of them', async () => {
    requested.length = 0;
    expect(await readAllLines(stripe, embedded(3))).toHaveLength(3);
    expect(requested).toEqual([]);
  });
});
