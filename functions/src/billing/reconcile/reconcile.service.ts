import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import { timerOf } from '../../common/timer.ts';
import type { FoundPath, FieldName, Query } from '../../firestore/query.ts';
import { syncPrice, syncProduct } from '../catalogue/catalogue.service.ts';
import { endAppStoreGrant } from '../grants/app-store-event.service.ts';
import { isAppStoreGrant } from '../grants/app-store-event.ts';
import { COMP_ID, endDueComp } from '../grants/comp.service.ts';
import { syncOneTimePurchase } from '../purchases/sync-purchase.service.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';
import {
  findDeletedProducts,
  findPriceDrift,
  findProductDrift,
  readStoredPrices,
  readStoredProducts,
} from './catalogue-drift.service.ts';
import { visitEntitlementEvents, visitLostEvents } from './lost-events.service.ts';
import { CALLS_FOR_SUBSCRIPTIONS, startRound } from './round.service.ts';
import { FIRST_CREATED, visitOutdatedCopies, visitSubscriptions } from './subscriptions.service.ts';
import {
  LISTS,
  PAGE_SIZE,
  pageAfter,
  repairEach,
  sameRepairFor,
  Run,
  visitList,
  type List,
  type Position,
  type Repair,
  type SeparateList,
} from './visit.ts';

/** Calls to Stripe in one run. */
const MAX_CALLS = 1_000;

/** The function is stopped after 540 seconds. The last call may take a minute. */
const MAX_RUN_MS = 400_000;

/** A part of each run, for graces and granted plans that have ended. */
const DUE_PLANS = { maxCalls: 200, maxMs: 100_000 };

/** A part of each run, for one-time purchases. */
const DUE_PURCHASES = { maxCalls: 400, maxMs: 100_000 };

/** The part of the calls that the other lists leave to the lists of events. */
const KEPT_FOR_EVENTS = 0.2;

/** The most that a run spends on outdated copies. */
const SHARE_OF_OUTDATED_COPIES = 0.4;

/** Id of the document in `sweeps`. A separate list has a document with its own name. */
const SWEEP_ID = 'billing';

/**
 * Makes up for lost events: compares our copies with Stripe, list by list, and repairs the drift. Each run continues
 * where the last run ended. An item that cannot be repaired is logged, and tried again at its next visit.
 *
 * Idempotent. Two runs may overlap.
 *
 * @throws Refusal `billing_unavailable`: the next run continues after the last visited item
 */
export async function reconcileBilling(backend: Backend, maxCalls = MAX_CALLS): Promise<void> {
  const isTimeUp = timerOf(backend, MAX_RUN_MS);
  const run = new Run(await readPosition(backend, SWEEP_ID, LISTS), { maxCalls, isTimeUp });
  await endDuePlans(backend, run).catch((error: unknown) => {
    logWarning('Not all plans whose date has passed could be ended', error);
  });
  try {
    await checkPurchases(backend, run);
    const keptForEvents = run.splitOff({ maxCalls: Math.floor(maxCalls * KEPT_FOR_EVENTS) });
    await visitProducts(backend, run);
    await visitPrices(backend, run);
    await visitNewestSubscriptions(backend, run);
    const callsForCopies = Math.floor(maxCalls * SHARE_OF_OUTDATED_COPIES);
    await visitSeparately(backend, run, 'copiedSubscriptions', callsForCopies, visitOutdatedCopies);
    run.takeBack(keptForEvents);
  } finally {
    await backend.db.sweeps.set(SWEEP_ID, run.position);
  }
  const callsForEntitlements = Math.ceil((maxCalls * KEPT_FOR_EVENTS) / 2);
  await visitSeparately(backend, run, 'entitlements', callsForEntitlements, visitEntitlementEvents);
  await visitSeparately(backend, run, 'events', maxCalls, visitLostEvents);
}

/** A position that cannot be read counts as the start. */
async function readPosition({ db }: Backend, sweepId: string, lists: readonly List[]): Promise<Position> {
  const stored = await db.sweeps.getIntact(sweepId);
  const list = lists.find((name) => name === stored?.list);
  if (list === undefined) return {};
  return { list, ...(typeof stored?.after === 'string' && { after: stored.after }) };
}

/** Ends the graces and granted plans whose date has passed, because Stripe sends no event at that time. */
async function endDuePlans(backend: Backend, run: Run): Promise<void> {
  const due = latestBefore(backend.db.group('subscriptions'), 'grace_until', backend.now());
  await repairDue(backend, run, DUE_PLANS, due, ({ id, parentId: customerId }) => {
    if (id === COMP_ID) return { id: customerId, work: () => endDueComp(backend, customerId), calls: 0 };
    if (isAppStoreGrant(id)) return { id, work: () => endAppStoreGrant(backend, customerId, id), calls: 0 };
    // The sync asks for the subscription and its unpaid invoices.
    return { id, work: () => syncSubscription(backend, customerId, id), calls: 2 };
  });
}

