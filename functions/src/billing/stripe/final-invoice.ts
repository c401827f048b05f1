import type Stripe from 'stripe';
import { logFault } from '../../common/log.ts';
import { cancelSubscription, hasEnded } from './cancel-subscription.ts';
import { isInvalidRequest, isMissing, withStripeRefusals } from './stripe-errors.ts';

/**
 * The comment of the cancellation at Stripe. A repeated deletion recognizes by it the subscriptions that an earlier
 * call has cancelled.
 */
const DELETION_COMMENT = 'The account or team was deleted.';

/**
 * In these states a customer can owe what is on no invoice yet. A trial is free, and an unpaid or paused subscription
 * gives nothing that Stripe would charge.
 */
const OWING: readonly string[] = ['active', 'past_due'] satisfies Stripe.Subscription.Status[];

/** The final invoice may be a little older than the end of the subscription. */
const INVOICED_BEFORE_END_SECONDS = 60;

/**
 * Cancels a subscription of a user or team that is being deleted. Stripe makes a final invoice of the usage and the
 * prorations that are on no invoice yet, such as those of seats, and collects it. The rest of the period is not
 * credited. Idempotent.
 *
 * If Stripe cannot make the invoice, a fault is logged, and the subscription ends without one: the deletion must not
 * fail because of it.
 *
 * @param subscription of our copy or of Stripe
 */
export async function cancelWithFinalInvoice(
  stripe: Stripe,
  { id, status }: { id: string; status: string },
): Promise<void> {
  if (!OWING.includes(status)) {
    await cancelSubscription(stripe, id);
    return;
  }
  let ended: Stripe.Subscription | undefined;
  try {
    ended = await cancelSubscription(stripe, id, {
      invoice_now: true,
      prorate: false,
      cancellation_details: { comment: DELETION_COMMENT },
      expand: ['latest_invoice'],
    });
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    logFault('A deleted customer got no final invoice', { subscriptionId: id }, error);
    await cancelSubscription(stripe, id);
    return;
  }
  // The answer to an earlier attempt may have been lost.
  ended ??= await retrieve(stripe, id);
  if (ended !== undefined) await collectFinalInvoice(stripe, ended);
}

/**
 * Turns on the collection of the final invoice, if a deletion has cancelled the subscription. Stripe then finalizes a
 * draft after about an hour, in which it still counts late usage, and charges it. Does nothing if the collection is on,
 * or if an operator has paused it. Idempotent.
 *
 * Stripe stops the collection of the invoices of a cancelled subscription, and does not say whether this includes the
 * final invoice. https://docs.stripe.com/api/subscriptions/cancel
 *
 * @param subscription with `latest_invoice` expanded
 */
export async function collectFinalInvoice(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const invoice = finalInvoiceOf(subscription);
  if (invoice === undefined || invoice.auto_advance === true) return;
  try {
    await withStripeRefusals(() => stripe.invoices.update(invoice.id, { auto_advance: true }));
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const concerned = { subscriptionId: subscription.id, invoiceId: invoice.id };
    logFault('The final invoice of a deleted customer is not collected', concerned, error);
  }
}

/** The final invoice that a deletion has made, if it is not closed yet. */
function finalInvoiceOf(subscription: Stripe.Subscription): Stripe.Invoice | undefined {
  const { cancellation_details: details, ended_at: endedAt, latest_invoice: invoice } = subscription;
  if (!hasEnded(subscription) || details?.comment !== DELETION_COMMENT || endedAt === null) return undefined;
  if (subscription.pause_collection !== null || invoice === null || typeof invoice === 'string')
    return undefined;
  // Without anything to invoice, the latest invoice is an older one, whose collection has ended with the subscription.
  if (invoice.created < endedAt - INVOICED_BEFORE_END_SECONDS) return undefined;
  return invoice.status === 'draft' || invoice.status === 'open' ? invoice : undefined;
}

async function retrieve(stripe: Stripe, id: string): Promise<Stripe.Subscription | undefined> {
  try {
    return await withStripeRefusals(() => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
