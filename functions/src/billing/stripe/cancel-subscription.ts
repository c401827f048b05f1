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

/** True if a subscription has ended and cannot run again. */
export function hasEnded({ status }: Pick<Stripe.Subscription, 'status'>): boolean {
  return ENDED.includes(status);
}
