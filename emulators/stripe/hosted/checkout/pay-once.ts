import type { Decline } from '../../billing/cards.ts';
import { couponFor, countRedemption, redeem } from '../../billing/discounts/discounts.ts';
import { paidInvoice } from '../../billing/invoices/one-time.ts';
import { attachMethod, billTo, createCard } from '../../billing/payment-methods.ts';
import type { CheckoutSession, Customer, PaymentIntent, PaymentMethod } from '../../objects.ts';
import { linkPayment } from '../../payments/invoice-payments.ts';
import { createIntent, settleIntent } from '../../payments/paying.ts';
import type { Payer } from '../../resources/checkout/checkout-session-object.ts';
import { requestOf } from '../../resources/checkout/checkout-totals.ts';
import type { Checkout } from '../../resources/checkout/checkout-totals.ts';
import type { Scope } from '../../world.ts';

interface Paying {
  payer: Payer;
  /** Null for a guest. */
  customer: Customer | null;
  /** Null when nothing is due. */
  method: PaymentMethod | null;
}

/** Takes the payment of a session in payment mode, and makes its invoice if the session wants one. */
export function payOnce(
  scope: Scope,
  open: Checkout,
  { payer, customer, method }: Paying,
): Partial<CheckoutSession> {
  const { session, details } = open;
  const discounts = redeemDiscounts(scope, session, customer);
  const intent = method && pay(scope, open, payer, { customer, method });
  const { invoice_creation: creation } = session;
  const invoice =
    customer && creation?.enabled
      ? paidInvoice(scope, {
          customer,
          lineItems: details.lineItems,
          discounts,
          data: creation.invoice_data,
        })
      : null;
  const paidBy = intent?.id ?? session.payment_intent;
  if (invoice && paidBy !== null) linkPayment(scope, invoice, paidBy, { status: 'paid' });
  return {
    invoice: invoice?.id ?? null,
    payment_intent: paidBy,
    payment_status: method ? 'paid' : 'no_payment_required',
  };
}

function pay(
  scope: Scope,
  open: Checkout,
  payer: Payer,
  { customer, method }: { customer: Customer | null; method: PaymentMethod },
): PaymentIntent {
  const { id } = intentOf(scope, open);
  const intent = scope.state.paymentIntents.patch(id, { customer: customer?.id ?? null });
  const paidWith =
    customer && open.details.payment.setupFutureUsage
      ? attachMethod(scope, method, customer)
      : billTo(scope, method, payer);
  settleIntent(scope, intent, paidWith, null);
  return intent;
}

/** Records that the bank has declined a card. The session stays open and keeps its payment intent. */
export function failPayment(
  scope: Scope,
  open: Checkout,
  payer: Payer,
  { number, reason }: { number: string; reason: Decline },
): void {
  const method = billTo(scope, createCard(scope, number), payer);
  settleIntent(scope, intentOf(scope, open), method, reason);
}

/** The payment intent of a session: Stripe makes it with the first attempt to pay. */
function intentOf(scope: Scope, { session, details }: Checkout): PaymentIntent {
  const existing = scope.state.paymentIntents.get(session.payment_intent ?? '');
  const amount = session.amount_total ?? 0;
  if (existing) return scope.state.paymentIntents.patch(existing.id, { amount });
  const intent = createIntent(scope, {
    ...details.payment,
    amount,
    currency: session.currency ?? 'usd',
    customer: session.customer,
  });
  scope.state.checkoutSessions.patch(session.id, { payment_intent: intent.id });
  return intent;
}

/** Redeems the session's coupons. Without a customer they are only counted. */
function redeemDiscounts(scope: Scope, session: CheckoutSession, customer: Customer | null): string[] {
  const requests = (session.discounts ?? []).map(requestOf);
  if (customer) {
    const owner = { subscription: null, session: session.id };
    return redeem(scope, requests, customer, owner).map(({ id }) => id);
  }
  for (const request of requests) {
    const { coupon, code } = couponFor(scope, request, { customer, param: 'discounts' });
    countRedemption(scope, coupon, code);
  }
  return [];
}
