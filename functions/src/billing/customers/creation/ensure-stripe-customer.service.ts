import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import { HOUR_MS } from '../../../common/durations.ts';
import type { CustomerDocument } from '../../../firestore/documents/customer.ts';
import { createStripeCustomer, findStripeCustomer } from '../../stripe/create-customer.ts';
import { guardStripe, needsNewKey, isMissing } from '../../stripe/stripe-errors.ts';
import type { Subject } from '../../subject.ts';
import { detachStripeCustomer } from '../customer-deleted.service.ts';
import { replaceCreationKey, saveStripeCustomer } from '../customer.store.ts';
import { getOrCreateCustomer } from './get-or-create-customer.service.ts';

/**
 * Stripe keeps idempotency keys for at least 24 hours. One hour is subtracted for clocks that differ.
 * https://docs.stripe.com/api/idempotent_requests
 */
const KEY_LIFE_MS = 23 * HOUR_MS;

/**
 * Returns the id of the Stripe customer of a user or team. Creates the Stripe customer on first use, and only once.
 *
 * A Stripe customer with the same e-mail address is not used, because it may belong to another person.
 */
export async function ensureStripeCustomer(backend: Backend, subject: Subject): Promise<string> {
  const { db } = backend;
  const now = backend.now();
  const customer = await getOrCreateCustomer(backend, subject);
  if (customer.stripeId !== undefined) return customer.stripeId;
  const stripe = await backend.stripe();
  const isKeyExpired = now.getTime() - customer.creationKeyAt.getTime() > KEY_LIFE_MS;
  // A process may have died after creating the Stripe customer and before storing its id.
  const orphan = isKeyExpired ? await findStripeCustomer(stripe, subject) : undefined;
  const stripeCustomer = orphan ?? (await createWithStoredKey(backend, subject, customer));
  return saveStripeCustomer(db, subject.customerId, stripeCustomer);
}

async function createWithStoredKey(
  backend: Backend,
  subject: Subject,
  customer: CustomerDocument,
): Promise<Stripe.Customer> {
  try {
    return await createStripeCustomer(await backend.stripe(), subject, customer);
  } catch (error) {
    if (needsNewKey(error)) await replaceCreationKey(backend.db, subject.customerId, customer.creationKey);
    throw error;
  }
}

/**
 * Runs calls to Stripe for the Stripe customer of a user or team. If the Stripe customer was deleted in Stripe's
 * dashboard and no event has arrived yet, the calls run once more for a new Stripe customer.
 *
 * @param calls gets the id of the Stripe customer
 * @throws Refusal `customer_closed` or `team_not_found` for a user or team that was deleted meanwhile
 */
export async function withStripeCustomer<Value>(
  backend: Backend,
  subject: Subject,
  calls: (stripeCustomerId: string) => Promise<Value>,
): Promise<Value> {
  return guardStripe(async () => {
    const id = await ensureStripeCustomer(backend, subject);
    try {
      return await calls(id);
    } catch (error) {
      if (!isMissing(error, 'customer')) throw error;
      await detachStripeCustomer(backend, subject.customerId, id);
      return calls(await ensureStripeCustomer(backend, subject));
    }
  });
}
