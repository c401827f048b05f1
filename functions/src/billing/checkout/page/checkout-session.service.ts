import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { StoredCheckout } from '../../../firestore/documents/customer.ts';
import { refusal } from '../../../refusals/refusals.ts';
import {
  createCheckoutSession,
  expireCheckoutSession,
  findCheckoutSession,
} from '../../stripe/checkout-sessions.ts';
import { checkoutRefusal, isKeyReused, needsNewKeyAfter } from '../../stripe/stripe-errors.ts';
import { removeStoredCheckout, saveSessionId } from '../stored/stored-checkout.store.ts';
import type { PreparedCheckout } from './checkout-shapes.ts';
import { sessionParams } from './session-params.ts';

/**
 * Retrieves the session of a stored checkout, or creates it if the checkout has none yet:
 *
 * | result | reason | `openCheckoutPage` then |
 * | --- | --- | --- |
 * | open session | retrieved, or created and its id stored | opens its page |
 * | session that is over | it was paid or has expired | checks whether the plan was bought; otherwise tries again |
 * | `unusable` | Stripe does not know the stored session | tries again with a new checkout |
 * | `unusable` | the settings have changed, and Stripe refuses the stored idempotency key | the same |
 *
 * Throws if another checkout was stored meanwhile, or the customer was closed. The new session has then been expired.
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
