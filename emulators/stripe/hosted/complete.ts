import { attachCard, createCard } from '../billing/payment-methods.ts';
import { startSubscription } from '../billing/starting.ts';
import { customerDetails } from '../resources/checkout-session-object.ts';
import { createCustomer } from '../resources/customer-object.ts';
import { byId } from '../state.ts';
import type { CheckoutDetails, CheckoutSession, Customer } from '../state.ts';
import { emit, inTimeOf, update } from '../world.ts';
import type { Scope } from '../world.ts';

/**
 * The customer has paid: makes the customer if there is none, the subscription and its paid invoice, and completes the
 * session. Everything happens in one turn, so that no second payment can come between.
 * @param card the number of the card, which the bank has accepted; null when a trial needs none
 */
export function completeCheckout(
  unscoped: Scope,
  session: CheckoutSession,
  details: CheckoutDetails,
  email: string,
  card: string | null,
): void {
  const customer = payingCustomer(unscoped, session, email);
  const scope = inTimeOf(unscoped, customer);
  const method = card === null ? null : createCard(scope, card, true);
  if (method) attachCard(scope, method, customer);
  const { subscription } = startSubscription(
    scope,
    {
      customer,
      items: details.lineItems.map(({ price, quantity }) => ({ price, quantity })),
      metadata: details.subscription.metadata,
      description: details.subscription.description,
      trialEnd: null,
      missingPaymentMethod: 'create_invoice',
      paymentMethod: method?.id ?? null,
      automaticTax: session.automatic_tax.enabled,
      discounts: [],
    },
    { seen: true, asked: true },
  );
  Object.assign(session, {
    customer: customer.id,
    customer_details: customerDetails(email, customer.name ?? null),
    invoice: subscription.latest_invoice,
    payment_status: 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  } satisfies Partial<CheckoutSession>);
  emit(scope, 'checkout.session.completed', session);
}

/** A customer without an e-mail address gets the one that was typed on the page. */
function payingCustomer(scope: Scope, session: CheckoutSession, email: string): Customer {
  const existing = session.customer === null ? undefined : byId(scope.state.customers, session.customer);
  if (!existing) return createCustomer(scope, { email });
  if (existing.email === null) update(scope, 'customer.updated', existing, { email });
  return existing;
}
