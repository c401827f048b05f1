import type { Config } from '../config.ts';
import type { Services } from '../services.ts';
import { findCustomer, forgetStripeId } from './customer.store.ts';
import type { EventHead } from './event-ledger.store.ts';
import { followSubscription } from './follow.service.ts';
import { guardStripe, isMissing } from './stripe-errors.ts';
import { runningSubscriptions } from './subscription.store.ts';

/**
 * Follows that a Stripe customer was deleted, which ends its subscriptions. They are mirrored first: once the customer is
 * forgotten nobody finds them by it. Done twice it does nothing more.
 *
 * @throws HttpError 503 when Stripe does not answer
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
  const running = await runningSubscriptions(firestore, found.id).get();
  for (const { id } of running.docs) await followSubscription(services, config, found.id, id);
  await forgetStripeId(firestore, found.id, stripeId, services.now(), event);
}
