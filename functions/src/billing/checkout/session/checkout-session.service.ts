import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { StoredCheckout } from '../../../firestore/documents/customer.ts';
import { refuse } from '../../../refusals/refusals.ts';
import { isKeyReused, sessionRefusal } from '../../stripe/stripe-errors.ts';
import { saveSessionId } from './checkout.store.ts';
import { expireCheckoutSession } from './expire-session.service.ts';
import type { PreparedCheckout } from './plan-order.ts';
import { sessionParams } from './session-params.ts';

/**
 * Retrieves the session of a stored checkout, or creates it if the checkout has none yet.
 *
 * @returns `params_changed` if an earlier call with the same idempotency key had other parameters, because the settings
 *   have changed since. The checkout must then be replaced. The session of the earlier call was never shown to anybody,
 *   because its id was not stored
 * @throws Refusal `checkout_superseded`, `customer_closed`, `promotion_code_invalid`, `currency_in_use`
 */
export async function ensureCheckoutSession(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'params_changed'> {
  const { db, now } = backend;
  const { customerId } = prepared.subject;
  const { key, sessionId } = checkout;
  const stripe = await backend.stripe();
  if (sessionId !== undefined) return stripe.checkout.sessions.retrieve(sessionId);
  const session = await createAtStripe(backend, prepared, checkout);
  if (session === 'params_changed') return session;
  const outcome = await saveSessionId(db, customerId, { key, sessionId: session.id }, now());
  if (outcome === 'saved') return session;
  await expireCheckoutSession(stripe, session.id);
  throw refuse(outcome);
}

/** @returns `params_changed` if the idempotency key was sent before with other parameters */
async function createAtStripe(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'params_changed'> {
  const stripe = await backend.stripe();
  const params = sessionParams(backend.config, prepared, checkout);
  try {
    return await stripe.checkout.sessions.create(params, { idempotencyKey: `checkout-${checkout.key}` });
  } catch (error) {
    if (isKeyReused(error)) return 'params_changed';
    throw sessionRefusal(error, checkout.currency) ?? error;
  }
}
