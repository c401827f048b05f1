import type { Backend } from '../../../backend.ts';
import { logFault, logWarning } from '../../../common/log.ts';
import { type SyncResult, type SyncOptions } from '../sync/sync-result.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { endDuplicates } from './duplicate.service.ts';
import { endReplaced } from './end-replaced.service.ts';
import { findProblems } from './overlap.ts';

/**
 * Syncs a subscription, and resolves overlaps with the customer's others: ends replaced subscriptions, and ends and
 * refunds a duplicate. If the customer still pays for two plans, or pays without having a plan, logs an error for the
 * operator. Idempotent.
 *
 * @returns the result of the last sync, which may be that of another subscription of the customer; undefined if the
 *   customer no longer exists
 * @throws DamagedDocument for the document of the customer or team, or a granted plan
 */
export async function syncAndResolveOverlaps(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  options: SyncOptions = {},
): Promise<SyncResult | undefined> {
  const synced = await syncSubscription(backend, customerId, subscriptionId, options);
  if (synced === undefined) return undefined;
  // A line item that is not configured is billed and gives nothing. A person may have added the item on purpose.
  if (synced.planItem !== undefined && synced.newUnknownPrices.length > 0) {
    const message = `The subscription ${subscriptionId} of ${customerId} has prices that are not configured`;
    logWarning(message, synced.newUnknownPrices);
  }
  const withoutReplaced = await endReplaced(backend, customerId, synced);
  const result = await endDuplicates(backend, customerId, withoutReplaced);
  for (const problem of findProblems(result.running, subscriptionId, backend.config.plans)) {
    logFault(problem.message, { customer: customerId, subscriptions: problem.ids.join(' ') }, problem.advice);
  }
  return result;
}
