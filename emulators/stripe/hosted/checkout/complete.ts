import { attachMethod, createCard } from '../../billing/payment-methods.ts';
import { startSubscription } from '../../billing/subscriptions/starting.ts';
import { countCompletion } from '../../links/visit.ts';
import type { CheckoutSession, Customer, PaymentMethod } from '../../objects.ts';
import { isRecurring } from '../../resources/checkout/checkout-items.ts';
import type { Payer } from '../../resources/checkout/checkout-session-object.ts';
import { isDeferred, requestOf } from '../../resources/checkout/checkout-totals.ts';
import type { Checkout } from '../../resources/checkout/checkout-totals.ts';
import { createCustomer } from '../../resources/customers/customer-object.ts';
import { createTaxId } from '../../resources/customers/tax-ids.ts';
import { emit, inTimeOf, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { payOnce } from './pay-once.ts';

const DAY = 24 * 60 * 60;

/**
 * The customer has paid: makes the customer if one is needed, then the subscription with its invoice or the payment,
 * and completes the session. Everything happens in one turn, so that no second payment can come between.
 * @param card the card that the bank has accepted; null when none is needed
 */
export function completeCheckout(
  unscoped: Scope,
  open: Checkout,
  payer: Payer,
  card: { number: string; authenticated: boolean } | null,
): void {
  const { session } = open;
  const customer = payingCustomer(unscoped, open, payer);
  const scope = customer ? inTimeOf(unscoped, customer) : unscoped;
  if (customer) keepTaxIds(scope, customer, payer);
  const method = card && createCard(scope, card.number, card.authenticated);
  const outcome =
    session.mode === 'payment' || !customer
      ? payOnce(scope, open, { payer, customer, method })
      : subscribe(scope, open, customer, method);
  const completed = scope.state.checkoutSessions.patch(session.id, {
    automatic_tax: session.automatic_tax.enabled
      ? { ...session.automatic_tax, status: 'complete' }
      : session.automatic_tax,
    customer: customer?.id ?? null,
    customer_details: { ...payer, name: payer.name ?? customer?.name ?? null },
    status: 'complete',
    url: null,
    ...outcome,
  });
  emit(scope, 'checkout.session.completed', completed);
  countCompletion(scope, completed);
}

/** The customer keeps the tax ID that was typed, so that the first invoice shows it. */
function keepTaxIds(scope: Scope, customer: Customer, { tax_ids: given }: Payer): void {
  for (const { type, value } of given ?? [])
    if (value !== null) createTaxId(scope, customer, { type, value });
}

function subscribe(
  scope: Scope,
  { session, details }: Checkout,
  customer: Customer,
  method: PaymentMethod | null,
): Partial<CheckoutSession> {
  if (method) attachMethod(scope, method, customer);
  const { metadata, description, trialDays, trialEnd, missingPaymentMethod } = details.subscription;
  const { subscription } = startSubscription(
    scope,
    {
      customer,
      items: details.lineItems.filter(isRecurring).map(({ price, quantity }) => ({
        price,
        ...(quantity !== null && { quantity }),
      })),
      oneTime: details.lineItems.filter((item) => !isRecurring(item)),
      currency: session.currency ?? undefined,
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
  return {
    invoice: subscription.latest_invoice,
    payment_status: session.amount_total === 0 && isDeferred(details) ? 'no_payment_required' : 'paid',
    subscription: subscription.id,
  };
}

/**
 * A new customer gets the typed values. An existing customer gets a missing e-mail address, and the values that the
 * session allows.
 * @returns null for a guest
 */
function payingCustomer(scope: Scope, { session, details }: Checkout, payer: Payer): Customer | null {
  const { email, name, address } = payer;
  const existing = session.customer === null ? undefined : scope.state.customers.get(session.customer);
  if (!existing)
    return needsCustomer(session, details) ? createCustomer(scope, { email, name, address }) : null;
  const { customerUpdate } = details;
  return update(scope, 'customer.updated', existing, {
    ...(existing.email === null && { email }),
    ...(customerUpdate.address && address && { address }),
    ...(customerUpdate.name && name !== null && { name }),
  });
}

/** A single payment needs a customer only for its invoice, or to save the card. */
function needsCustomer(session: CheckoutSession, { payment }: Checkout['details']): boolean {
  return (
    session.mode !== 'payment' ||
    session.customer_creation === 'always' ||
    session.invoice_creation?.enabled === true ||
    payment.setupFutureUsage !== null
  );
}
