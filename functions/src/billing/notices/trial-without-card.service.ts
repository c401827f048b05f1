import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { unlessMissing, withStripeRefusals } from '../stripe/stripe-errors.ts';

/**
 * True if the plan ends with the trial because there is no payment method. Stripe charges the payment method of the
 * subscription, or else the customer's default. Makes one call to Stripe, and only for a subscription without a
 * payment method of its own that is to be cancelled or paused.
 *
 * @param subscription as in an event. The customer may have added a payment method since
 */
export async function lacksPaymentMethod(
  backend: Backend,
  { id, ...inEvent }: Stripe.Subscription,
): Promise<boolean> {
  if (!endsWithoutPaymentMethod(inEvent) || hasPaymentMethod(inEvent)) return false;
  const { subscriptions } = await backend.stripe();
  const current = await unlessMissing(() =>
    withStripeRefusals(() => subscriptions.retrieve(id, { expand: ['customer'] })),
  );
  if (current === undefined || !endsWithoutPaymentMethod(current)) return false;
  return !hasPaymentMethod(current) && !hasDefault(current.customer);
}

/** False if Stripe makes an invoice after the trial although there is no payment method. */
function endsWithoutPaymentMethod({ trial_settings: settings }: Pick<Stripe.Subscription, 'trial_settings'>) {
  const behavior = settings?.end_behavior.missing_payment_method;
  return behavior === 'cancel' || behavior === 'pause';
}

/** A source is a payment method in an older form, for example of a customer who was imported. */
function hasPaymentMethod({
  default_payment_method: method,
  default_source: source,
}: Pick<Stripe.Subscription, 'default_payment_method' | 'default_source'>): boolean {
  return method !== null || source !== null;
}

function hasDefault(customer: Stripe.Subscription['customer']): boolean {
  if (typeof customer === 'string' || customer.deleted === true) return false;
  return customer.invoice_settings.default_payment_method !== null || customer.default_source !== null;
}
