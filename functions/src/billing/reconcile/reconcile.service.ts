import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import { groupOf } from '../../firestore/documents.ts';
import { Refusal } from '../../refusals.ts';
import { logWarning } from '../../common/log.ts';
import type { Backend } from '../../backend.ts';
import {
  findStalePrices,
  findStaleProducts,
  findVanishedProducts,
  followPrice,
  followProduct,
  readMirroredPrices,
  readMirroredProducts,
  type MirroredPrice,
  type MirroredProduct,
} from '../catalogue/catalogue.service.ts';
import { followSubscription } from '../subscriptions/sync.service.ts';
import { findStaleSubscriptions, type Owner } from './drift.service.ts';
import { guardStripe, isMissing } from '../stripe/stripe-errors.ts';
import { RETRIEVE, type SubscriptionDocument } from '../subscriptions/subscription.ts';

/** Calls to Stripe in one run. A page of a list is one, and so is everything that has to be mirrored. */
const MAX_CALLS = 100;

const PAGE_SIZE = 100;

/** Subscriptions whose days of grace end in one run. */
const MAX_LAPSED = 20;

/** The lists, in the order in which a run visits them; those `mirrored` are ours, of which Stripe may have some no more. */
type List = 'products' | 'mirrored' | 'prices' | 'mirroredPrices' | 'subscriptions';

/** `sweeps/billing`: the list to go on with, and the id after which; empty to begin anew. */
interface Position {
  list?: List;
  after?: string;
}

/** How many calls to Stripe are left to a run, and where it is. */
class Run {
  position: Position;
  #left: number;

  constructor(position: Position, calls: number) {
    this.position = position;
    this.#left = calls;
  }

  /** Takes a call, if there is one. */
  spend(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

/**
 * Makes up for webhooks that were lost: compares what is mirrored with Stripe, list by list, a bounded part in each run,
 * and goes on in the next one where this one has ended, so that in time everything is visited, again and again. What
 * cannot be mirrored is passed over until then. It also ends the grace of subscriptions whose days are over, which no
 * event tells.
 *
 * May run twice at once: all that it does may be done again.
 *
 * @throws Refusal 503 when Stripe does not answer; the next run goes on after what this one came to
 */
export async function reconcileBilling(backend: Backend, maxCalls = MAX_CALLS): Promise<void> {
  const firestore = await backend.firestore();
  const ref = firestore.doc('sweeps/billing');
  const run = new Run((await ref.get()).data() ?? {}, maxCalls);
  await endGrace(backend, firestore, run).catch((error: unknown) => {
    logWarning('Not all days of grace could be ended.', error);
  });
  try {
    await visitCatalogue(backend, firestore, run);
    await visitSubscriptions(backend, run);
  } finally {
    await ref.set({ ...run.position });
  }
}

async function visitCatalogue(backend: Backend, firestore: Firestore, run: Run): Promise<void> {
  const stripe = await backend.stripe();
  await walk<Stripe.Product>(run, 'products', {
    list: (after) => stripe.products.list(pageAfter(after)),
    findStale: (products) => findStaleProducts(firestore, products),
    repair: ({ id }) => followProduct(backend, id),
  });
  await walk<MirroredProduct>(run, 'mirrored', {
    list: (after) => readMirroredProducts(firestore, after, PAGE_SIZE),
    findStale: (products) => findVanishedProducts(stripe, products),
    repair: ({ id }) => followProduct(backend, id),
  });
  await visitPrices(backend, firestore, run);
}

/**
 * Stripe cannot be asked for many prices by their ids. So those that are mirrored are held against the list of all, if
 * this run has seen the whole of it.
 */
async function visitPrices(backend: Backend, firestore: Firestore, run: Run): Promise<void> {
  const stripe = await backend.stripe();
  const seen = new Set<string>();
  let isWhole = false;
  await walk<Stripe.Price>(run, 'prices', {
    list: async (after) => {
      const page = await stripe.prices.list(pageAfter(after));
      if (after === undefined) seen.clear();
      isWhole ||= after === undefined;
      for (const { id } of page.data) seen.add(id);
      return page;
    },
    findStale: (prices) => findStalePrices(firestore, prices),
    repair: (price) => followPrice(backend, price),
  });
  await walk<MirroredPrice>(run, 'mirroredPrices', {
    list: (after) =>
      isWhole
        ? readMirroredPrices(firestore, after, PAGE_SIZE)
        : Promise.resolve({ data: [], has_more: false }),
    findStale: (mirrored) => {
      const vanished = mirrored.filter(({ price }) => !seen.has(price.id));
      return Promise.resolve(new Map(vanished.map((price) => [price, null])));
    },
    repair: ({ price }) => followPrice(backend, price),
  });
}

async function visitSubscriptions(backend: Backend, run: Run): Promise<void> {
  const stripe = await backend.stripe();
  const expand = [...RETRIEVE.expand, 'customer'].map((property) => `data.${property}`);
  await walk<Stripe.Subscription, Owner>(run, 'subscriptions', {
    list: (after) => stripe.subscriptions.list({ ...pageAfter(after), status: 'all', expand }),
    findStale: (subscriptions) => findStaleSubscriptions(backend, subscriptions),
    repair: ({ id }, { customerId, lost }) => followSubscription(backend, customerId, id, { lost }),
  });
}

function pageAfter(after: string | undefined): Stripe.PaginationParams {
  return { limit: PAGE_SIZE, ...(after !== undefined && { starting_after: after }) };
}

/** What this cannot end the list of subscriptions comes to. */
async function endGrace(backend: Backend, firestore: Firestore, run: Run): Promise<void> {
  const lapsed = await groupOf<SubscriptionDocument>(firestore, 'subscriptions')
    .where('grace_until', '<=', backend.now())
    .limit(MAX_LAPSED)
    .get();
  for (const { id, ref } of lapsed.docs) {
    const customerId = ref.parent.parent?.id;
    if (customerId === undefined || !run.spend()) return;
    await attempt(id, () => followSubscription(backend, customerId, id));
  }
}

interface Walk<Item, About> {
  list: (after: string | undefined) => Promise<Pick<Stripe.ApiList<Item>, 'data' | 'has_more'>>;
  /** What is mirrored wrong, with what else is to be known to mirror it. */
  findStale: (items: Item[]) => Promise<Map<Item, About>>;
  repair: (item: Item, about: About) => Promise<void>;
}

/** Visits what is left of a list while there are calls, if the run has come to it. */
async function walk<Item extends { id: string }, About = null>(
  run: Run,
  name: List,
  { list, findStale, repair }: Walk<Item, About>,
): Promise<void> {
  if ((run.position.list ?? name) !== name) return;
  run.position.list = name;
  while (run.spend()) {
    const page = await listFrom(list, run.position.after);
    const stale = await findStale(page.data);
    for (const item of page.data) {
      const about = stale.get(item);
      if (about !== undefined && !run.spend()) return;
      run.position.after = item.id;
      if (about !== undefined) await attempt(item.id, () => repair(item, about));
    }
    if (!page.has_more) {
      run.position = {};
      return;
    }
  }
}

/** What fails for a reason of its own must not keep the rest from being mirrored. */
async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'billing_unavailable') throw error;
    logWarning(`${what} could not be mirrored.`, error);
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
