import type Stripe from 'stripe';
import type { SubscriptionItem } from '../../../firestore/documents/subscription.ts';
import { addOnOfLookupKey, type PlansAndExtras } from '../../../settings/extras.ts';
import { meteredPricesOf, seatLookupKeys } from '../../../settings/plans.ts';
import { isPaidByBankDebit, type ExpandedSubscription } from '../from-stripe/bank-debit.ts';
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
 * The parameters by which a change depends on the payment of its invoice. If the payment fails:
 *
 * - The change waits until the invoice is paid, and is dropped after 23 hours.
 * - With a price by usage, Stripe rejects the change. The invoice of a waiting change would bill the usage until now,
 *   and Stripe would drop this usage together with the change.
 * - If Stripe sends invoices to the customer, the change is made. Stripe has no waiting changes then.
 * - If Stripe debits a bank account, the change is made, for the same reason, also with a price by usage: the debit
 *   fails days later, when Stripe can no longer reject the change.
 *
 * https://docs.stripe.com/billing/subscriptions/pending-updates
 */
export function paymentCondition(
  subscription: ExpandedSubscription,
): Pick<Stripe.SubscriptionUpdateParams, 'payment_behavior'> {
  if (subscription.collection_method !== 'charge_automatically') return {};
  if (isPaidByBankDebit(subscription)) return {};
  const hasUsage = meteredPriceIdsOf(subscription).length > 0;
  return { payment_behavior: hasUsage ? 'error_if_incomplete' : 'pending_if_incomplete' };
}

/** The ids of the prices that are billed by usage. */
export function meteredPriceIdsOf({ items }: Pick<Stripe.Subscription, 'items'>): string[] {
  return items.data
    .filter(({ price }) => price.recurring?.usage_type === 'metered')
    .map(({ price }) => price.id);
}

/**
 * The parameters that begin a new period with a change to another interval. Otherwise the day of the renewal would
 * stay, and a subscription that has changed from month to year would be billed for a part of a year. Empty during a
 * trial: the first period begins at its end. https://docs.stripe.com/billing/subscriptions/billing-mode/compare
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

/** The prices by usage of a subscription that its line items after a change do not have. */
export function droppedMeteredPrices(
  subscription: Pick<Stripe.Subscription, 'items'>,
  after: readonly Pick<ItemAfterChange, 'price'>[],
): string[] {
  const kept = after.map(({ price }) => price);
  return meteredPriceIdsOf(subscription).filter((price) => !kept.includes(price));
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
