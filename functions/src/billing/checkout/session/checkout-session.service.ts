import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { StoredCheckout } from '../../../firestore/documents/customer.ts';
import { refusal } from '../../../refusals/refusals.ts';
import { needsNewKey, isKeyReused, isMissing, sessionRefusal } from '../../stripe/stripe-errors.ts';
import { forgetCheckout, saveSessionId } from './checkout.store.ts';
import { expireCheckoutSession } from './expire-session.service.ts';
import type { PreparedCheckout } from './plan-order.ts';
import { sessionParams } from './session-params.ts';

/**
 * Retrieves the session of a stored checkout, or creates it if the checkout has none yet. The checkout is `unusable` in
 * two cases:
 *
 * - Stripe does not know the stored session.
 * - An earlier call had the same idempotency key and other parameters, because the settings have changed since. Nobody
 *   saw the session of that call, because its id was not stored.
 *
 * @returns `unusable` if the checkout must be replaced
 * @throws Refusal `checkout_superseded`, `customer_closed`, `promotion_code_invalid`, `currency_in_use`
 */
export async function ensureCheckoutSession(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'unusable'> {
  const { db, now } = backend;
  const { customerId } = prepared.subject;
  const { key, sessionId } = checkout;
  const stripe = await backend.stripe();
  if (sessionId !== undefined) return retrieveSession(stripe, sessionId);
  const session = await createAtStripe(backend, prepared, checkout);
  if (session === 'unusable') return session;
  const outcome = await saveSessionId(db, customerId, { key, sessionId: session.id }, now());
  if (outcome === 'saved') return session;
  await expireCheckoutSession(stripe, session.id);
  throw refusal(outcome);
}

async function retrieveSession(
  stripe: Stripe,
  sessionId: string,
): Promise<Stripe.Checkout.Session | 'unusable'> {
  try {
    return await stripe.checkout.sessions.retrieve(sessionId);
  } catch (error) {
    if (isMissing(error)) return 'unusable';
    throw error;
  }
}

async function createAtStripe(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'unusable'> {
  const stripe = await backend.stripe();
  const params = sessionParams(backend.config, prepared, checkout);
  try {
    return await stripe.checkout.sessions.create(params, { idempotencyKey: `checkout-${checkout.key}` });
  } catch (error) {
    if (isKeyReused(error)) return 'unusable';
    // The next request for the same cart then stores a checkout with another key.
    if (needsNewKey(error)) await forgetCheckout(backend.db, prepared.subject.customerId, checkout.key);
    throw sessionRefusal(error, checkout.currency) ?? error;
  }
}
