import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { Db } from '../../../firestore/db.ts';
import type { StoredCheckout } from '../../../firestore/documents/customer.ts';
import { REMOVED } from '../../../firestore/writes.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { isClosed } from '../../customer-rules.ts';
import {
  createCheckoutSession,
  expireCheckoutSession,
  findCheckoutSession,
} from '../../stripe/checkout-sessions.ts';
import { checkoutRefusal, isKeyReused, needsNewKeyAfter } from '../../stripe/stripe-errors.ts';
import type { PreparedCheckout } from './checkout-shapes.ts';
import { sessionParams } from './session-params.ts';

/**
 * Retrieves the session of a stored checkout, or creates it if the checkout has none yet. The session may be
 * no longer open: the calling function must look at its status.
 *
 * A checkout is `unusable` in two cases:
 *
 * - Stripe does not know the stored session.
 * - Stripe got the stored idempotency key with other parameters, for example because the settings have changed since.
 *
 * @throws Refusal `checkout_superseded`, `customer_closed`, `promotion_code_invalid`, `currency_in_use`
 */
export async function ensureCheckoutSession(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'unusable'> {
  const { db, now } = backend;
  const { customerId } = prepared.subject;
  const { idempotencyKey, sessionId } = checkout;
  const stripe = await backend.stripe();
  if (sessionId !== undefined) return (await findCheckoutSession(stripe, sessionId)) ?? 'unusable';
  const session = await createAtStripe(backend, prepared, checkout);
  // For a repeated key, `createCheckoutSession` retrieves the first session, which may be over by now.
  if (session === 'unusable' || session.status !== 'open') return session;
  const outcome = await saveSessionId(db, customerId, { idempotencyKey, sessionId: session.id }, now());
  if (outcome === 'saved') return session;
  await expireCheckoutSession(stripe, session.id);
  throw refusal(outcome);
}

async function createAtStripe(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'unusable'> {
  const stripe = await backend.stripe();
  const params = sessionParams(backend.config, prepared, checkout);
  try {
    return await createCheckoutSession(stripe, params, `checkout-${checkout.idempotencyKey}`);
  } catch (error) {
    if (isKeyReused(error)) return 'unusable';
    // Stripe would repeat this error for the key. Without a stored checkout, the next request makes a new key.
    if (needsNewKeyAfter(error))
      await removeStoredCheckout(backend.db, prepared.subject.customerId, checkout);
    throw checkoutRefusal(error, checkout.currency) ?? error;
  }
}

/**
 * Stores the id of the session that was created for a checkout. Removes `replacedSessionIds`, because `reserveCheckout`
 * has expired these sessions.
 *
 * @returns `saved`, or the code of a refusal: another checkout has replaced this one, or the customer was closed
 */
async function saveSessionId(
  db: Db,
  customerId: string,
  { idempotencyKey, sessionId }: { idempotencyKey: string; sessionId: string },
  now: Date,
): Promise<'saved' | 'checkout_superseded' | 'customer_closed'> {
  return db.run(async (tx) => {
    const customer = await tx.customers.get(customerId);
    if (customer === undefined || isClosed(customer, now)) return 'customer_closed';
    const { checkout } = customer;
    if (checkout?.idempotencyKey !== idempotencyKey) return 'checkout_superseded';
    if (checkout.sessionId !== sessionId) {
      tx.customers.update(customerId, {
        'checkout.sessionId': sessionId,
        'checkout.replacedSessionIds': REMOVED,
      });
    }
    return 'saved';
  });
}

/**
 * Removes a checkout if the stored one still has the same idempotency key and session. Otherwise a concurrent request
 * has given the customer another page, which can be paid.
 */
export async function removeStoredCheckout(
  db: Db,
  customerId: string,
  { idempotencyKey, sessionId }: Pick<StoredCheckout, 'idempotencyKey' | 'sessionId'>,
): Promise<void> {
  await db.run(async (tx) => {
    const stored = (await tx.customers.get(customerId))?.checkout;
    if (stored?.idempotencyKey !== idempotencyKey || stored.sessionId !== sessionId) return;
    tx.customers.update(customerId, { checkout: REMOVED });
  });
}
