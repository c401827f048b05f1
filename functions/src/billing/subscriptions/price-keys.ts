import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { collectionOf, inChunks } from '../../firestore/documents.ts';
import { lookupKeys, planOfLookupKey, type PlanList } from '../../settings/plans.ts';
import type { PriceDocument } from '../catalogue/catalogue.ts';
import { isOfPlan, toItems, type KeptKeys, type SubscriptionDocument } from './subscription.ts';

/**
 * Keys for prices that have none of a plan's any more, or never had one: those that they were mirrored with; or where
 * no item has such a key, that of a plan to which their product belongs. So a price that was made for one customer in
 * Stripe's dashboard gives the plan as well.
 *
 * Reads nothing for a subscription that is known to give a plan, otherwise the prices of its products that do.
 *
 * @param stored the document of before, if there is one
 */
export async function readKeptKeys(
  firestore: Firestore,
  plans: PlanList,
  subscription: Pick<Stripe.Subscription, 'items'>,
  stored: Pick<SubscriptionDocument, 'items'> | undefined,
): Promise<KeptKeys> {
  const kept = new Map(stored?.items.map(({ price, lookupKey }) => [price, lookupKey]));
  const items = toItems(subscription, plans, kept);
  if (items.some((item) => isOfPlan(item, plans))) return kept;
  const found = await Promise.all(
    items.map(async ({ price, product }) => [price, await keyOfProduct(firestore, plans, product)] as const),
  );
  return new Map(found);
}

/** @returns null as well for a product that is sold for several plans */
async function keyOfProduct(firestore: Firestore, plans: PlanList, product: string): Promise<string | null> {
  const prices = collectionOf<PriceDocument>(firestore, `products/${product}/prices`);
  const pages = await Promise.all(
    inChunks(plans.flatMap(lookupKeys)).map((keys) => prices.where('lookup_key', 'in', keys).get()),
  );
  const keys = pages
    .flatMap(({ docs }) => docs.map((document) => document.data().lookup_key))
    .filter((key) => key !== null);
  const isOne = new Set(keys.map((key) => planOfLookupKey(plans, key))).size === 1;
  return isOne ? (keys[0] ?? null) : null;
}
