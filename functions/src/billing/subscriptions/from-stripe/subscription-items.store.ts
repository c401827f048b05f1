import type Stripe from 'stripe';
import { inChunks } from '../../../firestore/chunks.ts';
import type { Reads } from '../../../firestore/db.ts';
import type { PriceDocument } from '../../../firestore/documents/catalogue.ts';
import type { SubscriptionDocument, SubscriptionItem } from '../../../firestore/documents/subscription.ts';
import { isOffered, offeredLookupKeys, type PlansAndExtras } from '../../../settings/extras.ts';
import {
  planLookupKeys,
  planOfLookupKey,
  seatLookupKeys,
  type Plan,
  type PlanList,
} from '../../../settings/plans.ts';
import { idOf } from '../../stripe/stripe-ids.ts';
import { findPlanOfItems } from '../plan-item.ts';

/** A subscription at Stripe, or line items that it will have. */
export interface WithLineItems {
  items: { data: readonly Pick<Stripe.SubscriptionItem, 'id' | 'price' | 'quantity'>[] };
}

/**
 * The line items of a Stripe subscription, with the lookup key of each. The lookup key decides what the line item pays
 * for. The keys are found in three steps:
 *
 * 1. Each line item gets the key of its price at Stripe, if this key is configured. Otherwise it gets the key that our
 *    copy has for the same price. Example: the key was moved to a newer price, and the customer pays the old price.
 * 2. If no line item pays for a plan, the line items without a configured key get the key of a plan by their product.
 *    All configured keys of the product's prices must belong to one plan. Example: a price without a key was made for
 *    one customer, for the product "Pro", whose other prices have the keys `pro-month` and `pro-year`. The line item
 *    gets `pro-month`.
 * 3. If the plan has seats beside its base price, and no line item pays for them, the line items without a configured
 *    key get the key of the seats by their product. All configured keys of the product's prices must belong to the
 *    seats.
 *
 * Steps 2 and 3 read our copies of the products' prices.
 */
export async function findItemsWithLookupKeys(
  reads: Reads,
  plansAndExtras: PlansAndExtras,
  subscription: WithLineItems,
  stored?: Pick<SubscriptionDocument, 'items'>,
): Promise<SubscriptionItem[]> {
  const { plans } = plansAndExtras;
  let items = itemsWithKeysByPrice(subscription, plansAndExtras, stored);
  // Stripe bills all line items of a subscription in the same interval.
  const interval = subscription.items.data[0]?.price.recurring?.interval ?? null;
  // Step 2
  if (findPlanOfItems(items, plans) === undefined) {
    items = await addKeysByProduct(items, plansAndExtras, (product) =>
      planKeyOfProduct(reads, plans, { product, interval }),
    );
  }
  // Step 3
  const plan = findPlanOfItems(items, plans)?.plan;
  if (plan === undefined || !lacksSeatItem(items, plan)) return items;
  const offered = offeredLookupKeys(plansAndExtras);
  return addKeysByProduct(items, plansAndExtras, (product) =>
    seatKeyOfProduct(reads, plan, { offered, wanted: { product, interval } }),
  );
}

/** The line items with the lookup keys that step 1 of `findItemsWithLookupKeys` finds. Reads nothing. */
export function itemsWithKeysByPrice(
  { items }: WithLineItems,
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

/** True if a plan has seats beside its base price, and no line item bills them. */
function lacksSeatItem(items: readonly SubscriptionItem[], plan: Plan): boolean {
  const keys = seatLookupKeys(plan);
  return keys.length > 0 && !items.some(({ lookupKey }) => lookupKey !== null && keys.includes(lookupKey));
}

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

/** The product of a line item without a configured key, and the interval in which it is billed. */
interface ProductAndInterval {
  product: string;
  interval: PriceDocument['interval'];
}

/** @returns undefined if the product is sold for several plans or for no plan */
async function planKeyOfProduct(
  reads: Reads,
  plans: PlanList,
  wanted: ProductAndInterval,
): Promise<string | undefined> {
  const keys = await keysOfProduct(reads, plans.flatMap(planLookupKeys), wanted);
  const isForOnePlan = new Set(keys.map((key) => planOfLookupKey(plans, key))).size === 1;
  return isForOnePlan ? keys[0] : undefined;
}

/**
 * @param offered the lookup keys of everything that is sold, to find a product that is also sold for something else
 * @returns undefined if the product is also sold for something else
 */
async function seatKeyOfProduct(
  reads: Reads,
  plan: Plan,
  { offered, wanted }: { offered: readonly string[]; wanted: ProductAndInterval },
): Promise<string | undefined> {
  const keys = await keysOfProduct(reads, offered, wanted);
  // `every` is true for an empty list, and then the result is undefined.
  return keys.every((key) => seatLookupKeys(plan).includes(key)) ? keys[0] : undefined;
}

/**
 * Finds the lookup keys among `keys` that our copies of a product's prices have. Prices with the wanted interval come
 * first, because the callers take the first key, and each interval has its own price of the seats.
 */
async function keysOfProduct(
  reads: Reads,
  keys: readonly string[],
  { product, interval }: ProductAndInterval,
): Promise<string[]> {
  const prices = reads.prices(product);
  const pages = await Promise.all(
    inChunks(keys).map((chunk) => prices.where('lookup_key', 'in', chunk).findIntact()),
  );
  const found = pages.flat().map(({ data }) => data);
  const [same, other] = [
    found.filter((price) => price.interval === interval),
    found.filter((price) => price.interval !== interval),
  ];
  return [...same, ...other].flatMap(({ lookup_key }) => lookup_key ?? []);
}
