import type { Backend } from '../../../backend.ts';
import { DamagedDocument, damageAsValue } from '../../../firestore/damage.ts';
import type { Db, Tx } from '../../../firestore/db.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import type { Purge } from '../../../personal-data/purge.ts';
import { freePlan } from '../../../settings/plans.ts';
import { isClosed } from '../../customer-rules.ts';
import { planSlugEvenIfRemoved } from '../../subscriptions/stored-holding.ts';
import { recordIfPlanChanged } from '../../subscriptions/sync/plan-change.store.ts';
import { closeAndCancelAtStripe, cancelAndSyncSubscriptions } from './cancel.service.ts';

/**
 * Deletes the customer with everything below it, and its credits. The Stripe customer stays, because the law requires
 * invoices to be kept.
 *
 * The transaction does not delete the customer in two cases:
 *
 * - A webhook has written documents meanwhile. The next call purges them.
 * - A request has created the customer after the deletion began. Somebody could still pay on a checkout page. Therefore
 *   `cancelAndSyncSubscriptions` closes the customer and expires the page. The next call deletes the customer.
 */
export const purgeBilling: Purge = async (backend, customerId, limit) => {
  const { db } = backend;
  const purged = [
    db.checkoutSessions(customerId),
    db.payments(customerId),
    db.purchases(customerId),
    db.creditEntries(customerId),
  ];
  for (const collection of purged) if ((await db.purge(collection, limit)) === limit) return limit;
  if ((await purgeSubscriptions(db, customerId, limit)) === limit) return limit;
  const outcome = await db.run(async (tx) => {
    const writtenByWebhooks = [
      tx.subscriptions(customerId),
      tx.payments(customerId),
      tx.purchases(customerId),
      tx.creditEntries(customerId),
    ];
    const areEmpty = await Promise.all(writtenByWebhooks.map((collection) => collection.isEmpty()));
    if (areEmpty.includes(false)) return 'written_meanwhile';
    const customer = await damageAsValue(tx.customers.get(customerId));
    if (needsClosing(customer, backend.now())) return 'begun_meanwhile';
    recordEndOfPlan(backend, tx, customerId, customer);
    tx.customers.delete(customerId);
    tx.credits.delete(customerId);
    return 'removed';
  });
  if (outcome === 'begun_meanwhile') await cancelAndSyncSubscriptions(backend, customerId);
  // The answer `limit` leads to another call, which purges the rest.
  return outcome === 'removed' ? 0 : limit;
};

function needsClosing(customer: CustomerDocument | DamagedDocument | undefined, now: Date): boolean {
  if (customer === undefined || customer instanceof DamagedDocument) return false;
  return customer.stripeId !== undefined && !isClosed(customer, now);
}

/** Also purges the invoices that the Stripe extension wrote below our copies. */
async function purgeSubscriptions(db: Db, customerId: string, limit: number): Promise<number> {
  const copies = db.subscriptions(customerId);
  const found = await copies.limit(limit).findPaths();
  for (const { id } of found) {
    const invoices = db.extensionInvoices(`${customerId}/${id}`);
    if ((await db.purge(invoices, limit)) === limit) return limit;
  }
  return found.length === 0 ? 0 : db.purge(copies, limit);
}

function recordEndOfPlan(
  { config: { plans }, now }: Backend,
  tx: Tx,
  customerId: string,
  customer: CustomerDocument | DamagedDocument | undefined,
): void {
  if (customer === undefined || customer instanceof DamagedDocument) return;
  const [from, to] = [planSlugEvenIfRemoved(plans, customer), freePlan(plans).slug];
  recordIfPlanChanged(tx, { customerId, type: customer.type, from, to, at: now() });
}

/**
 * Cancels the subscriptions of the team as `closeAndCancelAtStripe` does, then purges its billing. A team that never
 * was a customer has no billing, except for credits that the app gave it.
 */
export const purgeTeamBilling: Purge = async (backend, teamId, limit) => {
  const cancelled = await closeAndCancelAtStripe(backend, teamId);
  const hasBilling = cancelled !== undefined || (await backend.db.credits.exists(teamId));
  return hasBilling ? purgeBilling(backend, teamId, limit) : 0;
};
