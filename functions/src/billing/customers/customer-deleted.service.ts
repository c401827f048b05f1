import type { Backend } from '../../backend.ts';
import { findCustomer, forgetStripeId } from './customer.store.ts';
import type { EventHead } from '../stripe/processed-events.ts';
import { syncSubscription } from '../subscriptions/sync.service.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';

/**
 * Follows that a Stripe customer was deleted. Done twice it does nothing more.
 *
 * @throws Refusal 503 when Stripe does not answer
 */
export async function syncDeletedCustomer(
  backend: Backend,
  stripeId: string,
  event: EventHead,
): Promise<void> {
  const stripe = await backend.stripe();
  const found = await findCustomer(backend.db, stripeId);
  if (found === undefined) return;
  const isGone = await guardStripe(async () => {
    try {
      return (await stripe.customers.retrieve(stripeId)).deleted === true;
    } catch (error) {
      if (isMissing(error)) return true;
      throw error;
    }
  });
  if (!isGone) return;
  await forgetCustomer(backend, found.id, stripeId, event);
}

/**
 * Lets go of a Stripe customer that is gone, which ended its subscriptions. They are mirrored first: once the customer is
 * forgotten nobody finds them by it.
 *
 * @param event that told of it, if one did
 */
export async function forgetCustomer(
  backend: Backend,
  customerId: string,
  stripeId: string,
  event?: EventHead,
): Promise<void> {
  const running = await runningSubscriptions(backend.db, customerId).places();
  for (const { id } of running) await syncSubscription(backend, customerId, id);
  await forgetStripeId(backend.db, customerId, stripeId, { now: backend.now(), event });
}
