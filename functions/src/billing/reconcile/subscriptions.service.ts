import type Stripe from 'stripe';
import * as z from 'zod';
import type { Backend } from '../../backend.ts';
import { DAY_MS } from '../../common/durations.ts';
import type { SubscriptionDocument } from '../../firestore/documents/subscription.ts';
import { isIntact, type MaybeDamaged } from '../../firestore/query.ts';
import type { SubscriptionRange } from '../../task-queues.ts';
import { syncContact } from '../customers/contacts/contact.service.ts';
import { WITH_LATEST_INVOICE } from '../subscriptions/from-stripe/convert-subscription.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import { reportIfSeatsStayWrong } from '../subscriptions/seats/stuck-seats.service.ts';
import { RUNNING } from '../subscriptions/status.ts';
import { syncSubscription } from '../subscriptions/sync/sync.service.ts';
import { findSubscriptionDrift, type DriftedCustomer } from './subscription-drift.service.ts';
import {
  PAGE_SIZE,
  pageAfter,
  sameRepairFor,
  visitList,
  type Repair,
  type Run,
  type StripeListPage,
} from './visit.ts';
import { adoptOrReport, findUnattributed, linkOrReport } from './without-customer.service.ts';

/**
 * A running subscription whose copy has a period that ended longer ago is asked for at Stripe. Stripe repeats an event
 * for three days.
 */
const OUTDATED_AFTER_MS = 3 * DAY_MS;

/** Calls to Stripe to link a Stripe customer: for its open checkouts, metadata and entitlements. */
const CALLS_FOR_LINK = 3;

/** Stripe has no older subscriptions. In seconds since 1970. */
export const FIRST_CREATED = Date.UTC(2010) / 1_000;

/**
 * Visits the subscriptions of a range, from the newest to the oldest.
 *
 * @returns the part of the range that the run could not visit; undefined if the run has visited the whole range
 */
export async function visitSubscriptions(
  backend: Backend,
  range: SubscriptionRange,
  run: Run,
): Promise<SubscriptionRange | undefined> {
  const stripe = await backend.stripe();
  const { from, to } = range;
  const created = { gte: from, ...(to !== undefined && { lte: to }) };
  const expand = [...WITH_LATEST_INVOICE.expand, 'customer'].map((property) => `data.${property}`);
  let page: Stripe.Subscription[] = [];
  if (range.after !== undefined) run.position = { after: range.after };
  await visitList<Stripe.Subscription>(run, 'subscriptions', {
    readPage: async (after) => {
      const found = await stripe.subscriptions.list({ ...pageAfter(after), status: 'all', expand, created });
      page = found.data;
      return found;
    },
    findRepairs: (subscriptions) => findRepairs(backend, subscriptions),
  });
  const isAtEnd = run.position.list === undefined;
  if (isAtEnd) return undefined;
  const { after } = run.position;
  const visitedTo = page.find(({ id }) => id === after)?.created ?? to;
  return {
    from,
    ...(visitedTo !== undefined && { to: visitedTo }),
    ...(after !== undefined && { after }),
  };
}

async function findRepairs(
  backend: Backend,
  subscriptions: Stripe.Subscription[],
): Promise<Map<Stripe.Subscription, Repair>> {
  const { drift, withoutCustomer } = await findSubscriptionDrift(backend, subscriptions);
  const unattributed = await findUnattributed(backend, withoutCustomer);
  return new Map([
    ...unattributed.map((one) => [one, { work: () => adoptOrReport(backend, one), calls: 1 }] as const),
    ...[...drift].map(([one, customer]) => [one, repairOf(backend, one, customer)] as const),
  ]);
}

/** A repair retrieves the subscription only if our copy differs or the customer is lost: see `makeCopyFromList`. */
function repairOf(backend: Backend, listed: Stripe.Subscription, found: DriftedCustomer): Repair {
  const { customerId, lostCustomer, unlinked, hasWrongCopy, wrongSeats, hasWrongContact } = found;
  const retrieves = lostCustomer !== undefined || hasWrongCopy;
  const calls = [retrieves, hasWrongContact, found.mayHaveWrongPlannedSeats, found.hasNoUser];
  return {
    work: async () => {
      if (unlinked !== undefined && !(await linkOrReport(backend, listed.id, unlinked))) return;
      if (wrongSeats !== undefined) await reportIfSeatsStayWrong(backend, customerId, wrongSeats);
      await syncAndResolveOverlaps(backend, customerId, listed.id, { lostCustomer, listed });
      if (hasWrongContact) await syncContact(backend, customerId);
    },
    calls: calls.filter((isMade) => isMade).length + (unlinked === undefined ? 0 : CALLS_FOR_LINK),
  };
}

/**
 * Syncs the copies of running subscriptions whose period ended days ago. Stripe lists only the subscriptions that it
 * has, so this visit also finds copies of others. Example: a copy was made in test mode, and the secret key is of live
 * mode now. The sync deletes this copy. Skips granted plans, which Stripe does not know.
 *
 * A sync leaves a copy as it is in two cases, so each round visits it again. Hence the visit has a position and a share
 * of the calls of its own.
 *
 * - The subscription is paused, so it has no new period. There may be thousands of them.
 * - Stripe does not know a subscription of live mode. The sync throws: see `retrieveSubscriptionDocument`.
 */
export async function visitOutdatedCopies(backend: Backend, run: Run): Promise<void> {
  await visitList<OutdatedCopy>(run, 'copiedSubscriptions', {
    readPage: (after) => readOutdatedCopies(backend, after),
    findRepairs: (copies) =>
      Promise.resolve(
        sameRepairFor(copies, ({ customerId, subscriptionId }) =>
          syncSubscription(backend, customerId, subscriptionId),
        ),
      ),
  });
}

interface OutdatedCopy {
  /** The path of the document, after the end of its period. A run can continue behind a copy that was deleted. */
  id: string;
  customerId: string;
  subscriptionId: string;
}

/** Reads one document for each copy, a page of them in the order of the ends of their periods. */
async function readOutdatedCopies(
  { db, now }: Backend,
  after: string | undefined,
): Promise<StripeListPage<OutdatedCopy>> {
  const query = db
    .group('subscriptions')
    .where('status', 'in', [...RUNNING])
    .where('current_period_end', '<=', new Date(now().getTime() - OUTDATED_AFTER_MS))
    .orderBy('current_period_end')
    .orderBy('__name__')
    .limit(PAGE_SIZE);
  const cursor = cursorOf(after);
  const page = cursor.length === 0 ? query : query.startAfter(...cursor);
  const found = await page.findWithDamaged();
  const data = found.map((copy) => ({
    id: `${endOfPeriod(copy).toISOString()} ${copy.path}`,
    customerId: copy.parentId,
    subscriptionId: copy.id,
  }));
  return { data, has_more: found.length === PAGE_SIZE };
}

/** Empty for a text that is no id of `OutdatedCopy`: then the round begins again. */
function cursorOf(after = ''): [] | [end: Date, path: string] {
  const [, time = '', path = ''] = /^(\S+) (customers\/[^/]+\/subscriptions\/[^/]+)$/.exec(after) ?? [];
  const end = new Date(time);
  return Number.isNaN(end.getTime()) ? [] : [end, path];
}

/** The query has found the copy by this date, so it is intact in a damaged copy, too. */
function endOfPeriod(copy: MaybeDamaged<SubscriptionDocument>): Date {
  const end = isIntact(copy)
    ? copy.data.current_period_end
    : copy.damage.field('current_period_end', z.date());
  return end ?? new Date(0);
}
