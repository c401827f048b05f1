import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Config } from '../config.ts';
import { groupOf } from '../documents.ts';
import { HttpError } from '../http/errors.ts';
import { logWarning } from '../http/log.ts';
import type { Services } from '../services.ts';
import {
  findStalePrices,
  findStaleProducts,
  findVanishedProducts,
  followPrice,
  followProduct,
  readMirroredProducts,
  type MirroredProduct,
} from './catalogue.service.ts';
import { followSubscription } from './follow.service.ts';
import { findStaleSubscriptions } from './stale.service.ts';
import { guardStripe, isMissing } from './stripe-errors.ts';
import { RETRIEVE, type SubscriptionDocument } from './subscription.ts';

/** Calls to Stripe in one run. A page of a list is one, and so is everything that has to be mirrored. */
const MAX_CALLS = 100;

const PAGE_SIZE = 100;

/** Subscriptions whose days of grace end in one run. */
const MAX_LAPSED = 20;

/** `sweeps/billing`: where each list goes on; one that is left out begins anew. */
interface Cursors {
  products?: string;
  /** Of the products that are mirrored, where those are looked for that Stripe has no more. */
  mirrored?: string;
  prices?: string;
  subscriptions?: string;
}

/** How many calls to Stripe are left. */
class Budget {
  #left: number;

  constructor(calls: number) {
    this.#left = calls;
  }

  /** Takes one, if there is one. */
  spend(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/**
 * Makes up for webhooks that were lost: compares what is mirrored with Stripe, list by list, a bounded part in each run,
 * and goes on in the next one where this one has ended, so that in time everything is visited, again and again. It also
 * ends the grace of subscriptions whose days are over, which no event tells.
 *
 * May run twice at once: all that it does may be done again.
 *
 * @throws HttpError 503 when Stripe or Firebase Auth does not answer; the next run begins where this one did
 */
export async function reconcileBilling(
  services: Services,
  config: Config,
  maxCalls = MAX_CALLS,
): Promise<void> {
  const [firestore, stripe] = await Promise.all([services.firestore(), services.stripe()]);
  const budget = new Budget(maxCalls);
  await endGrace(services, config, firestore, budget);

  const ref = firestore.doc('sweeps/billing');
  const cursors: Cursors = (await ref.get()).data() ?? {};
  const page = (after: string | undefined) => ({ limit: PAGE_SIZE, ...(after && { starting_after: after }) });
  const next = {
    products: await walk<Stripe.Product>(budget, cursors.products, {
      list: (after) => stripe.products.list(page(after)),
      findStale: (products) => findStaleProducts(firestore, products),
      repair: ({ id }) => followProduct(services, id),
    }),
    mirrored: await walk<MirroredProduct>(budget, cursors.mirrored, {
      list: (after) => readMirroredProducts(firestore, after, PAGE_SIZE),
      findStale: (products) => findVanishedProducts(stripe, products),
      repair: ({ id }) => followProduct(services, id),
    }),
    prices: await walk<Stripe.Price>(budget, cursors.prices, {
      list: (after) => stripe.prices.list(page(after)),
      findStale: (prices) => findStalePrices(firestore, prices),
      repair: (price) => followPrice(services, price),
    }),
    subscriptions: await walk<Stripe.Subscription, string>(budget, cursors.subscriptions, {
      list: (after) =>
        stripe.subscriptions.list({
          ...page(after),
          status: 'all',
          expand: RETRIEVE.expand.map((property) => `data.${property}`),
        }),
      findStale: (subscriptions) => findStaleSubscriptions(services, config, subscriptions),
      repair: ({ id }, customerId) => followSubscription(services, config, customerId, id),
    }),
  };
  await ref.set(Object.fromEntries(Object.entries(next).filter(([, after]) => after !== undefined)));
}

async function endGrace(
  services: Services,
  config: Config,
  firestore: Firestore,
  budget: Budget,
): Promise<void> {
  const lapsed = await groupOf<SubscriptionDocument>(firestore, 'subscriptions')
    .where('grace_until', '<=', services.now())
    .limit(MAX_LAPSED)
    .get();
  for (const { id, ref } of lapsed.docs) {
    const customerId = ref.parent.parent?.id;
    if (customerId === undefined || !budget.spend()) return;
    await followSubscription(services, config, customerId, id);
  }
}

interface Walk<Item, About> {
  list: (after: string | undefined) => Promise<Pick<Stripe.ApiList<Item>, 'data' | 'has_more'>>;
  /** What is mirrored wrong, with what else is to be known to mirror it. */
  findStale: (items: Item[]) => Promise<Map<Item, About>>;
  repair: (item: Item, about: About) => Promise<void>;
}

/**
 * Visits what is left of a list while there are calls.
 *
 * @returns the id after which to go on; undefined to begin anew
 */
async function walk<Item extends { id: string }, About = null>(
  budget: Budget,
  after: string | undefined,
  { list, findStale, repair }: Walk<Item, About>,
): Promise<string | undefined> {
  let cursor = after;
  while (budget.spend()) {
    const page = await listFrom(list, cursor);
    const stale = await findStale(page.data);
    for (const item of page.data) {
      const about = stale.get(item);
      if (about !== undefined) {
        if (!budget.spend()) return cursor;
        await attempt(item, () => repair(item, about));
      }
      cursor = item.id;
    }
    if (!page.has_more) return undefined;
  }
  return cursor;
}

/** What cannot be mirrored for a reason of its own must not keep the rest from it. */
async function attempt({ id }: { id: string }, repair: () => Promise<void>): Promise<void> {
  try {
    await repair();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    logWarning(`${id} could not be mirrored.`, error);
  }
}

/** From the beginning, if what the last run came to is no more. */
async function listFrom<Item>(
  list: Walk<Item, unknown>['list'],
  after: string | undefined,
): ReturnType<Walk<Item, unknown>['list']> {
  return guardStripe(async () => {
    try {
      return await list(after);
    } catch (error) {
      if (after === undefined || !isMissing(error)) throw error;
      return list(undefined);
    }
  });
}
