import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { MaybeDamaged } from '../../../firestore/query.ts';
import type { Config } from '../../../settings/config.ts';
import { findPriceIdByKey } from '../../catalogue/price-ids.ts';
import { giveUpIfDamaged } from '../../damaged.ts';
import { underLease } from '../../lease.store.ts';
import { guardStripe, isMissing } from '../../stripe/stripe-errors.ts';
import { planItemIfRunning, type PlanItem } from '../plan-item.ts';
import { billedQuantity, runningSubscriptions } from '../subscription.store.ts';
import { findKeyedItems } from '../sync/subscription-items.ts';
import { syncSubscription } from '../sync/sync.service.ts';

/**
 * Syncs the seats of a team: makes Stripe bill the team for its current members, or once if the price is flat. A base
 * price keeps its quantity. The seat item beside it gets the number of members whom the base price does not cover.
 *
 * A lease allows one sync per team at a time, so Stripe gets each change once. A concurrent task fails with 503, is
 * retried by the queue, and then finds nothing to do. A damaged document is logged and ends the sync.
 *
 * @throws Refusal `price_not_available`; `busy` while another sync runs
 */
export async function syncSeats(backend: Backend, teamId: string): Promise<void> {
  await giveUpIfDamaged(() => syncSeatsUnderLease(backend, teamId));
}

async function syncSeatsUnderLease(backend: Backend, teamId: string): Promise<void> {
  await underLease(backend, { customerId: teamId, of: 'line-items' }, async () => {
    for (const found of await runningSubscriptions(backend.db, teamId).findWithDamaged()) {
      const isOutdated = await updateQuantity(backend, teamId, found);
      if (isOutdated) await syncSubscription(backend, teamId, found.id);
    }
  });
}

/**
 * Sends the quantity of a subscription to Stripe if it is wrong.
 *
 * @returns whether our copy is outdated now: the quantity was changed, or the subscription no longer exists at Stripe
 */
async function updateQuantity(
  backend: Backend,
  teamId: string,
  found: MaybeDamaged<SubscriptionDocument>,
): Promise<boolean> {
  return guardStripe(async () => {
    try {
      return await sendQuantity(backend, teamId, found);
    } catch (error) {
      // The sync deletes our copy of a subscription that Stripe has deleted. The team's other subscriptions are still
      // synced.
      if (isMissing(error, 'id')) return true;
      throw error;
    }
  });
}

/** Counts the members as late as possible, after Stripe has answered. A later change starts another sync. */
async function sendQuantity(
  { config, db, stripe }: Backend,
  teamId: string,
  { id, data: stored }: MaybeDamaged<SubscriptionDocument>,
): Promise<boolean> {
  const client = await stripe();
  const subscription = await client.subscriptions.retrieve(id);
  const items = await findKeyedItems(db, config, subscription, stored);
  const item = planItemIfRunning({ status: subscription.status, items }, config.plans);
  if (item === undefined) return false;
  const billed = await billedQuantity(db, teamId, item);
  // A team without members is being deleted, and the deletion cancels the subscription.
  const isDeletedTeam = item.seatItem === undefined && billed.wanted === 0;
  if (isDeletedTeam || billed.wanted === billed.quantity) return false;
  const change = await changeOf(client, item, billed.wanted);
  if (isPending(subscription, change)) return false;
  // A repeated call changes nothing more, because the quantity is absolute, and Stripe's client repeats the idempotency
  // key.
  await client.subscriptions.update(id, { items: [change], ...paymentParams(config, subscription) });
  return true;
}

/** A new quantity for the line item with this id, or a new line item with this price. */
type QuantityChange = { id: string; quantity: number } | { price: string; quantity: number };

/**
 * The change that makes Stripe bill a quantity. Beside a base price, the seat item is added when the first seat is
 * billed. Later it may get the quantity 0, which Stripe accepts for an existing item.
 */
async function changeOf(
  stripe: Stripe,
  { id, seatItem }: PlanItem,
  quantity: number,
): Promise<QuantityChange> {
  if (seatItem === undefined || seatItem.id !== undefined) return { id: seatItem?.id ?? id, quantity };
  const { lookupKey, planName: name } = seatItem;
  return { price: await findPriceIdByKey(stripe, { name, lookupKey }), quantity };
}

/**
 * True if Stripe waits for the payment of this quantity. Then nothing is sent, because another request would charge the
 * card again.
 */
function isPending({ pending_update: pending }: Stripe.Subscription, change: QuantityChange): boolean {
  const items = pending?.subscription_items ?? [];
  return items.some(
    ({ id, price, quantity }) =>
      quantity === change.quantity && ('id' in change ? id === change.id : price.id === change.price),
  );
}

/**
 * How a new quantity is paid. If it is charged immediately and the payment fails, the quantity waits for the payment
 * and the subscription stays active. Otherwise one declined seat would end the plan of the whole team.
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
