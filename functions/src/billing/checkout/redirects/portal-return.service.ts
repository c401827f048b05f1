import { refusal } from '../../../refusals/refusals.ts';
import { withTeamQuery } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { runningSubscriptions } from '../../subscriptions/subscription.store.ts';
import { isReturnProofValid, type ReturnProof, type ReturnContext } from './return-proof.ts';
import { isAppPageUrlAllowed, withStatus } from './return-url.ts';

/**
 * Syncs the running subscriptions of a customer who comes back from the portal, so that the app shows changes before
 * the events arrive.
 *
 * @param to the page of the app that was chosen when the portal was opened
 * @returns `to` with the outcome, if `to` is allowed; otherwise PORTAL_RETURN_PATH
 * @throws Refusal `unknown_link` if the proof is wrong or has expired; `too_many_requests` over the limit of
 *   the customer
 */
export async function finishPortal(
  { backend, countReturn }: ReturnContext,
  { to, ...returnProof }: ReturnProof & { to?: string | undefined },
): Promise<string> {
  const { config, db } = backend;
  if (!(await isReturnProofValid(backend, returnProof))) throw refusal('unknown_link');
  const customerId = returnProof.customer;
  await countReturn(customerId);
  for (const { id } of await runningSubscriptions(db, customerId).findPlaces()) {
    await syncAndResolveOverlaps(backend, customerId, id);
  }
  if (to !== undefined && isAppPageUrlAllowed(config, to)) return withStatus(to, { portal: 'done' });
  const customer = await db.customers.get(customerId);
  return withTeamQuery(config.portalReturnPath, { type: customer?.type ?? 'user', customerId });
}
