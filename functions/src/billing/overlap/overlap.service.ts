import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import { guardStripe, ignoreIfEnded } from '../stripe/stripe-errors.ts';
import type { SyncResult } from '../subscriptions/copy-subscription.ts';
import { syncSubscription, type SyncOptions } from '../subscriptions/sync.service.ts';
import { findProblems, findReplaced } from './overlap.ts';

/**
 * Syncs a subscription, and ends those that it replaces. Logs an error, which the operator must resolve, if the
 * customer pays for nothing or pays twice. Idempotent.
 *
 * @param customerId a uid or the id of a team
 * @throws Refusal `billing_unavailable` or `auth_unavailable`, see `syncSubscription`
 */
export async function syncAndEndReplaced(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  options: SyncOptions = {},
): Promise<void> {
  const result = await syncSubscription(backend, customerId, subscriptionId, options);
  if (result === undefined) return;
  await endReplaced(backend, customerId, result);
  for (const problem of findProblems(result.running, subscriptionId, backend.config.plans)) {
    logFault(problem.message, { customer: customerId, subscriptions: problem.ids.join(' ') }, problem.advice);
  }
}

/**
 * Ends the subscriptions that a newer one replaces. Each is synced first, because the customer may have paid it in the
 * meantime.
 */
async function endReplaced(backend: Backend, customerId: string, { running }: SyncResult): Promise<void> {
  const { now } = backend;
  for (const id of findReplaced(running, now())) {
    const fresh = await syncSubscription(backend, customerId, id);
    if (!findReplaced(fresh?.running ?? [], now()).includes(id)) continue;
    const stripe = await backend.stripe();
    await guardStripe(() => ignoreIfEnded(stripe.subscriptions.cancel(id)));
    await syncSubscription(backend, customerId, id);
  }
}
