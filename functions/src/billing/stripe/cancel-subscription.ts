import type Stripe from 'stripe';
import { isInvalidRequest, isMissing, withStripeRefusals } from './stripe-errors.ts';

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
