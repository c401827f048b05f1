import type { Backend } from '../../backend.ts';
import { createStripeCustomer, findStripeCustomer } from '../stripe/stripe-customer.ts';
import { reserveCustomer, saveStripeCustomer } from './customer.store.ts';
import { detachStripeCustomer } from './customer-deleted.service.ts';
import type { Subject } from './subject.ts';

/**
 * Stripe keeps idempotency keys for at least 24 hours. One hour is subtracted for clocks that differ.
 * https://docs.stripe.com/api/idempotent_requests
 */
const KEY_LIFE_MS = 23 * 3_600_000;

/**
 * The id of the Stripe customer of a user or team. Creates the customer on first use, and only once.
 *
 * The customer belongs to the uid or team id alone. A Stripe customer with the same e-mail address is not used: it may be
 * another person's.
 */
export async function ensureStripeCustomer(backend: Backend, subject: Subject): Promise<string> {
  const { db } = backend;
  const now = backend.now();
  const customer = await reserveCustomer(db, subject, now);
  if (customer.stripeId !== undefined) return customer.stripeId;
  const stripe = await backend.stripe();
  const isKeyExpired = now.getTime() - customer.reservedAt.getTime() > KEY_LIFE_MS;
  // A process may have died after it created the customer and before it stored the id.
  const orphan = isKeyExpired ? await findStripeCustomer(stripe, subject) : undefined;
  const stripeCustomer = orphan ?? (await createStripeCustomer(stripe, subject, customer));
  await saveStripeCustomer(db, subject.customerId, stripeCustomer);
  return stripeCustomer.id;
}

/**
 * Creates a new Stripe customer in place of one that was deleted in Stripe's dashboard.
 *
 * @param missingId id of the deleted Stripe customer
 * @returns the id of the new one
 */
export async function replaceStripeCustomer(
  backend: Backend,
  subject: Subject,
  missingId: string,
): Promise<string> {
  await detachStripeCustomer(backend, subject.customerId, missingId);
  return ensureStripeCustomer(backend, subject);
}
