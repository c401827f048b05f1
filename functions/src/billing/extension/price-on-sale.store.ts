import { inChunks } from '../../firestore/chunks.ts';
import type { Reads } from '../../firestore/db.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import { INTERVALS, isPaid, planLookupKeys, type Interval } from '../../settings/plans.ts';

export interface PlanOnSale {
  slug: string;
  interval: Interval;
}

/**
 * Finds the plan that is on sale for a Stripe price. Reads our copies of the prices that are on sale.
 *
 * @throws Refusal `price_not_on_sale`
 */
export async function requirePlanOnSale(reads: Reads, config: Config, priceId: string): Promise<PlanOnSale> {
  const lookupKey = await findLookupKey(reads, config, priceId);
  const candidates = lookupKey === undefined ? [] : config.plans.filter(isPaid);
  for (const plan of candidates) {
    const interval = INTERVALS.find((interval) => plan.prices[interval]?.lookupKey === lookupKey);
    if (interval !== undefined) return { slug: plan.slug, interval };
  }
  throw notOnSale(priceId);
}

/**
 * Finds the slug of the plan or credit pack that is on sale for a single payment of a Stripe price. Reads our copies of
 * the prices that are on sale.
 *
 * @throws Refusal `price_not_on_sale`
 */
export async function requireItemOfPrice(reads: Reads, config: Config, priceId: string): Promise<string> {
  const lookupKey = await findLookupKey(reads, config, priceId);
  const items = lookupKey === undefined ? [] : [...config.plans, ...config.extras.creditPacks];
  const found = items.find(({ prices }) => prices?.once?.lookupKey === lookupKey);
  if (found === undefined) throw notOnSale(priceId);
  return found.slug;
}

function notOnSale(priceId: string) {
  return refusal('price_not_on_sale', { priceId: priceId.slice(0, 50) });
}

async function findLookupKey(
  reads: Reads,
  { plans, extras }: Config,
  priceId: string,
): Promise<string | undefined> {
  const packs = extras.creditPacks.map(({ prices }) => prices.once.lookupKey);
  const keys = [...plans.flatMap(planLookupKeys), ...packs];
  for (const chunk of inChunks(keys)) {
    for (const { id, data } of await reads.group('prices').where('lookup_key', 'in', chunk).findIntact()) {
      if (id === priceId && data.active) return data.lookup_key ?? undefined;
    }
  }
  return undefined;
}
