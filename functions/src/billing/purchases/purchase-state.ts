import type Stripe from 'stripe';
import { DAY_MS } from '../../common/durations.ts';
import type { OneTimePurchase } from '../../firestore/documents/purchase.ts';
import { idOf } from '../stripe/stripe-ids.ts';

/** The parameters with which a session is retrieved for `purchaseAfter`. */
export const RETRIEVE_PAYMENT = { expand: ['payment_intent.latest_charge'] };

/**
 * The statuses of a payment that has failed. In every other status the money can still come: a bank debit waits in
 * `processing`, and a voucher or bank transfer waits in `requires_action`, often for days.
 * https://docs.stripe.com/payments/paymentintents/lifecycle
 */
const FAILED: ReadonlySet<Stripe.PaymentIntent.Status> = new Set(['requires_payment_method', 'canceled']);

/**
 * @param isDisputeLost whether the bank has taken the payment back
 * @returns undefined if nothing was paid and nothing can be paid any more
 */
export function purchaseAfter(
  stored: OneTimePurchase,
  session: Stripe.Checkout.Session,
  { isDisputeLost, now }: { isDisputeLost: boolean; now: Date },
): OneTimePurchase | undefined {
  const status = statusOf(session, isDisputeLost);
  if (status === undefined) return undefined;
  const isPaid = status === 'paid' || status === 'refunded';
  return {
    ...stored,
    status,
    sessionId: session.id,
    paymentIntentId: session.payment_intent === null ? null : idOf(session.payment_intent),
    amount: isPaid ? session.amount_total : null,
    currency: isPaid ? session.currency : null,
    paidAt: isPaid ? (stored.paidAt ?? now) : null,
    refundedAt: status === 'refunded' ? (stored.refundedAt ?? now) : null,
    checkAt: isPaid ? null : new Date(now.getTime() + DAY_MS),
  };
}

function statusOf(
  session: Stripe.Checkout.Session,
  isDisputeLost: boolean,
): OneTimePurchase['status'] | undefined {
  if (session.status === 'open') return 'open';
  if (session.status !== 'complete') return undefined;
  const intent = intentOf(session);
  if (session.payment_status !== 'unpaid') {
    return isDisputeLost || chargeOf(intent)?.refunded === true ? 'refunded' : 'paid';
  }
  return intent !== null && FAILED.has(intent.status) ? undefined : 'processing';
}

/** The latest charge. Null for a zero-amount payment, or if the charge was not expanded. */
export function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = intent?.latest_charge ?? null;
  return typeof charge === 'string' ? null : charge;
}

export function intentOf({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  return typeof intent === 'string' ? null : intent;
}
