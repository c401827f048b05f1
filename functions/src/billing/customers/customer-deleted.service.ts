import type { Config } from '../../settings/config.ts';
import type { Services } from '../../backend.ts';
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
  services: Services,
  config: Config,
  stripeId: string,
  event: EventHead,
): Promise<void> {
  const [firestore, stripe] = await Promise.all([services.firestore(), services.stripe()]);
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
  await forgetCustomer(services, config, found.id, stripeId, event);
}

/**
 * Lets go of a Stripe customer that is gone, which ended its subscriptions. They are mirrored first: once the customer is
 * forgotten nobody finds them by it.
 *
 * @param event that told of it, if one did
 */
export async function forgetCustomer(
  services: Services,
  config: Config,
  customerId: string,
  stripeId: string,
  event?: EventHead,
): Promise<void> {
  const firestore = await services.firestore();
  const running = await runningSubscriptions(firestore, customerId).get();
  for (const { id } of running.docs) await followSubscription(services, config, customerId, id);
  await forgetStripeId(firestore, customerId, stripeId, services.now(), event);
}
