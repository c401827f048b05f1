import { randomUUID } from 'node:crypto';
import type { DocumentReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import { collectionOf } from '../documents.ts';
import { conflict } from '../http/errors.ts';
import { transact } from '../transaction.ts';

/** `customers/{uid}`, in the shape of the Stripe extension for Firebase, plus what keeps calls from doubling. */
export interface CustomerDocument {
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
  /** When the user or team was about to be deleted: nothing can be bought from then on. */
  closedAt?: Timestamp;
}

export interface Checkout {
  priceId: string;
  /** Idempotency key of the session's creation. */
  key: string;
  sessionId?: string;
}

export function customerRef(firestore: Firestore, uid: string): DocumentReference<CustomerDocument> {
  return collectionOf<CustomerDocument>(firestore, 'customers').doc(uid);
}

/**
 * Reads a customer's document, or writes its intent: with which values and which idempotency key the Stripe customer
 * will be made. Every request then sends Stripe the very same call, however many there are and whichever dies.
 */
export async function reserveCustomer(
  firestore: Firestore,
  uid: string,
  intent: Pick<CustomerDocument, 'email' | 'name'>,
  now: Date,
): Promise<Omit<CustomerDocument, 'reservedAt'> & { reservedAt: Date }> {
  const ref = customerRef(firestore, uid);
  return transact(firestore, async (transaction) => {
    const existing = (await transaction.get(ref)).data();
    if (existing !== undefined) return { ...existing, reservedAt: existing.reservedAt.toDate() };
    const document = { ...intent, creationKey: randomUUID(), reservedAt: now };
    transaction.create(firestore.doc(ref.path), document);
    return document;
  });
}

export async function saveStripeId(
  firestore: Firestore,
  uid: string,
  customer: { id: string; livemode: boolean },
): Promise<void> {
  await customerRef(firestore, uid).update({
    stripeId: customer.id,
    stripeLink: `https://dashboard.stripe.com${customer.livemode ? '' : '/test'}/customers/${customer.id}`,
  });
}

/**
 * The checkout to continue for a price, or a new one.
 *
 * @param spent key of a checkout that turned out to be over
 * @returns it, and the one that it replaces, if that was for another price
 * @throws HttpError 409 for a customer that is closed
 */
export async function reserveCheckout(
  firestore: Firestore,
  uid: string,
  priceId: string,
  spent: string | undefined,
): Promise<{ checkout: Checkout; replaced: Checkout | undefined }> {
  const ref = customerRef(firestore, uid);
  return transact(firestore, async (transaction) => {
    const customer = (await transaction.get(ref)).data();
    if (customer === undefined || isClosed(customer)) throw customerClosed();
    const current = customer.checkout;
    if (current?.priceId === priceId && current.key !== spent)
      return { checkout: current, replaced: undefined };
    const checkout = { priceId, key: randomUUID() };
    transaction.update(ref, { checkout });
    return { checkout, replaced: current?.key === spent ? undefined : current };
  });
}

/**
 * Notes the session that a reserved checkout became.
 *
 * @returns false if another checkout has taken its place meanwhile, or the customer is closed
 */
export async function saveSessionId(
  firestore: Firestore,
  uid: string,
  key: string,
  sessionId: string,
): Promise<boolean> {
  const ref = customerRef(firestore, uid);
  return transact(firestore, async (transaction) => {
    const customer = (await transaction.get(ref)).data();
    if (customer === undefined || isClosed(customer)) return false;
    const current = customer.checkout;
    if (current?.key !== key) return false;
    if (current.sessionId !== sessionId) transaction.update(ref, { 'checkout.sessionId': sessionId });
    return true;
  });
}

/**
 * Lets nothing be bought any more.
 *
 * @returns the id of the Stripe customer, if there is one
 */
export async function closeCustomer(
  firestore: Firestore,
  customerId: string,
  now: Date,
): Promise<string | undefined> {
  const ref = customerRef(firestore, customerId);
  return transact(firestore, async (transaction) => {
    const customer = (await transaction.get(ref)).data();
    if (customer === undefined) return undefined;
    if (!isClosed(customer)) transaction.update(ref, { closedAt: now });
    return customer.stripeId;
  });
}

function isClosed(customer: CustomerDocument): boolean {
  return customer.closedAt !== undefined;
}

const customerClosed = () => conflict('This account is being deleted.', 'customer_closed');
