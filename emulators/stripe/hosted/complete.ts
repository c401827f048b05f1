import { attachCard, createCard } from '../billing/payment-methods.ts';
import { startSubscription } from '../billing/starting.ts';
import { hasTrial, requestOf } from '../resources/checkout-totals.ts';
import { createCustomer } from '../resources/customer-object.ts';
import { byId } from '../state.ts';
import type { CheckoutDetails, CheckoutSession, Customer } from '../state.ts';
import { emit, inTimeOf, update } from '../world.ts';
import type { Scope } from '../world.ts';

const DAY = 24 * 60 * 60;

type Payer = NonNullable<CheckoutSession['customer_details']>;

/**
 * The customer has paid: makes the customer if there is none, the subscription and its paid invoice, and completes the
 * session. Everything happens in one turn, so that no second payment can come between.
 * @param card the card that the bank has accepted; null when none is needed
 */
export function completeCheckout(
  unscoped: Scope,
  session: CheckoutSession,
  details: CheckoutDetails,
  payer: Payer,
  card: { number: string; authenticated: boolean } | null,
): void {
  const customer = payingCustomer(unscoped, session, details, payer);
  const scope = inTimeOf(unscoped, customer);
  const method = card && createCard(scope, card.number, card.authenticated);
  if (method) attachCard(scope, method, customer);
  const { metadata, description, trialDays, trialEnd, missingPaymentMethod } = details.subscription;
  const { subscription } = startSubscription(
    scope,
    {
      customer,
      items: details.lineItems.map(({ price, quantity }) => ({ price, quantity })),
      metadata,
      description,
      trialEnd: trialDays === null ? trialEnd : scope.now() + trialDays * DAY,
      missingPaymentMethod,
      paymentMethod: method?.id ?? null,
      automaticTax: session.automatic_tax.enabled,
      discounts: (session.discounts ?? []).map(requestOf),
      session: session.id,
    },
    { seen: true, asked: true },
  );
  Object.assign(session, {
    automatic_tax: session.automatic_tax.enabled
      ? { ...session.automatic_tax, status: 'complete' }
      : session.automatic_tax,
    customer: customer.id,
    customer_details: { ...payer, name: payer.name ?? customer.name ?? null },
    invoice: subscription.latest_invoice,
    payment_status: hasTrial(details) ? 'no_payment_required' : 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  } satisfies Partial<CheckoutSession>);
  emit(scope, 'checkout.session.completed', session);
}

/** A new customer is what was typed; one who exists gets a missing e-mail address, and what the session lets through. */
function payingCustomer(
  scope: Scope,
  session: CheckoutSession,
  { customerUpdate }: CheckoutDetails,
  { email, name, address }: Payer,
): Customer {
  const existing = session.customer === null ? undefined : byId(scope.state.customers, session.customer);
  if (!existing) return createCustomer(scope, { email, name, address });
  update(scope, 'customer.updated', existing, {
    ...(existing.email === null && { email }),
    ...(customerUpdate.address && address && { address }),
    ...(customerUpdate.name && name !== null && { name }),
  });
  return existing;
}
