import type Stripe from 'stripe';
import { refusal } from '../../../refusals/refusals.ts';
import { isBeingDebited, isPaidByBankDebit, type ExpandedSubscription } from '../from-stripe/bank-debit.ts';
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
 * An immediate change credits the rest of the period. Stripe credits it also while the invoice of the period is unpaid,
 * so the customer would get money that was never paid. If Stripe charges a card, an unpaid subscription is past due:
 * see `requireChangeable`. If Stripe sends invoices, it stays active until an invoice is due, and if Stripe debits a
 * bank account, until the debit has failed. One call to Stripe for these two, otherwise none.
 *
 * @throws Refusal `invoice_unpaid`, `debit_under_way`
 */
export async function requireOpenInvoicesPaid(
  { invoices }: Stripe,
  subscription: ExpandedSubscription,
): Promise<void> {
  const { id, collection_method: method } = subscription;
  if (method !== 'send_invoice' && !isPaidByBankDebit(subscription)) return;
  const [open] = (await invoices.list({ subscription: id, status: 'open', limit: 1 })).data;
  if (open === undefined) return;
  throw refusal(isBeingDebited(subscription, open) ? 'debit_under_way' : 'invoice_unpaid');
}

/**
 * The usage of a period is billed with the invoice at its end. A phase that lacks the metered price begins before this
 * invoice, and Stripe then bills no usage of this price. An immediate change bills the usage: see `sendDroppedUsage`.
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
