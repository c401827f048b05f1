import type { Backend } from '../../../backend.ts';
import { logWarning } from '../../../common/log.ts';
import type { SyncedCustomer, SyncOptions } from '../sync/sync-shapes.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { endDuplicates } from './duplicate.service.ts';
import { endReplaced } from './replaced.service.ts';
import { reportProblems } from './report-problems.service.ts';

/**
 * Syncs a subscription, and resolves overlaps with the customer's other subscriptions. Idempotent. The steps after the
 * sync:
 *
 * | step | effect |
 * | --- | --- |
 * | `endReplaced` | ends subscriptions that a newer subscription replaces |
 * | `endDuplicates` | refunds and ends a second subscription to the same plan or a lower one |
 * | `reportProblems` | logs the other problems, such as a customer who pays for two plans |
 *
 * Before a step ends or reports a subscription, it syncs this subscription, because our copies may be behind. Each step
 * gets the customer after the latest sync.
 *
 * @returns undefined if the customer no longer exists
 * @throws DamagedDocument for the document of the customer or team, or a granted plan
 */
export async function syncAndResolveOverlaps(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  options: SyncOptions = {},
): Promise<SyncedCustomer | undefined> {
  const result = await syncSubscription(backend, customerId, subscriptionId, options);
  if (result === undefined) return undefined;
  const { runningPlanItem, newUnknownPrices } = result.subscription;
  // This is only a warning, because a person may have added the price on purpose. A subscription that pays for no plan
  // gets no warning here, because `findProblems` reports it.
  if (runningPlanItem !== undefined && newUnknownPrices.length > 0) {
    const message = `The subscription ${subscriptionId} of ${customerId} has prices that are not configured`;
    logWarning(message, newUnknownPrices);
  }
  const afterReplaced = await endReplaced(backend, result.customer);
  const afterDuplicates = await endDuplicates(backend, afterReplaced);
  return reportProblems(backend, afterDuplicates, subscriptionId);
}
