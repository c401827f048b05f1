import type { SubscriptionItem } from '../../../firestore/documents/subscription.ts';
import { addOnOfKey, type PlansAndExtras } from '../../../settings/extras.ts';
import { meteredPricesOf, seatKeys } from '../../../settings/plans.ts';
import { partOfAddOn, partOfMeter, type LineItem, type Purpose } from './line-items.ts';

export type ItemChange =
  | { id: string; price: string; quantity?: number }
  | { price: string; quantity?: number }
  | { id: string; deleted: true };

export interface CurrentItems {
  items: readonly SubscriptionItem[];
  planItemId: string;
}

/** A line item is changed if its part is wanted, and otherwise removed. A line item without a known part stays. */
export function changesTo(
  wanted: readonly LineItem[],
  current: CurrentItems,
  plansAndExtras: PlansAndExtras,
): ItemChange[] {
  const parts = current.items.flatMap((item) => {
    const part = partOf(item, current, plansAndExtras);
    return part === undefined ? [] : [{ id: item.id, part }];
  });
  const changed = wanted.map((line) => {
    const existing = parts.find(({ part }) => part === line.part);
    return { ...(existing && { id: existing.id }), ...toStripeItem(line) };
  });
  const removed = parts.filter(({ part }) => !wanted.some((line) => line.part === part));
  return [...changed, ...removed.map(({ id }) => ({ id, deleted: true as const }))];
}

/** The prices and quantities of the line items after changes. The changed line items come first. */
export function itemsAfter(
  items: readonly SubscriptionItem[],
  changes: readonly ItemChange[],
): { price: string; quantity?: number }[] {
  const changedIds = new Set(changes.map((change) => ('id' in change ? change.id : undefined)));
  const changed = changes.flatMap((change) =>
    'price' in change ? [toStripeItem({ priceId: change.price, quantity: change.quantity })] : [],
  );
  const others = items.filter(({ id }) => !changedIds.has(id));
  return [...changed, ...others.map(({ price, quantity }) => ({ price, quantity }))];
}

/** A line item for Stripe, without a quantity if it bills usage. Stripe calls the id of a price `price`. */
export function toStripeItem({ priceId, quantity }: { priceId: string; quantity?: number | undefined }) {
  return { price: priceId, ...(quantity !== undefined && { quantity }) };
}

/** @returns undefined if the price is not configured, or is for another plan */
function partOf(
  { id, lookupKey }: SubscriptionItem,
  { planItemId }: CurrentItems,
  { plans, extras }: PlansAndExtras,
): Purpose | undefined {
  if (id === planItemId) return 'plan';
  if (lookupKey !== null && plans.flatMap(seatKeys).includes(lookupKey)) return 'seats';
  const metered = plans.flatMap(meteredPricesOf).find((price) => price.lookupKey === lookupKey);
  if (metered !== undefined) return partOfMeter(metered.meter);
  const addOn = addOnOfKey(extras, lookupKey);
  return addOn && partOfAddOn(addOn);
}
