import type Stripe from 'stripe';
import type { Backend } from '../../../backend.ts';
import type { StoredCheckout } from '../../../firestore/documents/checkout.ts';
import { refusal } from '../../../refusals/refusals.ts';
import {
  createCheckoutSession,
  expireCheckoutSession,
  findStoredSession,
  type SessionStatus,
} from '../../stripe/checkout-sessions.ts';
import { checkoutRefusal, wasKeyUsedWithOtherParams, needsNewKeyAfter } from '../../stripe/stripe-errors.ts';
import type { StripePage } from '../../stripe/stripe-page.ts';
import { findDestination } from '../destination/destination.service.ts';
import { removeStoredCheckout, saveSessionId } from '../stored/stored-checkout.store.ts';
import type { PreparedCheckout } from './checkout-shapes.ts';
import { reserveCheckout } from './reserve-checkout.service.ts';
import { sessionParams } from './session-params.ts';

const MAX_SESSION_ATTEMPTS = 5;

/**
 * Opens the page of the customer's one checkout. Only one page can be paid:
 *
 * - Concurrent requests for the same cart and trial days share an idempotency key, and get the same session.
 * - A later request for the same cart and trial days continues this session.
 * - Every other request first expires the session of the replaced checkout.
 *
 * | stored checkout | next step |
 * | --- | --- |
 * | none, or for another cart | `reserveCheckout` stores a new one, and expires the session of the replaced one |
 * | without a session | `ensureCheckoutSession` creates the session and stores its id |
 * | with an open session | its page is opened |
 * | with a session that is over or unusable | `removeStoredCheckout` removes it, and the next attempt begins again |
 *
 * @returns `plan_bought` if the customer has completed a checkout in the meantime
 * @throws Refusal as `reserveCheckout` and `ensureCheckoutSession`; `busy` if five attempts fail
 */
export async function openCheckoutPage(
  backend: Backend,
  prepared: PreparedCheckout,
): Promise<StripePage | 'plan_bought'> {
  for (let attempt = 0; attempt < MAX_SESSION_ATTEMPTS; attempt++) {
    const { checkout, replacedSessionStatuses } = await reserveCheckout(backend, prepared);
    // A page of a replaced checkout may have been paid.
    if (await hasBoughtMeanwhile(backend, prepared, replacedSessionStatuses)) return 'plan_bought';

    const session = await ensureCheckoutSession(backend, prepared, checkout);
    if (session !== 'unusable') {
      if (session.status === 'open' && session.url !== null) return { url: session.url, id: session.id };
      // A concurrent request may have opened this page earlier, and the customer may have paid there.
      if (await hasBoughtMeanwhile(backend, prepared, [session.status])) return 'plan_bought';
    }
    // Removes this checkout, for which nobody can pay. If a concurrent request has changed the checkout, nothing is
    // removed. The next attempt stores a new checkout, or continues the changed one.
    await removeStoredCheckout(backend.db, prepared.subject.customerId, checkout);
  }
  throw refusal('busy');
}

/** True if a session was completed, and the customer has a subscription now that another checkout cannot replace. */
async function hasBoughtMeanwhile(
  backend: Backend,
  { subject, stripeCustomerId }: PreparedCheckout,
  statuses: readonly SessionStatus[],
): Promise<boolean> {
  if (!statuses.includes('complete')) return false;
  const destination = await findDestination(backend, subject.customerId, stripeCustomerId);
  // An invoice or the portal: the customer has a subscription that cannot be replaced.
  return destination.kind !== 'checkout';
}

/**
 * Retrieves the session of a stored checkout, or creates it if the checkout has none yet. The session may be over: it
 * was paid or has expired.
 *
 * @returns `unusable` if Stripe does not know the stored session, or refuses the stored idempotency key because the
 *   settings have changed since
 * @throws Refusal `checkout_superseded` if another checkout was stored meanwhile, `customer_closed` if the customer was
 *   closed meanwhile: in both cases the new session is expired first. `promotion_code_invalid`, `currency_in_use`
 */
async function ensureCheckoutSession(
  backend: Backend,
  prepared: PreparedCheckout,
  checkout: StoredCheckout,
): Promise<Stripe.Checkout.Session | 'unusable'> {
  const { db, now } = backend;
  const { customerId } = prepared.subject;
  const { idempotencyKey, sessionId } = checkout;
  const stripe = await backend.stripe();
  if (sessionId !== undefined) return (await findStoredSession(stripe, sessionId)) ?? 'unusable';
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
    if (wasKeyUsedWithOtherParams(error)) return 'unusable';
    // If Stripe has answered, perhaps with 500, it would repeat this error for the key. Without a stored checkout, the
    // next request makes a new key.
    if (needsNewKeyAfter(error))
      await removeStoredCheckout(backend.db, prepared.subject.customerId, checkout);
    throw checkoutRefusal(error, checkout.currency) ?? error;
  }
}
