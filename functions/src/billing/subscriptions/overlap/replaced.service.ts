import type { Backend } from '../../../backend.ts';
import { cancelSubscription } from '../../stripe/cancel-subscription.ts';
import type { SyncedCustomer } from '../sync/sync-shapes.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { findReplaced } from './overlap.ts';

/**
 * Ends the subscriptions that a newer subscription replaces. Syncs each replaced subscription first, and keeps it if
 * the customer has paid it in the meantime.
 *
 * @returns the customer after the last sync
 */
export async function endReplaced(backend: Backend, synced: SyncedCustomer): Promise<SyncedCustomer> {
  const { now } = backend;
  const { customerId } = synced;
  let customer = synced;
  for (const id of findReplaced(synced.runningCopies, now())) {
    const fresh = await syncSubscription(backend, customerId, id);
    // The customer was deleted in the meantime. The deletion has cancelled the subscriptions.
    if (fresh === undefined) return customer;
    customer = fresh.customer;
    if (!findReplaced(customer.runningCopies, now()).includes(id)) continue;
    const stripe = await backend.stripe();
    await cancelSubscription(stripe, id);
    customer = (await syncSubscription(backend, customerId, id))?.customer ?? customer;
  }
  return customer;
}
