import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { skipIfDamaged } from '../../../firestore/damage.ts';
import type { SubscriptionDocument } from '../../../firestore/documents/subscription.ts';
import type { MaybeDamaged } from '../../../firestore/query.ts';
import type { Config } from '../../../settings/config.ts';
import { requirePriceId } from '../../catalogue/price-ids.ts';
import { underLease } from '../../lease.store.ts';
import { withStripeRefusals, isMissing } from '../../stripe/stripe-errors.ts';
import {
  requireExpanded,
  WITH_PAYMENT_METHODS,
  type ExpandedSubscription,
} from '../from-stripe/bank-debit.ts';
import { scheduleIdOf } from '../from-stripe/convert-subscription.ts';
import { findItemsWithLookupKeys } from '../from-stripe/subscription-items.store.ts';
import { planItemIfRunning, type PlanItem } from '../plan-item.ts';
import { isOtherChangePending } from '../seats/pending-change.ts';
import { updatePlannedSeats } from '../seats/planned-seats.service.ts';
import { findQuantityToSend } from '../seats/quantity.store.ts';
import { subscriptionIfScheduled } from '../seats/subscription-with-schedule.ts';
import { runningSubscriptions } from '../subscription.store.ts';
import { meteredPriceIdsOf, paymentCondition } from '../wanted-items/item-changes.ts';
import { syncSubscription } from './sync.service.ts';

/**
 * Makes Stripe bill a team for its current members, now and after a planned change: see `compareQuantity`.
 *
 * A lease allows one sync of a team at a time. A concurrent task fails with 503, and the queue repeats it. A damaged
 * document is logged and ends the sync.
 *
 * @throws Refusal `price_not_available`; `busy` while another sync, or a change, cancellation or
 *   resumption of the subscription, has the lease
 */
export async function syncSeats(backend: Backend, teamId: string): Promise<void> {
  await skipIfDamaged(() => syncSeatsUnderLease(backend, teamId));
}

async function syncSeatsUnderLease(backend: Backend, teamId: string): Promise<void> {
  await underLease(backend, { customerId: teamId, kind: 'line-items' }, async () => {
    for (const found of await runningSubscriptions(backend.db, teamId).findWithDamaged()) {
      const isOutdated = await updateQuantity(backend, teamId, found);
      if (isOutdated) await syncSubscription(backend, teamId, found.id);
    }
  });
}

/** @returns true if our copy is outdated now: the quantity was changed, or Stripe has deleted the subscription */
async function updateQuantity(
  backend: Backend,
  teamId: string,
  found: MaybeDamaged<SubscriptionDocument>,
): Promise<boolean> {
  return withStripeRefusals(async () => {
    try {
      return await sendQuantity(backend, teamId, found);
    } catch (error) {
      const isDeletedAtStripe = isMissing(error, 'id');
      if (isDeletedAtStripe) return true;
      throw error;
    }
  });
}

/** Counts the members as late as possible, after Stripe has answered. A later change of members starts another sync. */
async function sendQuantity(
  backend: Backend,
  teamId: string,
  { id, data: stored }: MaybeDamaged<SubscriptionDocument>,
): Promise<boolean> {
  const { config, db, stripe } = backend;
  const client = await stripe();
  const subscription = requireExpanded(await client.subscriptions.retrieve(id, WITH_PAYMENT_METHODS));
  const items = await findItemsWithLookupKeys(db, config, subscription, stored);
  const item = planItemIfRunning({ status: subscription.status, items }, config.plans);
  if (item === undefined || isOtherChangePending(subscription, item)) return false;
  // First the planned change: if Stripe refuses the current number for a time, the next period is still right.
  const scheduled = subscriptionIfScheduled(id, { schedule: scheduleIdOf(subscription), items });
  if (scheduled !== undefined) await updatePlannedSeats(backend, teamId, scheduled);
  const wanted = await findQuantityToSend(db, teamId, item);
  if (wanted === undefined) return false;
  const change = await changeOf(client, item, wanted);
  if (isPending(subscription, change)) return false;
  await client.subscriptions.update(id, { items: [change], ...paymentParams(config, subscription) });
  return true;
}

/** A change of the line item with this id, or a new line item with this price. */
type QuantityChange = { id: string; quantity: number } | { price: string; quantity: number };

/** The seat item is added when the first seat is billed. Later its quantity may be 0. */
async function changeOf(
  stripe: Stripe,
  { id: planItemId, pricing }: PlanItem,
  quantity: number,
): Promise<QuantityChange> {
  if (pricing.kind !== 'base-price') return { id: planItemId, quantity };
  const { id, lookupKey, planName: name } = pricing.seatItem;
  if (id !== undefined) return { id, quantity };
  return { price: await requirePriceId(stripe, { name, lookupKey }), quantity };
}

/** True if Stripe waits for the payment of this quantity. Another request would charge the card again. */
function isPending({ pending_update: pending }: Stripe.Subscription, change: QuantityChange): boolean {
  const items = pending?.subscription_items ?? [];
  return items.some(
    ({ id, price, quantity }) =>
      quantity === change.quantity && ('id' in change ? id === change.id : price.id === change.price),
  );
}

/**
 * If a card is declined, the new quantity waits until the invoice is paid, and the subscription stays active.
 * Otherwise one declined seat would end the plan of the whole team. With a price by usage no quantity can wait (see
 * `paymentCondition`), so the seats are billed with the next invoice.
 */
function paymentParams(
  { seatProration }: Config,
  subscription: ExpandedSubscription,
): Stripe.SubscriptionUpdateParams {
  const isCharged = seatProration === 'always_invoice' && subscription.status === 'active';
  if (!isCharged) return { proration_behavior: seatProration };
  if (meteredPriceIdsOf(subscription).length > 0) return { proration_behavior: 'create_prorations' };
  return { proration_behavior: seatProration, ...paymentCondition(subscription) };
}
