import type { Backend } from '../../../backend.ts';
import { guardStripe, ignoreIfEnded } from '../../stripe/stripe-errors.ts';
import { hasWrongQuantity } from '../subscription.store.ts';
import { syncClaims } from './claims.service.ts';
import { copySubscription } from './copy-subscription.service.ts';
import { type SyncResult, type SyncOptions } from './sync-result.ts';

/**
 * Syncs a subscription: copies its current state at Stripe to Firestore. Then syncs the custom claims of a user, or
 * queues a seat sync for a team that is billed for a wrong quantity. Idempotent.
 *
 * @returns undefined if the customer no longer exists
 * @throws Error of Cloud Tasks if the seat sync cannot be queued: the webhook then fails, and Stripe repeats the event
 * @throws DamagedDocument for the document of the customer or team, or a granted plan; a damaged copy of a subscription
 *   is replaced
 */
export async function syncSubscription(
  backend: Backend,
  customerId: string,
  subscriptionId: string,
  options: SyncOptions = {},
): Promise<SyncResult | undefined> {
  const target = { customerId, subscriptionId, ...options };
  const result = await guardStripe(() => copySubscription(backend, target));
  if (result?.type === 'user') await syncUser(backend, customerId, subscriptionId, result);
  if (result?.type === 'team') await enqueueSeatSyncIfWrong(backend, customerId, result);
  return result;
}

/** Syncs the claims of a user. If the user was deleted during the checkout, cancels the subscription to a plan. */
async function syncUser(
  backend: Backend,
  uid: string,
  subscriptionId: string,
  { planItem, planSlug, addOns, entitlements }: SyncResult,
): Promise<void> {
  const exists = await syncClaims(backend, uid, { planSlug, addOns, entitlements });
  if (exists || planItem === undefined) return;
  const stripe = await backend.stripe();
  await guardStripe(() => ignoreIfEnded(stripe.subscriptions.cancel(subscriptionId)));
}

/** Queues a seat sync if the team is billed for a wrong quantity. Example: members have joined or left. */
async function enqueueSeatSyncIfWrong(
  backend: Backend,
  teamId: string,
  { planItem }: SyncResult,
): Promise<void> {
  if (planItem && (await hasWrongQuantity(backend.db, teamId, planItem)))
    await backend.enqueueSeatSync(teamId);
}
