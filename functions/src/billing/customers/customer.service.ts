import type { Firestore } from 'firebase-admin/firestore';
import type Stripe from 'stripe';
import type { Db } from '../../firestore/db.ts';
import type { CustomerDocument } from '../../firestore/documents/customer.ts';
import type { Backend } from '../../backend.ts';
import { forgetCustomer } from './customer-deleted.service.ts';
import { reserveCustomer, saveStripeId } from './customer.store.ts';
import { isEmailRefused, isMissing } from '../stripe/stripe-errors.ts';
import { markOf, type Subject } from './subject.ts';

/** Stripe forgets idempotency keys after a day at the earliest; an hour is left for clocks that differ.
 * https://docs.stripe.com/api/idempotent_requests */
const KEY_LIFE_MS = 23 * 3_600_000;

interface Customer {
  firestore: Firestore;
  stripe: Stripe;
  /** Its id at Stripe. */
  customer: string;
}

/**
 * Works with the Stripe customer of a subject. One that was deleted in Stripe's dashboard, of which we have not heard, is
 * forgotten, and the work is done with a new one.
 */
export async function withCustomer<Result>(
  backend: Backend,
  subject: Subject,
  work: (customer: Customer) => Promise<Result>,
): Promise<Result> {
  const [firestore, stripe] = await Promise.all([backend.firestore(), backend.stripe()]);
  const begin = async (): Promise<Customer> => {
    const customer = await ensureCustomer(backend.db, stripe, subject, backend.now());
    return { firestore, stripe, customer };
  };
  const found = await begin();
  try {
    return await work(found);
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    await forgetCustomer(backend, subject.customerId, found.customer);
    return work(await begin());
  }
}

/**
 * The Stripe customer of a user or team, made on first need and never twice.
 *
 * It is bound to the uid or team id alone: an e-mail address that somebody typed in is no reason to share another's
 * customer.
 */
async function ensureCustomer(db: Db, stripe: Stripe, subject: Subject, now: Date): Promise<string> {
  const reserved = await reserveCustomer(db, subject, now);
  if (reserved.stripeId !== undefined) return reserved.stripeId;
  const keyIsForgotten = now.getTime() - reserved.reservedAt.getTime() > KEY_LIFE_MS;
  const customer =
    (keyIsForgotten ? await findOrphan(stripe, subject) : undefined) ??
    (await createCustomer(stripe, subject, reserved));
  await saveStripeId(db, subject.customerId, customer);
  return customer.id;
}

type Reserved = Pick<CustomerDocument, 'email' | 'name' | 'creationKey'>;

/**
 * Without the address where Stripe refuses it: the checkout then asks for one. That is another call, under another key,
 * since Stripe answers a key as it did before.
 */
async function createCustomer(
  stripe: Stripe,
  subject: Subject,
  reserved: Reserved,
): Promise<Stripe.Customer> {
  const { creationKey } = reserved;
  try {
    return await createOnce(stripe, subject, reserved, `customer-${creationKey}`);
  } catch (error) {
    if (!isEmailRefused(error)) throw error;
    return createOnce(stripe, subject, { ...reserved, email: null }, `customer-${creationKey}-no-email`);
  }
}

function createOnce(
  stripe: Stripe,
  subject: Subject,
  { email, name }: Pick<Reserved, 'email' | 'name'>,
  idempotencyKey: string,
): Promise<Stripe.Customer> {
  return stripe.customers.create(
    {
      metadata: { [markOf(subject)]: subject.customerId },
      ...(email !== null && { email }),
      ...(name !== null && { name }),
    },
    { idempotencyKey },
  );
}

/** A customer that was made while the process died before it could note so. Search lags by a minute, not by a day. */
async function findOrphan(stripe: Stripe, subject: Subject): Promise<Stripe.Customer | undefined> {
  const quoted = subject.customerId.replace(/[\\']/g, '\\$&');
  const query = `metadata['${markOf(subject)}']:'${quoted}'`;
  return (await stripe.customers.search({ query, limit: 1 })).data[0];
}
