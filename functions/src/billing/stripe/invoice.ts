import type Stripe from 'stripe';
import { idOf } from './stripe-ids.ts';

/** The payment intent that paid an invoice. `payments` must be expanded. */
export function intentIdOf({ payments }: Pick<Stripe.Invoice, 'payments'>): string | undefined {
  for (const { payment, status } of payments?.data ?? []) {
    if (status === 'paid' && payment.payment_intent) return idOf(payment.payment_intent);
  }
  return undefined;
}

/** The id of the subscription that an invoice is for. Undefined for an invoice without a subscription. */
export function subscriptionIdOf({ parent }: Pick<Stripe.Invoice, 'parent'>): string | undefined {
  const subscription = parent?.subscription_details?.subscription;
  return subscription ? idOf(subscription) : undefined;
}
