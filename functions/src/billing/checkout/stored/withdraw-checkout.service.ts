import type { Backend } from '../../../backend.ts';
import { expireCheckoutSession } from '../../stripe/checkout-sessions.ts';
import { withStripeRefusals } from '../../stripe/stripe-errors.ts';
import { withdrawCheckout } from './stored-checkout.store.ts';

/** Withdraws the checkout of a customer, and expires its pages. Nobody can pay on them any more. */
export async function withdrawAndExpireCheckout(backend: Backend, customerId: string): Promise<void> {
  for (const sessionId of await withdrawCheckout(backend.db, customerId)) {
    const stripe = await backend.stripe();
    await withStripeRefusals(() => expireCheckoutSession(stripe, sessionId));
  }
}
