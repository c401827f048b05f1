import type Stripe from 'stripe';
import type { SubscriptionItem } from '../../../firestore/documents/subscription.ts';
import { addOnOfLookupKey, type PlansAndExtras } from '../../../settings/extras.ts';
import { meteredPricesOf, seatLookupKeys } from '../../../settings/plans.ts';
import { purposeOfAddOn, purposeOfMeter, type LineItem, type Purpose } from './line-items.ts';

export type ItemChange =
  | { id: string; price: string; quantity?: number }
  | { id: string; quantity: number }
  | { price: string; quantity?: number }
  | { id: string; deleted: true };

export interface ItemAfterChange {
  price: string;
  /** Undefined for usage. */
  quantity: number | undefined;
  /** The price that the line item has before the change. Undefined for a new line item. */
  formerPrice: string | undefined;
}

export interface CurrentItems {
  items: readonly SubscriptionItem[];
  planItemId: string;
}

/**
 * The parameters that make a change wait until its invoice is paid. Empty if Stripe sends invoices to the customer:
 * then it has no pending updates. https://docs.stripe.com/billing/subscriptions/pending-updates
 */
export function pendingUntilPaid({
  collection_method: method,
}: Pick<Stripe.Subscription, 'collection_method'>): Pick<
  Stripe.SubscriptionUpdateParams,
  'payment_behavior'
> {
  return method === 'charge_automatically' ? { payment_behavior: 'pending_if_incomplete' } : {};
}

/**
 * The parameters that begin a new period with a change to another interval. Otherwise the day of the renewal would stay,
 * and a subscription that has changed from month to year would be billed for a part of a year. Empty during a trial: the
 * first period begins at its end. https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
export function newPeriodIf(
  changesInterval: boolean,
  { status }: Pick<Stripe.Subscription, 'status'>,
): Pick<Stripe.SubscriptionUpdateParams, 'billing_cycle_anchor'> {
  return changesInterval && status !== 'trialing' ? { billing_cycle_anchor: { type: 'now' } } : {};
}

/**
 * Changes or adds the line item of each wanted purpose. Removes line items whose purpose is not wanted, and further
 * line items of the same purpose. Line items without a known purpose stay.
 */
export function changesTo(
  wanted: readonly LineItem[],
  current: CurrentItems,
  plansAndExtras: PlansAndExtras,
): ItemChange[] {
  const withPurposes = current.items.flatMap((item) => {
    const purpose = purposeOf(item, current, plansAndExtras);
    return purpose === undefined ? [] : [{ id: item.id, purpose }];
  });
  const changed = wanted.map((line) => {
    const existing = withPurposes.find(({ purpose }) => purpose === line.purpose);
    return { ...(existing && { id: existing.id }), ...toStripeItem(line) };
  });
  const changedIds = changed.map((change) => change.id);
  const removed = withPurposes.filter(({ id }) => !changedIds.includes(id));
  return [...changed, ...removed.map(({ id }) => ({ id, deleted: true as const }))];
}

/** The line items after changes. The changed line items come first. */
export function itemsAfter(
  items: readonly SubscriptionItem[],
  changes: readonly ItemChange[],
): ItemAfterChange[] {
  const priceOf = new Map(items.map(({ id, price }) => [id, price]));
  const idOfChange = (change: ItemChange) => ('id' in change ? change.id : '');
  const changed = changes.flatMap((change) =>
    'price' in change
      ? [{ price: change.price, quantity: change.quantity, formerPrice: priceOf.get(idOfChange(change)) }]
      : [],
  );
  const changedIds = new Set(changes.map(idOfChange));
  const others = items.filter(({ id }) => !changedIds.has(id));
  return [...changed, ...others.map(({ price, quantity }) => ({ price, quantity, formerPrice: price }))];
}

/** A line item for Stripe, without a quantity if it bills usage. Stripe calls the id of a price `price`. */
export function toStripeItem({ priceId, quantity }: { priceId: string; quantity?: number | undefined }) {
  return { price: priceId, ...(quantity !== undefined && { quantity }) };
}

/** @returns undefined if the price is not configured, or is for another plan */
function purposeOf(
  { id, lookupKey }: SubscriptionItem,
  { planItemId }: CurrentItems,
  { plans, extras }: PlansAndExtras,
): Purpose | undefined {
  if (id === planItemId) return 'plan';
  if (lookupKey !== null && plans.flatMap(seatLookupKeys).includes(lookupKey)) return 'seats';
  const metered = plans.flatMap(meteredPricesOf).find((price) => price.lookupKey === lookupKey);
  if (metered !== undefined) return purposeOfMeter(metered.meter);
  const addOn = addOnOfLookupKey(extras, lookupKey);
  return addOn && purposeOfAddOn(addOn);
}
