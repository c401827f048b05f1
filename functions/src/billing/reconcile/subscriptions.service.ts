import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { SubscriptionRange } from '../../task-queues.ts';
import { syncContact } from '../customers/contacts/contact.service.ts';
import { syncAndResolveOverlaps } from '../subscriptions/overlap/overlap.service.ts';
import { WITH_LATEST_INVOICE } from '../subscriptions/subscription-document.ts';
import { findSubscriptionDrift, type DriftedCustomer } from './subscription-drift.ts';
import { pageAfter, visitList, type Repair, type Run } from './visit.ts';
import { adoptOrReport, findUnattributed } from './without-customer.service.ts';

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

/** A repair retrieves the subscription only if our copy differs or the customer is lost: see `documentFromList`. */
function repairOf(backend: Backend, listed: Stripe.Subscription, found: DriftedCustomer): Repair {
  const { customerId, lostCustomer, hasWrongCopy, hasWrongContact, mayHaveWrongPlannedSeats } = found;
  const retrieves = lostCustomer !== undefined || hasWrongCopy;
  return {
    work: async () => {
      await syncAndResolveOverlaps(backend, customerId, listed.id, { lostCustomer, listed });
      if (hasWrongContact) await syncContact(backend, customerId);
    },
    calls: [retrieves, hasWrongContact, mayHaveWrongPlannedSeats].filter((makesCall) => makesCall).length,
  };
}
