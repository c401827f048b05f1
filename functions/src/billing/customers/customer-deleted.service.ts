import type { Backend } from '../../backend.ts';
import { findCustomer, forgetStripeId } from './customer.store.ts';
import type { EventHead } from '../webhook/event-ledger.store.ts';
import { followSubscription } from '../subscriptions/sync.service.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';

/**
 * Follows that a Stripe customer was deleted. Done twice it does nothing more.
 *
 * @throws Refusal 503 when Stripe does not answer
 */
export async function followDeletedCustomer(
  backend: Backend,
  stripeId: string,
  event: EventHead,
): Promise<void> {
  const [firestore, stripe] = await Promise.all([backend.firestore(), backend.stripe()]);
  const found = await findCustomer(firestore, stripeId);
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
  const firestore = await backend.firestore();
  const running = await runningSubscriptions(firestore, customerId).get();
  for (const { id } of running.docs) await followSubscription(backend, customerId, id);
  await forgetStripeId(firestore, customerId, stripeId, backend.now(), event);
}