/** Syncs one-time purchases whose outcome no event has reported. */
async function checkPurchases(backend: Backend, run: Run): Promise<void> {
  const due = latestBefore(backend.db.group('purchases'), 'checkAt', backend.now());
  await repairDue(backend, run, DUE_PURCHASES, due, ({ id: purchaseId, parentId: customerId }) => ({
    id: purchaseId,
    work: () => syncOneTimePurchase(backend, { customerId, purchaseId }),
    calls: 1,
  }));
}

/** Finds documents page by page. The latest come first, so that what always fails is behind everything else. */
function latestBefore<Doc extends object>(
  query: Query<Doc>,
  field: FieldName<Doc>,
  now: Date,
): AsyncGenerator<FoundPath> {
  return query.where(field, '<=', now).orderBy(field, 'desc').streamWithDamagedInOrder(PAGE_SIZE);
}

/** Repairs what is due, as long as this part of the run lasts. */
async function repairDue(
  backend: Backend,
  run: Run,
  { maxCalls, maxMs }: typeof DUE_PLANS,
  due: AsyncIterable<FoundPath>,
  repairOf: (found: FoundPath) => Repair & { id: string },
): Promise<void> {
  const part = run.splitOff({ maxCalls, isTimeUp: timerOf(backend, maxMs) });
  try {
    await repairEach(part, due, repairOf);
  } finally {
    run.takeBack(part);
  }
}

/** Visits our copies too, to find products that Stripe has deleted. */
async function visitProducts(backend: Backend, run: Run): Promise<void> {
  const { db } = backend;
  const stripe = await backend.stripe();
  const repairProduct = ({ id }: { id: string }) => syncProduct(backend, id);
  await visitList(run, 'products', {
    readPage: (after) => stripe.products.list(pageAfter(after)),
    findRepairs: async (products) => sameRepairFor(await findProductDrift(db, products), repairProduct),
  });
  await visitList(run, 'copiedProducts', {
    readPage: (after) => readStoredProducts(db, after, PAGE_SIZE),
    findRepairs: async (products) =>
      sameRepairFor(await findDeletedProducts(stripe, products), repairProduct),
  });
}

/** Stripe cannot list prices by ids. Therefore a run compares our copies only if it has read all prices at Stripe. */
async function visitPrices(backend: Backend, run: Run): Promise<void> {
  const { db } = backend;
  const stripe = await backend.stripe();
  const seen = new Set<string>();
  // If this run has read `prices` from the first page, `seen` has all prices when `copiedPrices` begins.
  let hasReadFromStart = false;
  await visitList(run, 'prices', {
    readPage: async (after) => {
      const page = await stripe.prices.list(pageAfter(after));
      if (after === undefined) seen.clear();
      hasReadFromStart ||= after === undefined;
      for (const { id } of page.data) seen.add(id);
      return page;
    },
    findRepairs: async (prices) =>
      sameRepairFor(await findPriceDrift(db, prices), (price) => syncPrice(backend, price)),
  });
  await visitList(run, 'copiedPrices', {
    readPage: async (after) =>
      hasReadFromStart ? readStoredPrices(db, after, PAGE_SIZE) : { data: [], has_more: false },
    findRepairs: (prices) => {
      const deleted = prices.filter(({ price }) => !seen.has(price.id));
      return Promise.resolve(sameRepairFor(deleted, ({ price }) => syncPrice(backend, price)));
    },
  });
}

/** Visits the newest subscriptions. In most projects these are all subscriptions. Tasks visit the rest. */
async function visitNewestSubscriptions(backend: Backend, run: Run): Promise<void> {
  if (!run.isAt('subscriptions')) return;
  run.position = { list: 'subscriptions' };
  const rest = await visitSubscriptions(
    backend,
    { from: FIRST_CREATED },
    run.splitOff({ maxCalls: CALLS_FOR_SUBSCRIPTIONS }),
  );
  if (rest !== undefined) await startRound(backend, rest);
  run.position = {};
}

/** Visits a list from its own position, with at most `maxCalls` of the calls that the run has left. */
async function visitSeparately(
  backend: Backend,
  run: Run,
  list: SeparateList,
  maxCalls: number,
  visit: (backend: Backend, part: Run) => Promise<void>,
): Promise<void> {
  const part = run.splitOff({ maxCalls });
  part.position = await readPosition(backend, list, [list]);
  try {
    await visit(backend, part);
  } finally {
    await backend.db.sweeps.set(list, part.position);
    run.takeBack(part);
  }
}
