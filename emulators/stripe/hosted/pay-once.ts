import type { Decline } from '../billing/cards.ts';
import { couponFor, countRedemption, redeem } from '../billing/discounts.ts';
import { paidInvoice } from '../billing/one-time.ts';
import { attachCard, billTo, createCard } from '../billing/payment-methods.ts';
import { linkPayment } from '../payments/invoice-payments.ts';
import { createIntent, settleIntent } from '../payments/paying.ts';
import type { Payer } from '../resources/checkout-session-object.ts';
import { requestOf } from '../resources/checkout-totals.ts';
import { byId } from '../state.ts';
import type { CheckoutSession, Customer, PaymentIntent, PaymentMethod } from '../state.ts';
import type { Scope } from '../world.ts';
import type { Open } from './checkout-page.ts';

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
  open: Open,
  { payer, customer, method }: Paying,
): Partial<CheckoutSession> {
  const { session, details } = open;
  const discounts = redeemDiscounts(scope, session, customer);
  if (method) pay(scope, open, payer, { customer, method });
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
  if (invoice && typeof session.payment_intent === 'string')
    linkPayment(scope, invoice, session.payment_intent, 'paid');
  return {
    invoice: invoice?.id ?? null,
    payment_intent: session.payment_intent,
    payment_status: method ? 'paid' : 'no_payment_required',
  };
}

function pay(
  scope: Scope,
  open: Open,
  payer: Payer,
  { customer, method }: { customer: Customer | null; method: PaymentMethod },
): void {
  const intent = intentOf(scope, open);
  intent.customer = customer?.id ?? null;
  if (customer && open.details.payment.setupFutureUsage) attachCard(scope, method, customer);
  else billTo(method, payer);
  settleIntent(scope, intent, method, null);
}

/** Records that the bank has declined a card. The session stays open and keeps its payment intent. */
export function failPayment(
  scope: Scope,
  open: Open,
  payer: Payer,
  { number, reason }: { number: string; reason: Decline },
): void {
  const method = createCard(scope, number);
  billTo(method, payer);
  settleIntent(scope, intentOf(scope, open), method, reason);
}

/** The payment intent of a session: Stripe makes it with the first attempt to pay. */
function intentOf(scope: Scope, { session, details }: Open): PaymentIntent {
  const existing = byId(scope.state.paymentIntents, session.payment_intent ?? '');
  const amount = session.amount_total ?? 0;
  if (existing) return Object.assign(existing, { amount });
  const intent = createIntent(scope, {
    ...details.payment,
    amount,
    currency: session.currency ?? 'usd',
    customer: session.customer,
  });
  session.payment_intent = intent.id;
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
    countRedemption(coupon, code);
  }
  return [];
}
