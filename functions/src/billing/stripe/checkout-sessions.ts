import type Stripe from 'stripe';
import { isInvalidRequest, isMissing } from './stripe-errors.ts';
import { isSessionOfLiveMode } from './stripe-ids.ts';

export type SessionStatus = Stripe.Checkout.Session.Status | null;

/** @returns undefined if Stripe does not know the session, for example after a change of the Stripe account */
export async function findCheckoutSession(
  stripe: Stripe,
  sessionId: string,
  params?: Stripe.Checkout.SessionRetrieveParams,
): Promise<Stripe.Checkout.Session | undefined> {
  try {
    return await stripe.checkout.sessions.retrieve(sessionId, params);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Retrieves a session whose id we have stored. Unlike an id from a request, the session existed.
 *
 * @returns undefined if Stripe does not know the session, and it is of test mode
 * @throws the error of Stripe if it does not know a session of live mode. Then the secret key is wrong, and the
 *   customer may have paid
 */
export async function findStoredSession(
  stripe: Stripe,
  sessionId: string,
  params?: Stripe.Checkout.SessionRetrieveParams,
): Promise<Stripe.Checkout.Session | undefined> {
  try {
    return await stripe.checkout.sessions.retrieve(sessionId, params);
  } catch (error) {
    if (isMissing(error) && !isSessionOfLiveMode(sessionId)) return undefined;
    throw error;
  }
}

/**
 * Creates a session. Stripe repeats its first answer to an idempotency key for a day or longer. In a repeated answer
 * the session is still open, although it may have been paid or have expired since. Therefore a second call asks Stripe
 * for the session. https://docs.stripe.com/error-low-level#idempotency
 *
 * @returns the session as Stripe has it now
 */
export async function createCheckoutSession(
  stripe: Stripe,
  params: Stripe.Checkout.SessionCreateParams,
  idempotencyKey: string,
): Promise<Stripe.Checkout.Session> {
  const created = await stripe.checkout.sessions.create(params, { idempotencyKey });
  const isRepeatedAnswer = created.lastResponse.headers['idempotent-replayed'] === 'true';
  return isRepeatedAnswer ? stripe.checkout.sessions.retrieve(created.id) : created;
}

/**
 * Expires a stored session if it is still open. A session of test mode that Stripe does not know counts as expired.
 * Calls Stripe once; twice if the session is open; three times if the customer pays between these two calls.
 *
 * @returns the status afterwards: `complete` if the customer has completed the checkout
 * @throws as `findStoredSession`
 */
export async function expireCheckoutSession(stripe: Stripe, sessionId: string): Promise<SessionStatus> {
  const session = await findStoredSession(stripe, sessionId);
  if (session === undefined) return 'expired';
  return session.status === 'open' ? expireOpenSession(stripe, sessionId) : session.status;
}

/** Expires all open sessions of a Stripe customer. */
export async function expireSessions(stripe: Stripe, stripeCustomerId: string): Promise<void> {
  const open = { customer: stripeCustomerId, status: 'open', limit: 100 } as const;
  for await (const { id } of stripe.checkout.sessions.list(open)) await expireOpenSession(stripe, id);
}

/**
 * Expires a session. Stripe refuses to expire a session that has been completed or has expired in the meantime. Then
 * the function returns the status that Stripe has now.
 *
 * @throws the error of Stripe if the session is still open, because the customer can still pay
 */
async function expireOpenSession(stripe: Stripe, sessionId: string): Promise<SessionStatus> {
  try {
    return (await stripe.checkout.sessions.expire(sessionId)).status;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'open') throw error;
    return status;
  }
}
