import type { Backend } from '../../backend.ts';
import { cachedFor } from '../../common/lazy.ts';
import { inChunks } from '../../firestore/chunks.ts';
import type { Reads } from '../../firestore/db.ts';
import type { PriceDocument } from '../../firestore/documents/catalogue.ts';
import { allLookupKeys, type PlanList } from '../../settings/plans.ts';
import { planViewOf, type PlanView } from './plan.view.ts';

/** How long an instance, a browser and Hosting's CDN cache the plans. */
export const PLANS_MAX_AGE_SECONDS = 300;

/** The returned function reads one document for each price, at most once in `PLANS_MAX_AGE_SECONDS`. */
export function plansReader({ db, now, config: { plans } }: Backend): () => Promise<PlanView[]> {
  return cachedFor(PLANS_MAX_AGE_SECONDS, now, () => readPlans(db, plans));
}

async function readPlans(reads: Reads, plans: PlanList): Promise<PlanView[]> {
  const prices = await readPrices(reads, plans.flatMap(allLookupKeys));
  return plans.map((plan) => planViewOf(plan, prices));
}

/** Our copies of prices, by lookup key. */
export async function readPrices(
  reads: Reads,
  keys: readonly string[],
): Promise<ReadonlyMap<string, PriceDocument>> {
  const byKey = new Map<string, PriceDocument>();
  for (const chunk of inChunks(keys)) {
    for (const { data } of await reads.group('prices').where('lookup_key', 'in', chunk).findIntact()) {
      const { lookup_key: key } = data;
      if (key !== null && byKey.get(key)?.active !== true) byKey.set(key, data);
    }
  }
  return byKey;
}
