import type { Backend } from '../../backend.ts';
import { closeCustomer } from './customer.store.ts';
import { syncSubscription } from '../subscriptions/sync.service.ts';
import { guardStripe, ifStillThere } from '../stripe/stripe-errors.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';

/**
 * Ends everything that a user or team pays for, now, and mirrors it: for who is about to be deleted. From then on they
 * cannot begin a checkout either. Called again it goes on where it was interrupted.
 *
 * @param customerId a uid or the id of a team
 * @throws Refusal 503 when Stripe does not answer
 */
export async function cancelSubscriptionsOf(backend: Backend, customerId: string): Promise<void> {
  const ended = await endAtStripe(backend, customerId);
  if (ended === undefined) return;
  const running = await runningSubscriptions(backend.db, customerId).places();
  for (const id of new Set([...ended, ...running.map(({ id }) => id)])) {
    await syncSubscription(backend, customerId, id);
  }
}

/**
 * Closing the customer comes first: a checkout that is noted before is found here, and one that is not cannot be noted any
 * more. Open checkouts end before subscriptions are listed, so that one which is paid meanwhile is in the list.
 *
 * @returns the subscriptions that this ended, or undefined for who is no customer
 * @throws Refusal 503 when Stripe does not answer
 */
export async function endAtStripe(backend: Backend, customerId: string): Promise<string[] | undefined> {
  const closed = await closeCustomer(backend.db, customerId, backend.now());
  if (closed === undefined) return undefined;
  const { stripeId: customer } = closed;
  if (customer === undefined) return [];
  const stripe = await backend.stripe();
  return guardStripe(async () => {
    for await (const { id } of stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
      await ifStillThere(stripe.checkout.sessions.expire(id));
    }
    const ended: string[] = [];
    for await (const { id } of stripe.subscriptions.list({ customer, limit: 100 })) {
      await ifStillThere(stripe.subscriptions.cancel(id));
      ended.push(id);
    }
    return ended;
  });
}
