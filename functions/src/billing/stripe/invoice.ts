import type Stripe from 'stripe';
import { idOf } from './stripe-ids.ts';

/**
 * The ids of the payment intents that paid an invoice. Usually there is one; an invoice can also be paid in parts.
 * `payments` must be expanded. https://docs.stripe.com/invoicing/partial-payments
 */
export function paymentIntentIdsOf(invoice: Pick<Stripe.Invoice, 'payments'>): string[] {
  return intentPayments(invoice).map(({ intentId }) => intentId);
}

/**
 * True if payment intents paid the whole amount. False if a part was paid in another way, such as outside of Stripe, or
 * if Stripe has not listed all payments. `payments` must be expanded.
 */
export function isPaidByPaymentIntents(invoice: Pick<Stripe.Invoice, 'amount_paid' | 'payments'>): boolean {
  const amounts = intentPayments(invoice).map(({ amount }) => amount);
  return amounts.reduce((sum, amount) => sum + amount, 0) === invoice.amount_paid;
}

function intentPayments({ payments }: Pick<Stripe.Invoice, 'payments'>) {
  return (payments?.data ?? []).flatMap(({ payment, status, amount_paid: amount }) =>
    status === 'paid' && payment.payment_intent
      ? [{ intentId: idOf(payment.payment_intent), amount: amount ?? 0 }]
      : [],
  );
}

/**
 * All lines of an invoice or of a preview. An answer of Stripe has the first ten. If there are more, makes one call to
 * Stripe for each 100 lines; otherwise none. https://docs.stripe.com/api/invoice-line-item/list
 */
export async function readAllLines(
  { invoices }: Stripe,
  { id, lines }: Pick<Stripe.Invoice, 'id' | 'lines'>,
): Promise<Stripe.InvoiceLineItem[]> {
  return lines.has_more ? Array.fromAsync(invoices.listLineItems(id, { limit: 100 })) : lines.data;
}

/** The id of the subscription that an invoice is for. Undefined for an invoice without a subscription. */
export function subscriptionIdOf({ parent }: Pick<Stripe.Invoice, 'parent'>): string | undefined {
  const subscription = parent?.subscription_details?.subscription;
  return subscription ? idOf(subscription) : undefined;
}
