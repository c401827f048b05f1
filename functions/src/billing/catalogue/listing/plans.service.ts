import type { Backend } from '../../../backend.ts';
import { cachedFor } from '../../../common/lazy.ts';
import type { Reads } from '../../../firestore/db.ts';
import type { Config } from '../../../settings/config.ts';
import { allLookupKeys } from '../../../settings/plans.ts';
import { planViewOf, type PlanView } from './plan.view.ts';
import { readPrices } from './price.store.ts';

/** How long an instance, a browser and Hosting's CDN cache the plans. */
export const LISTING_MAX_AGE_SECONDS = 300;

/** The returned function reads each price and each product, at most once in `LISTING_MAX_AGE_SECONDS`. */
export function plansReader({ db, now, config }: Backend): () => Promise<PlanView[]> {
  return cachedFor(LISTING_MAX_AGE_SECONDS, now, () => readPlans(db, config));
}

async function readPlans(
  reads: Reads,
  { plans, trialDays }: Pick<Config, 'plans' | 'trialDays'>,
): Promise<PlanView[]> {
  const prices = await readPrices(reads, plans.flatMap(allLookupKeys));
  return plans.map((plan) => planViewOf(plan, prices, trialDays));
}
