import type { Backend } from '../../backend.ts';
import { runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';
import type { EventIdAndType } from '../synced-events.store.ts';
import { findByStripeCustomer, unlinkStripeCustomer } from './customer.store.ts';
import { syncEntitlements } from './sync-entitlements.service.ts';

/**
 * Handles the event that a Stripe customer was deleted. Idempotent. A late event does no harm, because Stripe never
 * restores a deleted customer.
 *
 * @throws DamagedDocument
 */
export async function syncDeletedStripeCustomer(
  backend: Backend,
  stripeCustomerId: string,
  event: EventIdAndType,
): Promise<void> {
  const found = await findByStripeCustomer(backend.db, stripeCustomerId);
  if (found === undefined) return;
  await syncSubscriptionsAndUnlink(backend, found.id, stripeCustomerId, event);
}

/**
 * Removes the id of a deleted Stripe customer, whose subscriptions and entitlements have ended. Their copies are synced
 * first, because without the id no event finds our customer.
 *
 * @param event the event that reported the deletion, if there is one
 */
export async function syncSubscriptionsAndUnlink(
  backend: Backend,
  customerId: string,
  stripeCustomerId: string,
  event?: EventIdAndType,
): Promise<void> {
  const { db, now } = backend;
  for (const { id } of await runningSubscriptions(db, customerId).findPaths()) {
    await syncSubscription(backend, customerId, id);
  }
  await syncEntitlements(backend, customerId);
  await unlinkStripeCustomer(db, customerId, stripeCustomerId, { now: now(), event });
}
