import type Stripe from 'stripe';
import { refusal } from '../../../refusals/refusals.ts';
import { isEnding } from '../status.ts';
import { droppedMeteredPrices, type ItemAfterChange } from './item-changes.ts';

/**
 * A change would restart a cancelled subscription, and would charge an unpaid one for the old plan.
 *
 * @throws Refusal `subscription_ending`, `invoice_unpaid`
 */
export function requireChangeable(subscription: Stripe.Subscription): void {
  const { status } = subscription;
  if (isEnding(subscription)) throw refusal('subscription_ending');
  if (status !== 'active' && status !== 'trialing') throw refusal('invoice_unpaid');
}

/**
 * A change now credits the rest of the period. Stripe credits it also while the invoice of the period is unpaid, so the
 * customer would get money that was never paid. If Stripe charges automatically, an unpaid subscription is past due:
 * see `requireChangeable`. If Stripe sends invoices, it stays active until an invoice is due. One call to Stripe for a
 * subscription whose invoices are sent, otherwise none.
 *
 * @throws Refusal `invoice_unpaid`
 */
export async function requireSentInvoicesPaid(
  { invoices }: Stripe,
  { id, collection_method: method }: Stripe.Subscription,
): Promise<void> {
  if (method !== 'send_invoice') return;
  const { data } = await invoices.list({ subscription: id, status: 'open', limit: 1 });
  if (data.length > 0) throw refusal('invoice_unpaid');
}

/**
 * The usage of a period is billed with the invoice at its end. A phase that lacks the metered price begins before this
 * invoice, and Stripe then bills no usage of this price. A change now bills the usage: see `sendDroppedUsage`.
 * https://docs.stripe.com/billing/subscriptions/usage-based/manage-billing-setup
 *
 * @param planned all line items after the change
 * @throws Refusal `usage_not_plannable`
 */
export function requireUsageKept(
  subscription: Stripe.Subscription,
  planned: readonly Pick<ItemAfterChange, 'price'>[],
): void {
  if (droppedMeteredPrices(subscription, planned).length > 0) throw refusal('usage_not_plannable');
}
