import type Stripe from 'stripe';
import { idOf } from './stripe-ids.ts';

/** The payment intent that paid an invoice. `payments` must be expanded. */
export function intentIdOf({ payments }: Pick<Stripe.Invoice, 'payments'>): string | undefined {
  for (const { payment, status } of payments?.data ?? []) {
    if (status === 'paid' && payment.payment_intent) return idOf(payment.payment_intent);
  }
  return undefined;
}

/**
 * The open invoice that a customer has to pay for a subscription: the latest invoice, or an older one of a subscription
 * that is past due. After a renewal the latest invoice is a draft for about an hour. Makes one call to Stripe if the
 * subscription is past due and its latest invoice is not open; otherwise none.
 * https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 *
 * @param subscription with `latest_invoice` expanded
 */
export async function findInvoiceToPay(
  { invoices }: Stripe,
  { id, status, latest_invoice: latest }: Stripe.Subscription,
): Promise<Stripe.Invoice | null> {
  if (latest !== null && typeof latest !== 'string' && latest.status === 'open') return latest;
  if (status !== 'past_due') return null;
  const { data } = await invoices.list({ subscription: id, status: 'open', limit: 1 });
  return data[0] ?? null;
}

/** The id of the subscription that an invoice is for. Undefined for an invoice without a subscription. */
export function subscriptionIdOf({ parent }: Pick<Stripe.Invoice, 'parent'>): string | undefined {
  const subscription = parent?.subscription_details?.subscription;
  return subscription ? idOf(subscription) : undefined;
}
