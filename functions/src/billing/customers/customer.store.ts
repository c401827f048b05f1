import { inChunks } from '../../firestore/chunks.ts';
import { DamagedDocument } from '../../firestore/damage.ts';
import type { Db, Reads } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { REMOVED } from '../../firestore/writes.ts';
import { refusal } from '../../refusals/refusals.ts';
import { isClosed, initialCustomer, nextCreationKey, stripeFields } from '../customer-rules.ts';
import { idOf, type StripeReference } from '../stripe/stripe-ids.ts';
import { recordSynced, type EventIdAndType } from '../synced-events.store.ts';

export interface FoundCustomer {
  /** A uid or the id of a team. */
  id: string;
  customer: CustomerDocument;
}

/**
 * @param stripeCustomer the `customer` of an object of Stripe
 * @returns undefined if the Stripe customer is not one of ours
 * @throws DamagedDocument
 */
export async function findByStripeCustomer(
  reads: Reads,
  stripeCustomer: StripeReference | null,
): Promise<FoundCustomer | undefined> {
  if (stripeCustomer === null) return undefined;
  const stripeCustomerId = idOf(stripeCustomer);
  const [found] = await reads.customers.where('stripeId', '==', stripeCustomerId).limit(1).findWithDamaged();
  if (found === undefined) return undefined;
  if (found.data === undefined)
    throw new DamagedDocument(found.path, 'it does not match its schema, and belongs to a Stripe customer');
  return { id: found.id, customer: found.data };
}

/** The customers by the ids of their Stripe customers, without damaged documents. */
export async function findCustomers(
  reads: Reads,
  stripeCustomerIds: readonly string[],
): Promise<ReadonlyMap<string, FoundCustomer>> {
  const found = new Map<string, FoundCustomer>();
  for (const chunk of inChunks([...new Set(stripeCustomerIds)])) {
    for (const { id, data } of await reads.customers.where('stripeId', 'in', chunk).findIntact()) {
      if (data.stripeId !== undefined) found.set(data.stripeId, { id, customer: data });
    }
  }
  return found;
}

/**
 * Stores the id of a new Stripe customer. An id that was stored in the meantime stays, because its Stripe customer may
 * have paid.
 *
 * @returns the id that is linked now, perhaps by another request
 * @throws Refusal `customer_closed` if the user or team was deleted
 */
export async function linkOrGetLinkedId(
  db: Db,
  customerId: string,
  stripeCustomer: { id: string; livemode: boolean },
): Promise<string> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined) throw refusal('customer_closed');
    if (customer.stripeId !== undefined) return customer.stripeId;
    tx.customers.update(customerId, stripeFields(stripeCustomer));
    return stripeCustomer.id;
  });
}

/** Does nothing if a Stripe customer is linked by now, or if another request has replaced the key. */
export async function replaceCreationKey(db: Db, customerId: string, key: string): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.creationKey !== key || customer.stripeId !== undefined) return;
    tx.customers.update(customerId, nextCreationKey());
  });
}

/**
 * Removes the id of a deleted Stripe customer, so that the next checkout creates a new Stripe customer.
 *
 * @param options.event the event that reported the deletion, if there is one
 */
export async function unlinkStripeCustomer(
  db: Db,
  customerId: string,
  stripeCustomerId: string,
  { now, event }: { now: Date; event?: EventIdAndType | undefined },
): Promise<void> {
  await db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer?.stripeId !== stripeCustomerId) return;
    tx.customers.update(customerId, {
      stripeId: REMOVED,
      stripeLink: REMOVED,
      metadataMissing: REMOVED,
      checkout: REMOVED,
      openPurchase: REMOVED,
      // These fields have another idempotency key. With the present key, Stripe would answer with the deleted Stripe
      // customer.
      ...initialCustomer(customer, now),
    });
    recordSynced(tx, event, now);
  });
}

/**
 * Closes a customer whose user or team is being deleted: for an hour nothing can be bought.
 *
 * @returns the customer; undefined if there is none
 * @throws DamagedDocument
 */
export async function closeCustomer(
  db: Db,
  customerId: string,
  now: Date,
): Promise<CustomerDocument | undefined> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined) return undefined;
    if (!isClosed(customer, now)) tx.customers.update(customerId, { closedAt: now });
    return customer;
  });
}

/** Replaces a document that may be damaged. Does nothing if the document was deleted in the meantime. */
export async function replaceCustomer(db: Db, customerId: string, customer: CustomerDocument): Promise<void> {
  await db.run(async (tx) => {
    if (await tx.customers.exists(customerId)) tx.customers.set(customerId, customer);
  });
}
