import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import type { Found } from '../../firestore/query.ts';
import type { Config } from '../../settings/config.ts';
import { logDamaged } from '../damaged.ts';
import { acquireLease, releaseLease } from '../lease.store.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import { readItems } from '../subscriptions/subscription-items.ts';
import { billedQuantity, runningSubscriptions } from '../subscriptions/subscription.store.ts';
import { planItemOf } from '../subscriptions/subscription.ts';
import { syncSubscription } from '../subscriptions/sync.service.ts';

/**
 * Syncs the seats of a team: has Stripe bill it for its current members, or once if the price is flat.
 *
 * A lease allows one sync per team at a time. Concurrent tasks fail with 503, are retried by the queue, and then find
 * nothing to do. So Stripe gets each change once. A damaged document is logged and ends the sync.
 *
 * @throws Refusal `busy` while another sync runs, `billing_unavailable` if Stripe does not answer
 */
export async function syncSeats(backend: Backend, teamId: string): Promise<void> {
  await logDamaged(() => syncSeatsAlone(backend, teamId));
}

async function syncSeatsAlone(backend: Backend, teamId: string): Promise<void> {
  const { db } = backend;
  const sync = { customerId: teamId, field: 'seatSync' } as const;
  const leaseKey = await acquireLease(db, sync, backend.now());
  if (leaseKey === undefined) return;
  try {
    for (const found of await runningSubscriptions(db, teamId).findWithDamaged()) {
      const isOutdated = await updateQuantity(backend, teamId, found);
      if (isOutdated) await syncSubscription(backend, teamId, found.id);
    }
  } finally {
    await releaseLease(db, sync, leaseKey);
  }
}

/**
 * Sends the quantity of a subscription to Stripe if it is wrong.
 *
 * @returns whether our copy is outdated now: the quantity was changed, or the subscription no longer exists at Stripe
 */
async function updateQuantity(
  backend: Backend,
  teamId: string,
  found: Found<SubscriptionDocument>,
): Promise<boolean> {
  return guardStripe(async () => {
    try {
      return await sendQuantity(backend, teamId, found);
    } catch (error) {
      // A subscription deleted in Stripe is removed from our copy and does not block the team's others.
      if (isMissing(error, 'id')) return true;
      throw error;
    }
  });
}

/** Counts the members after Stripe has answered, as late as possible: a later change starts another sync. */
async function sendQuantity(
  { config, db, stripe }: Backend,
  teamId: string,
  { id, data: stored }: Found<SubscriptionDocument>,
): Promise<boolean> {
  const { subscriptions } = await stripe();
  const subscription = await subscriptions.retrieve(id);
  const items = await readItems(db, config.plans, subscription, stored);
  const item = planItemOf({ status: subscription.status, items }, config.plans);
  if (item === undefined) return false;
  const quantity = await billedQuantity(db, teamId, item);
  if (quantity === 0 || quantity === item.quantity) return false;
  if (isPending(subscription, { id: item.id, quantity })) return false;
  // The quantity is absolute, and Stripe's client repeats a call with the same idempotency key.
  await subscriptions.update(id, {
    items: [{ id: item.id, quantity }],
    ...paymentParams(config, subscription),
  });
  return true;
}

/** True if Stripe waits for the payment of this quantity. Asking again would charge the card again. */
function isPending(
  { pending_update: pending }: Stripe.Subscription,
  { id, quantity }: { id: string; quantity: number },
): boolean {
  return pending?.subscription_items?.some((item) => item.id === id && item.quantity === quantity) === true;
}

/**
 * How a new quantity is paid. If it is paid at once and the payment fails, the quantity waits for the payment and the
 * subscription stays active. Otherwise one declined seat would end the plan of the whole team.
 * https://docs.stripe.com/billing/subscriptions/pending-updates
 */
function paymentParams(
  { seatProration }: Config,
  { status }: Stripe.Subscription,
): Stripe.SubscriptionUpdateParams {
  const waits = seatProration === 'always_invoice' && status === 'active';
  return {
    proration_behavior: seatProration,
    ...(waits && { payment_behavior: 'pending_if_incomplete' }),
  };
}
