import type { Backend } from '../../../backend.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { withTeamQuery } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { runningSubscriptions } from '../../subscriptions/subscription.store.ts';
import { syncPaymentMethod } from '../../subscriptions/sync/payment-method.service.ts';
import { isReturnProofValid, type ReturnContext } from './return-proof.service.ts';
import { isAppPageUrlAllowed, withStatus, type PORTAL_CHANGE, type ReturnProof } from './return-url.ts';

interface PortalReturnQuery extends ReturnProof {
  /** Set after a change, if the portal was opened for this change only. */
  changed?: typeof PORTAL_CHANGE | undefined;
  /** The page of the app that was chosen when the portal was opened. */
  to?: string | undefined;
}

/**
 * Syncs the running subscriptions of a customer who comes back from the portal, so that the app shows changes before
 * the events arrive. After a change of the payment method, first syncs the payment method.
 *
 * @returns `to` with the outcome, if `to` is allowed; otherwise PORTAL_RETURN_PATH
 * @throws Refusal `unknown_link` if the proof is wrong or has expired; `rate_limit_reached` over the limit of the
 *   customer
 */
export async function finishPortal(
  { backend, countReturn }: ReturnContext,
  { changed, to, ...returnProof }: PortalReturnQuery,
): Promise<string> {
  const { config, db } = backend;
  if (!(await isReturnProofValid(backend, returnProof))) throw refusal('unknown_link');
  const customerId = returnProof.customer;
  await countReturn(customerId);
  if (changed !== undefined) await syncPaymentMethodOf(backend, customerId);
  for (const { id } of await runningSubscriptions(db, customerId).findPaths()) {
    await syncAndResolveOverlaps(backend, customerId, id);
  }
  if (to !== undefined && isAppPageUrlAllowed(config, to)) return withStatus(to, { portal: 'done' });
  const customer = await db.customers.get(customerId);
  return withTeamQuery(config.portalReturnPath, { type: customer?.type ?? 'user', customerId });
}

async function syncPaymentMethodOf(backend: Backend, customerId: string): Promise<void> {
  const stripeCustomerId = (await backend.db.customers.get(customerId))?.stripeId;
  if (stripeCustomerId !== undefined) await syncPaymentMethod(backend, { customerId, stripeCustomerId });
}
