import type { Backend } from '../../../backend.ts';
import { areEqualTexts } from '../../../common/equal-texts.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { withTeamQuery } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { runningSubscriptions } from '../../subscriptions/subscription.store.ts';
import { isAppPageUrlAllowed, portalProof, withStatus } from './return-url.ts';

/**
 * Syncs the running subscriptions of a customer who comes back from the portal, so that the app shows changes before
 * the events arrive.
 *
 * @param to the page of the app that was chosen when the portal was opened
 * @returns `to` with the outcome, if `to` is allowed; otherwise PORTAL_RETURN_PATH
 * @throws Refusal `unknown_link` if the proof is wrong
 */
export async function finishPortal(
  backend: Backend,
  { customer: customerId, proof, to }: { customer: string; proof: string; to?: string | undefined },
): Promise<string> {
  const { config, db } = backend;
  if (!areEqualTexts(proof, await portalProof(backend, customerId))) throw refusal('unknown_link');
  for (const { id } of await runningSubscriptions(db, customerId).findPlaces()) {
    await syncAndResolveOverlaps(backend, customerId, id);
  }
  if (to !== undefined && isAppPageUrlAllowed(config, to)) return withStatus(to, { portal: 'done' });
  const customer = await db.customers.get(customerId);
  return withTeamQuery(config.portalReturnPath, { type: customer?.type ?? 'user', customerId });
}
