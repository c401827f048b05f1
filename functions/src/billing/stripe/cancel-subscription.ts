import type Stripe from 'stripe';
import { logFault } from '../../common/log.ts';
import { paymentIntentIdsOf } from './invoice.ts';
import {
  isAlreadyReversed,
  isInvalidRequest,
  isMissing,
  unlessMissing,
  withStripeRefusals,
} from './stripe-errors.ts';

const ENDED: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired'];

/**
 * Cancels a subscription immediately. Does nothing if the subscription has ended: Stripe then rejects the call, and the
 * error is ignored. https://docs.stripe.com/api/subscriptions/cancel
 *
 * @returns undefined if the subscription had ended before
 * @throws the error of Stripe if the subscription still runs
 */
export async function cancelSubscription(
  stripe: Stripe,
  id: string,
  params: Stripe.SubscriptionCancelParams = {},
): Promise<Stripe.Subscription | undefined> {
  try {
    return await withStripeRefusals(() => stripe.subscriptions.cancel(id, params));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!isInvalidRequest(error)) throw error;
    const { status } = await withStripeRefusals(() => stripe.subscriptions.retrieve(id));
    if (!ENDED.includes(status)) throw error;
    return undefined;
  }
}

/**
 * Refunds all payments of a duplicate, and then cancels it without a final invoice. Idempotent: changes nothing if the
 * duplicate was refunded and cancelled before, or if Stripe does not know it: it may have been marked in test mode,
 * and the key is of live mode now.
 *
 * @param concerned the id of our customer is for the log
 */
export async function refundAndCancel(
  stripe: Stripe,
  concerned: { customerId: string; subscriptionId: string },
): Promise<void> {
  const { subscriptionId } = concerned;
  const invoices = (await unlessMissing(() => listInvoices(stripe, subscriptionId))) ?? [];
  for (const paymentIntentId of invoices.flatMap(paymentIntentIdsOf)) {
    await refundPayment(stripe, { ...concerned, paymentIntentId });
  }
  await cancelSubscription(stripe, subscriptionId);
}

/** The invoices of a subscription, with their payments. */
export async function listInvoices({ invoices }: Stripe, subscription: string): Promise<Stripe.Invoice[]> {
  const { data } = await withStripeRefusals(() =>
    invoices.list({ subscription, limit: 100, expand: ['data.payments'] }),
  );
  return data;
}

/**
 * Logs an error if Stripe rejects the refund: a person must give the money back. `handleFailedRefund` does the same for
 * a refund that fails later.
 *
 * @param concerned the ids for the log
 */
async function refundPayment(
  stripe: Stripe,
  concerned: { customerId: string; subscriptionId: string; paymentIntentId: string },
): Promise<void> {
  const params = { payment_intent: concerned.paymentIntentId, reason: 'duplicate' } as const;
  try {
    // No idempotency key: Stripe refuses a second refund anyway, and would repeat an error for the same key for a day.
    await withStripeRefusals(() => stripe.refunds.create(params));
  } catch (error) {
    if (isAlreadyReversed(error)) return;
    if (!isInvalidRequest(error)) throw error;
    logFault('A duplicate payment could not be refunded', concerned, error);
  }
}

/**
 * Cancels the subscriptions of a Stripe customer that begin later. Stripe has no such subscription yet, but a schedule.
 * If the subscription begins meanwhile, it is cancelled with its schedule. Makes one call to Stripe, and one for each
 * schedule. https://docs.stripe.com/api/subscription_schedules/cancel
 */
export async function cancelScheduledSubscriptions(
  { subscriptionSchedules: schedules }: Stripe,
  stripeCustomerId: string,
): Promise<void> {
  const notStarted = { customer: stripeCustomerId, scheduled: true, limit: 100 } as const;
  for await (const { id } of schedules.list(notStarted)) {
    try {
      await schedules.cancel(id);
    } catch (error) {
      if (!isInvalidRequest(error)) throw error;
      const { status } = await schedules.retrieve(id);
      if (status === 'not_started' || status === 'active') throw error;
    }
  }
}

/** True if a subscription has ended and cannot run again. */
export function hasEnded({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return ENDED.includes(status);
}
