import type { Firestore } from 'firebase-admin/firestore';
import { groupOf, inChunks } from '../../firestore/documents.ts';
import { lookupKeys, type PlanList } from '../../settings/plans.ts';
import type { Backend } from '../../backend.ts';
import type { PriceDocument } from './catalogue.ts';
import { viewOf, type PlanView } from './plan.view.ts';

/** How long an instance, a browser and Hosting's CDN keep the plans. */
export const PLANS_MAX_AGE_SECONDS = 300;

/**
 * The plans with their prices, asked for at most once in `PLANS_MAX_AGE_SECONDS` by an instance: then it reads one
 * document for each price.
 */
export function plansReader({ firestore, now, config: { plans } }: Backend): () => Promise<PlanView[]> {
  let kept: { views: Promise<PlanView[]>; until: number } | undefined;
  return async () => {
    const time = now().getTime();
    if (kept === undefined || kept.until <= time) {
      const views = firestore().then((opened) => readPlans(opened, plans));
      kept = { views, until: time + PLANS_MAX_AGE_SECONDS * 1000 };
      views.catch(() => {
        kept = undefined;
      });
    }
    return kept.views;
  };
}

async function readPlans(firestore: Firestore, plans: PlanList): Promise<PlanView[]> {
  const prices = await readPrices(firestore, plans.flatMap(lookupKeys));
  return plans.map((plan) => viewOf(plan, prices));
}

async function readPrices(
  firestore: Firestore,
  keys: readonly string[],
): Promise<ReadonlyMap<string, PriceDocument>> {
  const prices = groupOf<PriceDocument>(firestore, 'prices');
  const found = new Map<string, PriceDocument>();
  for (const some of inChunks(keys)) {
    for (const document of (await prices.where('lookup_key', 'in', some).get()).docs) {
      const price = document.data();
      if (price.active && price.lookup_key !== null) found.set(price.lookup_key, price);
    }
  }
  return found;
}
