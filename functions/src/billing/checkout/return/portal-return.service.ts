import type { Backend } from '../../../backend.ts';
import { areEqualTexts } from '../../../common/equal-texts.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { withTeam } from '../../subject.ts';
import { syncAndResolveOverlaps } from '../../subscriptions/overlap/overlap.service.ts';
import { runningSubscriptions } from '../../subscriptions/subscription.store.ts';
import { portalProof } from './portal-proof.ts';
import { isReturnUrlAllowed, withStatus } from './return-url.ts';

/**
 * Syncs the running subscriptions of a customer who comes back from the portal, so that the plan is right before the
 * webhook arrives. The browser may be signed out.
 *
 * @param to the URL of the app that was chosen when the portal was opened
 * @returns `to`, otherwise PORTAL_RETURN_PATH
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
  if (to !== undefined && isReturnUrlAllowed(config, to)) return withStatus(to, { portal: 'done' });
  const customer = await db.customers.get(customerId);
  return withTeam(config.portalReturnPath, { type: customer?.type ?? 'user', customerId });
}
