import type Stripe from 'stripe';
import { inChunks } from '../../firestore/document-id.ts';
import type { Reads } from '../../firestore/db.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { lookupKeys, planOfLookupKey, type PlanList } from '../../settings/plans.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { planOfKey } from './subscription.ts';

type Item = SubscriptionDocument['items'][number];

/**
 * The line items of a Stripe subscription. Each has the lookup key that decides its plan, the first of:
 *
 * 1. the key of its price at Stripe;
 * 2. the key that our copy has for the price: when a plan gets a new price, the lookup key moves to the new price at Stripe,
 *    and customers with the old price keep the plan;
 * 3. if no item has a key of a plan yet, a key of the one plan that its product is sold for. A price that was made in the
 *    dashboard for one customer has no key.
 *
 * Reads nothing in the first two cases. Otherwise reads the prices of the products that belong to a plan.
 *
 * @param stored our copy of the subscription, if there is one
 */
export async function readItems(
  reads: Reads,
  plans: PlanList,
  subscription: Pick<Stripe.Subscription, 'items'>,
  stored?: Pick<SubscriptionDocument, 'items'>,
): Promise<Item[]> {
  const items = toItems(subscription, plans, stored);
  if (items.some(({ lookupKey }) => planOfKey(lookupKey, plans) !== undefined)) return items;
  return Promise.all(
    items.map(async (item) => ({
      ...item,
      lookupKey: (await keyOfProduct(reads, plans, item.product)) ?? item.lookupKey,
    })),
  );
}

/** The line items with the lookup keys of their prices, at Stripe or as stored before. */
export function toItems(
  { items }: Pick<Stripe.Subscription, 'items'>,
  plans: PlanList,
  stored?: Pick<SubscriptionDocument, 'items'>,
): Item[] {
  const storedKeys = new Map(stored?.items.map(({ price, lookupKey }) => [price, lookupKey]));
  return items.data.map(({ id, price, quantity }) => {
    const keys = [price.lookup_key, storedKeys.get(price.id) ?? null];
    return {
      id,
      price: price.id,
      lookupKey: keys.find((key) => planOfKey(key, plans) !== undefined) ?? price.lookup_key,
      product: idOf(price.product),
      quantity: quantity ?? 1,
    };
  });
}

/** A lookup key of the plan that a product is sold for. Null if it is sold for several plans or none. */
async function keyOfProduct(reads: Reads, plans: PlanList, productId: string): Promise<string | null> {
  const prices = reads.prices(productId);
  const pages = await Promise.all(
    inChunks(plans.flatMap(lookupKeys)).map((keys) => prices.where('lookup_key', 'in', keys).findIntact()),
  );
  const keys = pages
    .flat()
    .map(({ data }) => data.lookup_key)
    .filter((key) => key !== null);
  const isForOnePlan = new Set(keys.map((key) => planOfLookupKey(plans, key))).size === 1;
  return isForOnePlan ? (keys[0] ?? null) : null;
}
