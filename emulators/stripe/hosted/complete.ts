import { customerDetails } from '../resources/checkout-session-object.ts';
import { createCustomer } from '../resources/customers.ts';
import { invoiceFirstPeriod } from '../resources/invoice-object.ts';
import { createSubscription } from '../resources/subscription-object.ts';
import { byId } from '../state.ts';
import type { CheckoutDetails, CheckoutSession, Customer } from '../state.ts';
import { emit, update } from '../world.ts';
import type { Scope } from '../world.ts';

/**
 * The customer has paid: makes the customer if there is none, the subscription and its paid invoice, and completes the
 * session. Everything happens in one turn, so that no second payment can come between.
 */
export function completeCheckout(
  scope: Scope,
  session: CheckoutSession,
  details: CheckoutDetails,
  email: string,
): void {
  const customer = payingCustomer(scope, session, email);
  const subscription = createSubscription(scope, customer.id, details.lineItems, details.subscription);
  const invoice = invoiceFirstPeriod(scope, subscription, customer);
  subscription.latest_invoice = invoice.id;
  emit(scope, 'customer.subscription.created', subscription);
  emit(scope, 'invoice.paid', invoice);

  Object.assign(session, {
    customer: customer.id,
    customer_details: customerDetails(email, customer.name ?? null),
    invoice: invoice.id,
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
