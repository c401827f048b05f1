import type { Backend } from '../../../backend.ts';
import { guardStripe, ignoreIfEnded } from '../../stripe/stripe-errors.ts';
import type { SyncResult } from '../sync/sync-result.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { findReplaced } from './overlap.ts';

/**
 * Ends the subscriptions that a newer one replaces: they give no plan, and the metadata of the newer one names them.
 * Each of them is synced before it is ended, because the customer may have paid in the meantime. In this
 * case the subscription gives its plan again and goes on.
 *
 * @returns the result of the last sync
 */
export async function endReplaced(
  backend: Backend,
  customerId: string,
  synced: SyncResult,
): Promise<SyncResult> {
  const { now } = backend;
  let latest = synced;
  for (const id of findReplaced(synced.running, now())) {
    const fresh = await syncSubscription(backend, customerId, id);
    if (fresh === undefined) continue;
    latest = fresh;
    if (!findReplaced(fresh.running, now()).includes(id)) continue;
    const stripe = await backend.stripe();
    await guardStripe(() => ignoreIfEnded(stripe.subscriptions.cancel(id)));
    latest = (await syncSubscription(backend, customerId, id)) ?? latest;
  }
  return latest;
}
