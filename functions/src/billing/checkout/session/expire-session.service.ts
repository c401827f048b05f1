import type Stripe from 'stripe';
import { isInvalidRequest, isMissing } from '../../stripe/stripe-errors.ts';

export type CheckoutStatus = Stripe.Checkout.Session.Status | null;

/**
 * Expires a session if it is still open. If Stripe does not know the session, it counts as expired, because nobody can
 * pay it. One call to Stripe; two if the session is open; three if the customer pays between these two.
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

/**
 * If the customer has paid since the first call, Stripe refuses to expire the session.
 *
 * @throws the refusal of Stripe if the session is still open, because it can be paid
 */
async function expireOrRead(stripe: Stripe, sessionId: string): Promise<CheckoutStatus> {
  try {
    return (await stripe.checkout.sessions.expire(sessionId)).status;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'open') throw error;
    return status;
  }
}
