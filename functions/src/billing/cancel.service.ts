import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import type { Services } from '../services.ts';
import { closeCustomer } from './customer.store.ts';
import { guardStripe } from './stripe-errors.ts';
import { mirrorSubscription } from './subscription.store.ts';

/**
 * Ends everything that a user or team pays for, now, and mirrors it: for who is about to be deleted. From then on they
 * cannot begin a checkout either. Called again it goes on where it was interrupted.
 *
 * Closing comes first: a checkout that is noted before it is found here, and one that is not cannot be noted any more.
 * Open checkouts end before subscriptions are listed, so that one which is paid meanwhile is in the list.
 *
 * @param customerId a uid or the id of a team
 * @throws HttpError 503 when Stripe does not answer
 */
export async function cancelSubscriptionsOf(
  services: Services,
  config: Config,
  customerId: string,
): Promise<void> {
  const firestore = await services.firestore();
  const customer = await closeCustomer(firestore, customerId, services.now());
  if (customer === undefined) return;
  const stripe = await services.stripe();
  await guardStripe(async () => {
    for await (const { id } of stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
      await ifStillThere(stripe.checkout.sessions.expire(id));
    }
    for await (const { id } of stripe.subscriptions.list({ customer, limit: 100 })) {
      await ifStillThere(stripe.subscriptions.cancel(id));
      await mirrorSubscription(firestore, config.plans, customerId, id, () =>
        stripe.subscriptions.retrieve(id),
      );
    }
  });
}

/** What has ended between listing and ending it is as good as ended by us. */
async function ifStillThere(end: Promise<unknown>): Promise<void> {
  try {
    await end;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

function isRefusal(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Error && 'type' in error && error.type === 'StripeInvalidRequestError';
}
