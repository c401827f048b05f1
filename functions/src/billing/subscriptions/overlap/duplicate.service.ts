import type { Backend } from '../../../backend.ts';
import { logWarning } from '../../../common/log.ts';
import { SYSTEM } from '../../../firestore/documents/audit-entry.ts';
import { REMOVED } from '../../../firestore/writes.ts';
import { recordForTeamIn } from '../../audit.store.ts';
import { listInvoices, refundAndCancel } from '../../stripe/cancel-subscription.ts';
import { isPaidByPaymentIntents } from '../../stripe/invoice.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { isRunning } from '../status.ts';
import type { SyncedCustomer } from '../sync/sync-shapes.ts';
import { syncSubscription } from '../sync/sync.service.ts';
import { findDuplicates, type Duplicate } from './overlap.ts';

/**
 * Refunds and ends duplicates: see `findDuplicates`. A call marks one new duplicate at most, and continues with those
 * that were marked before. docs/billing.md has the reasons. Idempotent.
 *
 * A call after a crash completes the work:
 *
 * 1. The duplicate is marked first: its id is stored in `markedDuplicates` of the customer. It is ended even if the
 *    older subscription ends meanwhile.
 * 2. The refunds follow. If Stripe rejects a refund, an error is logged, and the next steps follow nevertheless: a
 *    duplicate that is not cancelled would be charged again with its next period.
 * 3. The duplicate is cancelled.
 * 4. The mark is removed. Before this step, each later call continues the work.
 *
 * @returns the customer after the duplicates were ended
 */
export async function endDuplicates(backend: Backend, synced: SyncedCustomer): Promise<SyncedCustomer> {
  const marked = await markNewDuplicate(backend, synced);
  let customer = synced;
  const ids = new Set([...synced.markedDuplicates, ...(marked === undefined ? [] : [marked])]);
  for (const id of ids) {
    customer = (await endDuplicate(backend, synced.customerId, id)) ?? customer;
  }
  return customer;
}

/**
 * Finds a new duplicate, and marks it. Syncs the older and the newer subscription first, because our copies may be
 * behind.
 *
 * @returns the id of the duplicate, if there is one
 */
async function markNewDuplicate(backend: Backend, synced: SyncedCustomer): Promise<string | undefined> {
  const { customerId } = synced;
  for (const { id, keptId } of findNewDuplicates(backend, synced)) {
    if (!(await wasBoughtByCheckout(backend, id)) || !(await isRefundable(backend, id))) continue;
    await syncSubscription(backend, customerId, keptId);
    const fresh = await syncSubscription(backend, customerId, id);
    const duplicate = fresh && findNewDuplicates(backend, fresh.customer).find((other) => other.id === id);
    if (duplicate && (await markDuplicate(backend, customerId, duplicate))) return id;
  }
  return undefined;
}

function findNewDuplicates(
  { config, now }: Backend,
  { runningCopies, markedDuplicates }: SyncedCustomer,
): Duplicate[] {
  const unmarked = runningCopies.filter(({ id }) => !markedDuplicates.includes(id));
  return findDuplicates(unmarked, config.plans, now());
}

/** False for a subscription that a person made in the dashboard: the customer may have agreed to pay twice. */
async function wasBoughtByCheckout({ stripe }: Backend, subscription: string): Promise<boolean> {
  const { checkout } = await stripe();
  const { data } = await withStripeRefusals(() => checkout.sessions.list({ subscription, limit: 1 }));
  return data.length > 0;
}

/**
 * True if refunding the payments gives all money back. A part that was paid from the customer's balance at Stripe or by
 * bank transfer cannot be refunded.
 */
async function isRefundable(backend: Backend, id: string): Promise<boolean> {
  const invoices = await listInvoices(await backend.stripe(), id);
  return invoices.every((invoice) => {
    const { status, total, amount_paid: amountPaid } = invoice;
    return (
      status === 'void' || (status === 'paid' && amountPaid === total && isPaidByPaymentIntents(invoice))
    );
  });
}

/** @returns false if the subscription is no longer a duplicate to end. In this case nothing is stored. */
async function markDuplicate(
  { db, now }: Backend,
  customerId: string,
  { id, keptId }: Duplicate,
): Promise<boolean> {
  return db.run(async (tx) => {
    const [customer, copies] = await Promise.all([
      tx.customers.get(customerId),
      tx.subscriptions(customerId).getAllIntact([keptId, id]),
    ]);
    if (customer === undefined) return false;
    const { type, markedDuplicates = [] } = customer;
    // Two subscriptions to one plan that began in the same second are duplicates of each other. Only one may end.
    const isOtherMarked = markedDuplicates.includes(keptId);
    if (isOtherMarked) return false;
    if (markedDuplicates.includes(id)) return true;
    // A concurrent call may have ended one of the two subscriptions and removed its mark.
    const areBothRunning = [...copies.values()].filter(isRunning).length === 2;
    if (!areBothRunning) return false;
    tx.customers.update(customerId, { markedDuplicates: [...markedDuplicates, id] });
    const details = { subscription: id, kept: keptId };
    const subject = { type, customerId, actor: { uid: SYSTEM } };
    recordForTeamIn(tx, subject, { action: 'billing.duplicate_ended', at: now(), details });
    return true;
  });
}

async function endDuplicate(
  backend: Backend,
  customerId: string,
  id: string,
): Promise<SyncedCustomer | undefined> {
  await refundAndCancel(await backend.stripe(), { customerId, subscriptionId: id });
  const result = await syncSubscription(backend, customerId, id);
  await unmarkDuplicate(backend, customerId, id);
  logWarning(`The duplicate subscription ${id} was ended`, `The customer is ${customerId}.`);
  return result?.customer;
}

async function unmarkDuplicate({ db }: Backend, customerId: string, id: string): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.markedDuplicates === undefined) return;
    const left = customer.markedDuplicates.filter((duplicate) => duplicate !== id);
    tx.customers.update(customerId, { markedDuplicates: left.length === 0 ? REMOVED : left });
  });
}
