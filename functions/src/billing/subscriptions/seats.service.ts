import type { Firestore, QueryDocumentSnapshot } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Config } from '../../settings/config.ts';
import type { Backend } from '../../backend.ts';
import { countMembers, followSubscription } from './sync.service.ts';
import { readKeptKeys } from './price-keys.ts';
import { releaseSeatSync, takeSeatSync } from './seats.store.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import { planItemOf, toItems, wantedQuantity, type SubscriptionDocument } from './subscription.ts';
import { runningSubscriptions } from './subscription.store.ts';

/**
 * Has Stripe bill a team for the members that it has now, or once where the price is flat. Of many at once for one team one works, alone; the others fail,
 * to be tried again by the queue, and then find nothing left to do. So each change is told once.
 *
 * @throws Refusal 503 while another one is at it, or when Stripe does not answer
 */
export async function syncSeats(backend: Backend, teamId: string): Promise<void> {
  const { config } = backend;
  const [firestore, stripe] = await Promise.all([backend.firestore(), backend.stripe()]);
  const key = await takeSeatSync(firestore, teamId, backend.now());
  if (key === undefined) return;
  try {
    const running = await runningSubscriptions(firestore, teamId).get();
    for (const document of running.docs) {
      const outdated = await guardStripe(() =>
        tellStripe(firestore, stripe, config, teamId, document, key).catch(isVanished),
      );
      if (outdated) await followSubscription(backend, teamId, document.id);
    }
  } finally {
    await releaseSeatSync(firestore, teamId, key);
  }
}

/** One that Stripe does not know any more is to be dropped here, and keeps the others from nothing. */
function isVanished(error: unknown): true {
  if (isMissing(error, 'id')) return true;
  throw error;
}

/**
 * The members are counted after Stripe was asked, as late as can be: whoever changes them later asks for another run.
 *
 * @returns whether the quantity had to be changed
 */
async function tellStripe(
  firestore: Firestore,
  stripe: Stripe,
  { plans, seatProration }: Config,
  teamId: string,
  mirrored: QueryDocumentSnapshot<SubscriptionDocument>,
  key: string,
): Promise<boolean> {
  const subscriptionId = mirrored.id;
  const subscription = await stripe.subscriptions.retrieve(subscriptionId);
  const kept = await readKeptKeys(firestore, plans, subscription, mirrored.data());
  const items = toItems(subscription, plans, kept);
  const item = planItemOf({ status: subscription.status, items }, plans);
  if (item === undefined) return false;
  const quantity = await wantedQuantity(item, () => countMembers(firestore, teamId));
  if (quantity === 0 || quantity === item.quantity) return false;
  await stripe.subscriptions.update(
    subscriptionId,
    { items: [{ id: item.id, quantity }], proration_behavior: seatProration },
    { idempotencyKey: `seats-${subscriptionId}-${key}` },
  );
  return true;
}
