import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { logFault, logWarning } from '../../common/log.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { chargeOf } from '../purchases/purchase-state.ts';
import { cancelSubscription } from '../stripe/cancel-subscription.ts';
import { paymentIntentIdsOf, isPaidByPaymentIntents, subscriptionIdOf } from '../stripe/invoice.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';
import { findInvoiceOfIntent, findPayer } from './payer.service.ts';

/** A subscription whose payment was refunded or disputed. */
interface ReversedSubscription {
  customerId: string;
  customer: CustomerDocument;
  subscriptionId: string;
  /** The payment intent that was refunded or disputed. */
  intentId: string;
  /** The invoice that it paid, with all its payments. */
  invoice: Stripe.Invoice;
}

/**
 * After all payments of an invoice were refunded in full, ends the subscription if `REFUND_ENDS_SUBSCRIPTION` is on.
 * Otherwise logs a warning that the subscription goes on. Idempotent.
 */
export async function handleRefund(
  backend: Backend,
  { data: { object: charge } }: Stripe.ChargeRefundedEvent,
): Promise<void> {
  const { id, refunded, payment_intent: intent } = charge;
  const found = refunded ? await findSubscription(backend, intent) : undefined;
  if (found === undefined || !(await isRefundedInFull(backend, found))) return;
  if (backend.config.refundEndsSubscription) await endSubscription(backend, found);
  else if (await goesOnAfterRefund(backend, found)) {
    const reason = `Subscription ${found.subscriptionId}; REFUND_ENDS_SUBSCRIPTION is off.`;
    logWarning(`The charge ${id} was refunded, and its subscription goes on`, reason);
  }
}

/**
 * True if all payments of an invoice were refunded in full. Makes one call to Stripe for each other payment, so none
 * for an invoice with a single payment.
 */
async function isRefundedInFull(
  backend: Backend,
  { intentId, invoice }: ReversedSubscription,
): Promise<boolean> {
  if (!isPaidByPaymentIntents(invoice)) return false;
  const others = paymentIntentIdsOf(invoice).filter((id) => id !== intentId);
  const { paymentIntents } = await backend.stripe();
  const intents = await withStripeRefusals(() =>
    Promise.all(others.map((id) => paymentIntents.retrieve(id, { expand: ['latest_charge'] }))),
  );
  return intents.every((intent) => chargeOf(intent)?.refunded === true);
}

/** False also for a marked duplicate, which runs until `endDuplicates` has ended it. */
async function goesOnAfterRefund(
  { db }: Backend,
  { customerId, customer, subscriptionId }: ReversedSubscription,
): Promise<boolean> {
  const isMarkedDuplicate = customer.markedDuplicates?.includes(subscriptionId) === true;
  if (isMarkedDuplicate) return false;
  const running = await runningSubscriptions(db, customerId).findPaths();
  return running.some(({ id }) => id === subscriptionId);
}

/**
 * Logs a refund that Stripe accepted and that failed later, for example because the card was closed. Stripe returns the
 * money to the merchant and does not try again. Therefore an operator must give the money back in another way, and what
 * the refund has ended stays ended. https://docs.stripe.com/refunds#failed-refunds
 */
export async function handleFailedRefund(
  backend: Backend,
  { data: { object: refund } }: Stripe.RefundFailedEvent,
): Promise<void> {
  await logUndoneRefund(backend, refund, 'A refund failed');
}

/**
 * Logs a refund that was canceled, as `handleFailedRefund` does. Example: somebody canceled it in Stripe's dashboard.
 * Every other update is ignored. https://docs.stripe.com/api/refunds/cancel
 */
export async function handleCanceledRefund(
  backend: Backend,
  { data: { object: refund, previous_attributes: before } }: Stripe.RefundUpdatedEvent,
): Promise<void> {
  const isCanceledNow = refund.status === 'canceled' && before?.status !== undefined;
  if (isCanceledNow) await logUndoneRefund(backend, refund, 'A refund was canceled');
}

async function logUndoneRefund(backend: Backend, refund: Stripe.Refund, message: string): Promise<void> {
  const { id: refundId, failure_reason: reason = 'unknown' } = refund;
  const advice = `Give the money back in another way. The reason is ${reason}.`;
  const { ids } = await findPayer(backend, refund);
  logFault(message, { refundId, ...ids }, advice);
}

/**
 * Statuses of a dispute after which the payment stays with us. `warning_closed` is an inquiry that was closed.
 * https://docs.stripe.com/api/disputes/object#dispute_object-status
 */
const STATUSES_THAT_KEEP_PAYMENT: ReadonlySet<Stripe.Dispute.Status> = new Set([
  'won',
  'warning_closed',
  'prevented',
]);

/**
 * Logs a dispute that is new or lost, about a subscription or a one-time purchase. An operator must answer a new
 * dispute in Stripe's dashboard. A lost dispute ends the subscription if `DISPUTE_ENDS_SUBSCRIPTION` is on. Idempotent.
 */
export async function handleDispute(
  backend: Backend,
  { data: { object: dispute } }: Stripe.ChargeDisputeCreatedEvent | Stripe.ChargeDisputeClosedEvent,
): Promise<void> {
  const { id: disputeId, status, payment_intent: intent } = dispute;
  if (status === 'lost' && backend.config.disputeEndsSubscription) {
    const found = await findSubscription(backend, intent);
    if (found !== undefined) await endSubscription(backend, found);
  }
  if (STATUSES_THAT_KEEP_PAYMENT.has(status)) return;
  // Other products can share the account at Stripe.
  const { ids, isOurs } = await findPayer(backend, dispute);
  if (isOurs) logFault('A payment is disputed', { disputeId, ...ids }, status);
}

/**
 * Makes two calls to Stripe.
 *
 * @returns undefined if the payment is not for a subscription of our customers
 */
async function findSubscription(
  backend: Backend,
  intent: Stripe.Charge['payment_intent'],
): Promise<ReversedSubscription | undefined> {
  if (intent === null) return undefined;
  const intentId = idOf(intent);
  const invoice = await findInvoiceOfIntent(await backend.stripe(), intentId);
  if (invoice === undefined) return undefined;
  const subscriptionId = subscriptionIdOf(invoice);
  if (subscriptionId === undefined) return undefined;
  const found = await findByStripeCustomer(backend.db, invoice.customer);
  return found && { customerId: found.id, customer: found.customer, subscriptionId, intentId, invoice };
}

async function endSubscription(
  backend: Backend,
  { customerId, subscriptionId }: ReversedSubscription,
): Promise<void> {
  const stripe = await backend.stripe();
  await cancelSubscription(stripe, subscriptionId);
  await syncSubscription(backend, customerId, subscriptionId);
}
