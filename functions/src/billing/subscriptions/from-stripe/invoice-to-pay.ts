import type Stripe from 'stripe';
import { isBeingDebited, type ExpandedSubscription } from './bank-debit.ts';

/**
 * The open invoice that a customer has to pay for a subscription: the latest invoice, or an older one of a subscription
 * that is past due. After a renewal the latest invoice is a draft for about an hour. Null while Stripe is debiting the
 * latest invoice. Makes one call to Stripe if the subscription is past due and its latest invoice is not open;
 * otherwise none. https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 *
 * @param subscription with `latest_invoice` expanded
 */
export async function findInvoiceToPay(
  { invoices }: Stripe,
  subscription: ExpandedSubscription,
): Promise<Stripe.Invoice | null> {
  const { id, status, latest_invoice: latest } = subscription;
  if (latest !== null && typeof latest !== 'string' && latest.status === 'open')
    return isBeingDebited(subscription, latest) ? null : latest;
  if (status !== 'past_due') return null;
  const { data } = await invoices.list({ subscription: id, status: 'open', limit: 1 });
  return data[0] ?? null;
}
