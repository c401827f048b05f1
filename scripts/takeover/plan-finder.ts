import type Stripe from 'stripe';
import { idOf } from '../../functions/src/billing/stripe/stripe-ids.ts';
import { itemsWithKeysByPrice } from '../../functions/src/billing/subscriptions/from-stripe/subscription-items.store.ts';
import { findPlanOfItems } from '../../functions/src/billing/subscriptions/plan-item.ts';
import { extrasSchema } from '../../functions/src/settings/extras.ts';
import { planLookupKeys, planOfLookupKey, type PlanList } from '../../functions/src/settings/plans.ts';

/** The extension sells no add-ons. */
const NO_EXTRAS = extrasSchema.parse({});

/** The prices of the plans at Stripe. */
export interface Offer {
  prices: readonly Stripe.Price[];
  /** Lookup keys that no active price at Stripe has. Nobody can buy these. */
  missingKeys: readonly string[];
}

/** Finds the prices of all plans at Stripe. One call for every ten prices. */
export async function findOffer(stripe: Stripe, plans: PlanList): Promise<Offer> {
  const keys = plans.flatMap(planLookupKeys);
  const prices: Stripe.Price[] = [];
  for (let from = 0; from < keys.length; from += 10) {
    const some = keys.slice(from, from + 10);
    prices.push(...(await stripe.prices.list({ lookup_keys: some, active: true, limit: 100 })).data);
  }
  const found = new Set(prices.map(({ lookup_key: key }) => key));
  return { prices, missingKeys: keys.filter((key) => !found.has(key)) };
}

/**
 * The slug of the plan that a subscription will be for: by the lookup keys of its prices, otherwise by the only plan
 * that its products are sold for. Undefined if it is for none.
 */
export function planSlugOf(
  subscription: Stripe.Subscription,
  plans: PlanList,
  { prices }: Pick<Offer, 'prices'>,
): string | undefined {
  const byKey = findPlanOfItems(itemsWithKeysByPrice(subscription, { plans, extras: NO_EXTRAS }), plans);
  if (byKey !== undefined) return byKey.plan.slug;
  const keys = subscription.items.data.map(({ price }) => ({
    lookupKey: keyOf(idOf(price.product), plans, prices),
  }));
  return findPlanOfItems(keys, plans)?.plan.slug;
}

/** A lookup key of the only plan that a product is sold for. */
function keyOf(productId: string, plans: PlanList, prices: readonly Stripe.Price[]): string | null {
  const keys = prices
    .filter(({ product }) => idOf(product) === productId)
    .flatMap(({ lookup_key: key }) => key ?? []);
  const isForOnePlan = new Set(keys.map((key) => planOfLookupKey(plans, key))).size === 1;
  return isForOnePlan ? (keys[0] ?? null) : null;
}
