import { randomUUID } from 'node:crypto';
import { REMOVED } from '../../firestore/collection.ts';
import type { Db, Reads } from '../../firestore/db.ts';
import { inChunks } from '../../firestore/document-id.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import { newCustomer, stripeFields } from '../customer-document.ts';
import { recordProcessed, type EventHead } from '../stripe/processed-events.ts';
import type { Subject } from './subject.ts';

interface FoundCustomer {
  id: string;
  customer: CustomerDocument;
}

/** The user or team that a Stripe customer belongs to. Undefined if it is not one of ours. */
export async function findCustomer(
  reads: Reads,
  stripeCustomerId: string,
): Promise<FoundCustomer | undefined> {
  return (await findCustomers(reads, [stripeCustomerId])).get(stripeCustomerId);
}

/** The users and teams that Stripe customers belong to, by the ids of the Stripe customers. */
export async function findCustomers(
  reads: Reads,
  stripeCustomerIds: readonly string[],
): Promise<ReadonlyMap<string, FoundCustomer>> {
  const found = new Map<string, FoundCustomer>();
  for (const some of inChunks([...new Set(stripeCustomerIds)])) {
    for (const { id, data } of await reads.customers.where('stripeId', 'in', some).find()) {
      if (data.stripeId !== undefined) found.set(data.stripeId, { id, customer: data });
    }
  }
  return found;
}

/**
 * Reads a customer's document, or writes its intent: with which values and which idempotency key the Stripe customer
 * will be made. Every request then sends Stripe the very same call, however many there are and whichever dies.
 */
export async function reserveCustomer(
  db: Db,
  { customerId, type, email, name }: Subject,
  now: Date,
): Promise<CustomerDocument> {
  return db.run(async (tx) => {
    const existing = await tx.customers.get(customerId);
    if (existing !== undefined) return existing;
    const document = newCustomer({ type, email, name }, now);
    tx.customers.create(customerId, document);
    return document;
  });
}

export async function saveStripeId(
  db: Db,
  customerId: string,
  stripeCustomer: { id: string; livemode: boolean },
): Promise<void> {
  await db.customers.update(customerId, stripeFields(stripeCustomer));
}

/**
 * Lets the next checkout make a new Stripe customer, where the one that is gone is still noted.
 *
 * @param event that told of it, if one did
 */
export async function forgetStripeId(
  db: Db,
  customerId: string,
  stripeCustomerId: string,
  { now, event }: { now: Date; event?: EventHead | undefined },
): Promise<void> {
  await db.run(async (tx) => {
    if ((await tx.customers.get(customerId))?.stripeId !== stripeCustomerId) return;
    tx.customers.update(customerId, {
      stripeId: REMOVED,
      stripeLink: REMOVED,
      checkout: REMOVED,
      creationKey: randomUUID(),
      reservedAt: now,
    });
    recordProcessed(tx, event, now);
  });
}

/** Longer than any request or clean-up takes that begins by closing a customer. */
const CLOSED_MS = 3_600_000;

/**
 * Lets nothing be bought any more, for an hour: until then the customer is deleted, or their deletion has failed.
 *
 * @returns the customer, or undefined for who is none
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

/** For a while after it was closed: a deletion that failed, and that nobody asks for again, must not end all buying. */
export function isClosed({ closedAt }: CustomerDocument, now: Date): boolean {
  return closedAt !== undefined && now.getTime() - closedAt.getTime() < CLOSED_MS;
}
