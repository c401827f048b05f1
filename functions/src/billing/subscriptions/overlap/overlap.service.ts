import type { Backend } from '../../../backend.ts';
import { logFault, logWarning } from '../../../common/log.ts';
import { cancelSubscription } from '../../stripe/cancel-subscription.ts';
import type { SyncedCustomer, SyncOptions } from '../sync/sync-shapes.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { endDuplicates } from './duplicate.service.ts';
import { findReplaced } from './overlap.ts';
import { findProblems } from './problems.ts';

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
  // This is only a warning, because a person may have added the price on purpose. `findProblems` reports a subscription
  // that pays for no plan.
  if (runningPlanItem !== undefined && newUnknownPrices.length > 0) {
    const message = `The subscription ${subscriptionId} of ${customerId} has prices that are not configured`;
    logWarning(message, newUnknownPrices);
  }
  const afterReplaced = await endReplaced(backend, result.customer);
  const afterDuplicates = await endDuplicates(backend, afterReplaced);
  return reportProblems(backend, afterDuplicates, subscriptionId);
}

/**
 * Logs the problems of a synced subscription that an operator must solve, and whether its customer pays for two plans.
 * First syncs the other subscriptions with a problem: our copies may be behind, and the operator may refund a
 * subscription because of the log line.
 *
 * @returns the customer after the last sync
 */
async function reportProblems(
  backend: Backend,
  synced: SyncedCustomer,
  subscriptionId: string,
): Promise<SyncedCustomer> {
  const { config } = backend;
  const { customerId } = synced;
  let customer = synced;
  const suspected = findProblems(synced, subscriptionId, config).flatMap(({ ids }) => ids);
  for (const id of suspected.filter((other) => other !== subscriptionId)) {
    const fresh = await syncSubscription(backend, customerId, id);
    // The customer was deleted in the meantime. The deletion has cancelled the subscriptions.
    if (fresh === undefined) return customer;
    ({ customer } = fresh);
  }
  for (const problem of findProblems(customer, subscriptionId, config)) {
    logFault(problem.message, { customer: customerId, subscriptions: problem.ids.join(' ') }, problem.advice);
  }
  return customer;
}

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
