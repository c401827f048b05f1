import { inChunks } from '../../firestore/document-id.ts';
import type { Reads } from '../../firestore/db.ts';
import { refuse } from '../../refusals.ts';
import { INTERVALS, isPaid, lookupKeys, type Interval, type PlanList } from '../../settings/plans.ts';

/** A plan and how often it is paid. */
export interface Offer {
  slug: string;
  interval: Interval;
}

/**
 * The plan that a Stripe price is on sale for. Reads our copies of the prices of all plans.
 *
 * @throws Refusal `invalid_request`
 */
export async function requireOffer(reads: Reads, plans: PlanList, priceId: string): Promise<Offer> {
  const lookupKey = await findLookupKey(reads, plans.flatMap(lookupKeys), priceId);
  const offered = lookupKey === undefined ? [] : plans.filter(isPaid);
  for (const plan of offered) {
    const interval = INTERVALS.find((one) => plan.prices[one]?.lookupKey === lookupKey);
    if (interval !== undefined) return { slug: plan.slug, interval };
  }
  throw refuse('invalid_request', { reason: `The price ${priceId.slice(0, 50)} is not on sale.` });
}

async function findLookupKey(
  reads: Reads,
  keys: readonly string[],
  priceId: string,
): Promise<string | undefined> {
  for (const some of inChunks(keys)) {
    for (const { id, data } of await reads.group('prices').where('lookup_key', 'in', some).findIntact()) {
      if (id === priceId && data.active) return data.lookup_key ?? undefined;
    }
  }
  return undefined;
}
