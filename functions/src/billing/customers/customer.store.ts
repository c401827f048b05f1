import { randomUUID } from 'node:crypto';
import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Timestamp,
  Transaction,
} from 'firebase-admin/firestore';
import { collectionOf, inChunks } from '../../firestore/documents.ts';
import { transact } from '../../firestore/transaction.ts';
import type { Checkout } from '../checkout/checkout.store.ts';
import { recordEvent, type EventHead } from '../webhook/event-ledger.store.ts';
import type { Subject } from './subject.ts';

/**
 * `customers/{customerId}` of a user (by uid) or a team (by its id), in the shape of the Stripe extension for Firebase,
 * plus what keeps calls from doubling.
 */
export interface CustomerDocument {
  type: Subject['type'];
  email: string | null;
  name: string | null;
  /** The Stripe customer, once there is one. */
  stripeId?: string;
  stripeLink?: string;
  /** Idempotency key of the customer's creation: whoever asks first chooses it, everyone after uses the same. */
  creationKey: string;
  /** When that key was chosen. */
  reservedAt: Timestamp;
  /** The checkout that was last begun. */
  checkout?: Checkout;
  /** Slug of the plan that the subscriptions give; missing until the first one is mirrored. */
  plan?: string;
  /** Held by whoever tells Stripe the number of seats. */
  seatSync?: { key: string; until: Timestamp };
  /** When the user or team was last about to be deleted: nothing can be bought for a while. */
  closedAt?: Timestamp;
}

/** Whose a Stripe customer is, of whom we have no document (any more). */
export interface LostCustomer extends Pick<CustomerDocument, 'type' | 'email' | 'name' | 'plan'> {
  stripeCustomer: { id: string; livemode: boolean };
}

export function customersRef(firestore: Firestore): CollectionReference<CustomerDocument> {
  return collectionOf<CustomerDocument>(firestore, 'customers');
}

export function customerRef(firestore: Firestore, customerId: string): DocumentReference<CustomerDocument> {
  return customersRef(firestore).doc(customerId);
}

interface FoundCustomer {
  id: string;
  customer: CustomerDocument;
}

/** The user or team whose Stripe customer this is, if it is one of ours. */
export async function findCustomer(
  firestore: Firestore,
  stripeId: string,
): Promise<FoundCustomer | undefined> {
  return (await findCustomers(firestore, [stripeId])).get(stripeId);
}

/** Those of some Stripe customers that are ours, by their ids at Stripe. */
export async function findCustomers(
  firestore: Firestore,
  stripeIds: readonly string[],
): Promise<ReadonlyMap<string, FoundCustomer>> {
  const customers = customersRef(firestore);
  const found = new Map<string, FoundCustomer>();
  for (const some of inChunks([...new Set(stripeIds)])) {
    for (const document of (await customers.where('stripeId', 'in', some).get()).docs) {
      const customer = document.data();
      if (customer.stripeId !== undefined) found.set(customer.stripeId, { id: document.id, customer });
    }
  }
  return found;
}

/**
 * Reads a customer's document, or writes its intent: with which values and which idempotency key the Stripe customer
 * will be made. Every request then sends Stripe the very same call, however many there are and whichever dies.
 */
export async function reserveCustomer(
  firestore: Firestore,
  { customerId, type, email, name }: Subject,
  now: Date,
): Promise<Omit<CustomerDocument, 'reservedAt'> & { reservedAt: Date }> {
  const ref = customerRef(firestore, customerId);
  return transact(firestore, async (transaction) => {
    const existing = (await transaction.get(ref)).data();
    if (existing !== undefined) return { ...existing, reservedAt: existing.reservedAt.toDate() };
    const document = newDocument({ type, email, name }, now);
    transaction.create(firestore.doc(ref.path), document);
    return document;
  });
}

/** Writes the document of a customer anew whom Stripe has and we have not. */
export function restoreCustomer(
  transaction: Transaction,
  firestore: Firestore,
  customerId: string,
  { stripeCustomer, ...who }: LostCustomer,
  now: Date,
): void {
  const ref = firestore.doc(customerRef(firestore, customerId).path);
  transaction.create(ref, { ...newDocument(who, now), ...stripeFields(stripeCustomer) });
}

function newDocument({ type, email, name }: Pick<CustomerDocument, 'type' | 'email' | 'name'>, now: Date) {
  return { type, email, name, creationKey: randomUUID(), reservedAt: now };
}

export async function saveStripeId(
  firestore: Firestore,
  customerId: string,
  customer: { id: string; livemode: boolean },
): Promise<void> {
  await customerRef(firestore, customerId).update(stripeFields(customer));
}

function stripeFields({ id, livemode }: { id: string; livemode: boolean }) {
  return {
    stripeId: id,
    stripeLink: `https://dashboard.stripe.com${livemode ? '' : '/test'}/customers/${id}`,
  };
}

/**
 * Lets the next checkout make a new Stripe customer, where the one that is gone is still noted.
 *
 * @param event that told of it, if one did
 */
export async function forgetStripeId(
  firestore: Firestore,
  customerId: string,
  stripeId: string,
  now: Date,
  event?: EventHead,
): Promise<void> {
  const { FieldValue } = await import('firebase-admin/firestore');
  const ref = firestore.doc(customerRef(firestore, customerId).path);
  await transact(firestore, async (transaction) => {
    if ((await transaction.get(ref)).get('stripeId') !== stripeId) return;
    const nothing = FieldValue.delete();
    transaction.update(ref, {
      stripeId: nothing,
      stripeLink: nothing,
      checkout: nothing,
      creationKey: randomUUID(),
      reservedAt: now,
    });
    recordEvent(transaction, firestore, event, now);
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
  firestore: Firestore,
  customerId: string,
  now: Date,
): Promise<CustomerDocument | undefined> {
  const ref = customerRef(firestore, customerId);
  return transact(firestore, async (transaction) => {
    const customer = (await transaction.get(ref)).data();
    if (customer === undefined) return undefined;
    if (!isClosed(customer, now)) transaction.update(ref, { closedAt: now });
    return customer;
  });
}

/** For a while after it was closed: a deletion that failed, and that nobody asks for again, must not end all buying. */
export function isClosed({ closedAt }: CustomerDocument, now: Date): boolean {
  return closedAt !== undefined && now.getTime() - closedAt.toMillis() < CLOSED_MS;
}
