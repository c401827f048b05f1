import type Stripe from 'stripe';
import type { Reads } from '../../../firestore/db.ts';
import { inChunks } from '../../../firestore/document-id.ts';
import type { SubscriptionDocument, SubscriptionItem } from '../../../firestore/documents/subscription.ts';
import { isOffered, offeredKeys, type PlansAndExtras } from '../../../settings/extras.ts';
import { lookupKeys, planOfLookupKey, seatKeys, type Plan, type PlanList } from '../../../settings/plans.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { planByKeys } from '../plan-item.ts';

/**
 * The line items of a Stripe subscription, each with the lookup key that decides what the item pays for. The first rule
 * that gives a configured key wins. If no rule does, the item keeps the key of its price at Stripe.
 *
 * 1. The key of the price at Stripe.
 * 2. The key that our copy has for the price. Example: at Stripe the key `pro_month` has moved to a new price. A
 *    customer with the old price keeps the plan.
 * 3. If no item has a plan by rules 1 and 2: a key of a plan, if our prices say that the item's product belongs to
 *    exactly this plan. Example: a price without a key, made in the dashboard for one customer, on the product of a
 *    plan.
 * 4. If the plan has a base price and no item bills its seats: the key of the seats, if the item's product is sold for
 *    these seats only. Example: a price without a key, made in the dashboard for one customer, on the product of the
 *    seats.
 *
 * Reads our prices of the items' products, but only for rules 3 and 4.
 *
 * @param stored our copy of the subscription, if there is one
 */
export async function findKeyedItems(
  reads: Reads,
  plansAndExtras: PlansAndExtras,
  subscription: Pick<Stripe.Subscription, 'items'>,
  stored?: Pick<SubscriptionDocument, 'items'>,
): Promise<SubscriptionItem[]> {
  const { plans } = plansAndExtras;
  const items = itemsKeyedByPrice(subscription, plansAndExtras, stored);
  const withPlan =
    planByKeys(items, plans) === undefined
      ? await addKeysByProduct(items, plansAndExtras, (product) => planKeyOfProduct(reads, plans, product))
      : items;
  const plan = planByKeys(withPlan, plans);
  if (plan === undefined || !lacksSeatItem(withPlan, plan)) return withPlan;
  return addKeysByProduct(withPlan, plansAndExtras, (product) =>
    seatKeyOfProduct(reads, plan, { offered: offeredKeys(plansAndExtras), product }),
  );
}

/** The line items with the lookup keys of their prices by rules 1 and 2 of `readItems`. */
export function itemsKeyedByPrice(
  { items }: Pick<Stripe.Subscription, 'items'>,
  plansAndExtras: PlansAndExtras,
  stored?: Pick<SubscriptionDocument, 'items'>,
): SubscriptionItem[] {
  const storedKeys = new Map(stored?.items.map(({ price, lookupKey }) => [price, lookupKey]));
  return items.data.map(({ id, price, quantity }) => {
    const keys = [price.lookup_key, storedKeys.get(price.id) ?? null];
    return {
      id,
      price: price.id,
      lookupKey: keys.find((key) => isOffered(plansAndExtras, key)) ?? price.lookup_key,
      product: idOf(price.product),
      quantity: quantity ?? 1,
    };
  });
}

/** True if a plan has a price per seat beside its base price, and no line item has such a price. */
function lacksSeatItem(items: readonly SubscriptionItem[], plan: Plan): boolean {
  const keys = seatKeys(plan);
  return keys.length > 0 && !items.some(({ lookupKey }) => lookupKey !== null && keys.includes(lookupKey));
}

/** Gives each item whose price is not configured the lookup key of its product, if there is such a key. */
function addKeysByProduct(
  items: readonly SubscriptionItem[],
  plansAndExtras: PlansAndExtras,
  keyOfProduct: (product: string) => Promise<string | undefined>,
): Promise<SubscriptionItem[]> {
  return Promise.all(
    items.map(async (item) => {
      if (isOffered(plansAndExtras, item.lookupKey)) return item;
      return { ...item, lookupKey: (await keyOfProduct(item.product)) ?? item.lookupKey };
    }),
  );
}

/** A lookup key of the plan that a product is sold for. Undefined if the product is sold for several plans or none. */
async function planKeyOfProduct(reads: Reads, plans: PlanList, product: string): Promise<string | undefined> {
  const keys = await keysOfProduct(reads, plans.flatMap(lookupKeys), product);
  const isForOnePlan = new Set(keys.map((key) => planOfLookupKey(plans, key))).size === 1;
  return isForOnePlan ? keys[0] : undefined;
}

/**
 * A lookup key of the seats of a plan, if a product is sold for these seats only.
 *
 * @param offered the lookup keys of everything that is sold
 */
async function seatKeyOfProduct(
  reads: Reads,
  plan: Plan,
  { offered, product }: { offered: readonly string[]; product: string },
): Promise<string | undefined> {
  const keys = await keysOfProduct(reads, offered, product);
  return keys.every((key) => seatKeys(plan).includes(key)) ? keys[0] : undefined;
}

/** The lookup keys among `keys` that our copies of a product's prices have. */
async function keysOfProduct(reads: Reads, keys: readonly string[], product: string): Promise<string[]> {
  const prices = reads.prices(product);
  const pages = await Promise.all(
    inChunks(keys).map((chunk) => prices.where('lookup_key', 'in', chunk).findIntact()),
  );
  return pages.flat().flatMap(({ data }) => data.lookup_key ?? []);
}
