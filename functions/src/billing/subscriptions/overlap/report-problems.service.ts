import type { Backend } from '../../../backend.ts';
import { logFault } from '../../../common/log.ts';
import type { SyncedCustomer } from '../sync/sync-shapes.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { findProblems } from './problems.ts';

/**
 * Logs the problems that an operator must solve: those of the synced subscription, and that a customer pays for two
 * plans. First syncs the other subscriptions with a problem: our copies may be behind, and the operator may refund a
 * subscription because of the log line.
 *
 * @returns the customer after the last sync
 */
export async function reportProblems(
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
    logFault(problem.message, { customerId, subscriptionIds: problem.ids.join(' ') }, problem.advice);
  }
  return customer;
}
