import type Stripe from 'stripe';
import { isInvalidRequest, isMissing } from '../../stripe/stripe-errors.ts';

export type CheckoutStatus = Stripe.Checkout.Session.Status | null;

/**
 * Expires a session if it is still open. A session that Stripe does not know counts as expired, because nobody can pay
 * it. One call to Stripe; two if the session is open; three if it is paid between them.
 *
 * @returns the status afterwards: `complete` if the customer has paid meanwhile
 */
export async function expireCheckoutSession(stripe: Stripe, sessionId: string): Promise<CheckoutStatus> {
  try {
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    return status === 'open' ? await expireOrRead(stripe, sessionId) : status;
  } catch (error) {
    if (isMissing(error)) return 'expired';
    throw error;
  }
}

/** Stripe refuses to expire a session that was paid since it was retrieved. */
async function expireOrRead(stripe: Stripe, sessionId: string): Promise<CheckoutStatus> {
  try {
    return (await stripe.checkout.sessions.expire(sessionId)).status;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    return (await stripe.checkout.sessions.retrieve(sessionId)).status;
  }
}
