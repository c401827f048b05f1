import type { Invoice, PaymentMethod } from '../../objects.ts';
import { endDebit } from '../../payments/debits.ts';
import { cancelPayment, disputeInvoice, recordAttempt } from '../../payments/invoice-payments.ts';
import { emit, update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import type { BankAnswer, Decline } from '../cards.ts';
import { nextAttempt } from '../dunning.ts';
import { charge, payingMethod } from '../payment-methods.ts';
import { paymentFailed, paymentPending, paymentSucceeded } from '../subscriptions/payment-outcome.ts';
import { customerOf, finalize, subscriptionOf } from './invoices.ts';

/** The circumstances of a payment. */
export interface Payment {
  /** A payment method for this payment alone. */
  method?: PaymentMethod;
  /** The customer is there, and authenticates when the bank asks. */
  seen?: boolean;
  /** Somebody asked for it; otherwise it is Stripe's own attempt, and a failure is followed by the next one. */
  asked?: boolean;
}

export const NO_METHOD = {
  code: 'resource_missing',
  message: 'This customer has no attached payment source or default payment method.',
} as const;

/** Why an invoice was not paid: the bank's answer, or that there is no payment method to charge. */
export type Failure = Decline | typeof NO_METHOD;

/**
 * Tries to charge an open invoice, and updates its subscription accordingly.
 * @returns null if the invoice is paid, or if its bank debit is under way
 */
export function collect(
  scope: Scope,
  given: Invoice,
  { method, seen = false, asked = false }: Payment = {},
): Failure | null {
  const { invoices } = scope.state;
  const invoice = invoices.latest(given);
  if (invoice.amount_due === 0) {
    markPaid(scope, invoice);
    return null;
  }
  if (invoice.collection_method === 'send_invoice' && !asked) {
    // The customer pays it.
    emit(scope, 'invoice.sent', invoice);
    return null;
  }
  const answer = attempt(scope, invoice, method, seen);
  const attempted = invoices.patch(invoice.id, {
    attempted: true,
    attempt_count: asked ? Math.max(1, invoice.attempt_count) : invoice.attempt_count + 1,
  });
  if (answer === 'pending') {
    paymentPending(scope, invoices.patch(invoice.id, { next_payment_attempt: null }));
    return null;
  }
  if (answer) {
    markFailed(scope, attempted, answer, asked);
    return answer;
  }
  markPaid(scope, attempted);
  disputeInvoice(scope, attempted);
  return null;
}

/** Finalizes a draft and tries to charge it. */
export function finalizeAndCollect(scope: Scope, invoice: Invoice, payment: Payment = {}): Failure | null {
  return collect(scope, finalize(scope, invoice), payment);
}

function attempt(
  scope: Scope,
  invoice: Invoice,
  given: PaymentMethod | undefined,
  seen: boolean,
): BankAnswer | Failure {
  const subscription = subscriptionOf(scope, invoice);
  const own = invoice.default_payment_method;
  const method =
    given ??
    (own === null ? undefined : scope.state.paymentMethods.get(own)) ??
    payingMethod(scope, subscription ?? { customer: invoice.customer, default_payment_method: null });
  if (!method) return NO_METHOD;
  const answer = charge(scope, method, seen);
  recordAttempt(scope, invoice, scope.state.paymentMethods.latest(method), answer);
  return answer;
}

/** Ends the bank debit of an invoice that is under way: the invoice is paid, or the payment has failed. */
export function settleDebit(scope: Scope, invoice: Invoice): void {
  const failure = endDebit(scope, invoice);
  if (failure) markFailed(scope, scope.state.invoices.latest(invoice), failure, false);
  else markPaid(scope, invoice);
}

/** Marks an invoice as paid by a payment method, by credit or elsewhere. */
export function markPaid(scope: Scope, given: Invoice): Invoice {
  cancelPayment(scope, given);
  const { invoices } = scope.state;
  const { amount_due: due, status_transitions: transitions } = invoices.latest(given);
  const invoice = invoices.patch(given.id, {
    amount_paid: due,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...transitions, paid_at: scope.now() },
  });
  emit(scope, 'invoice.paid', invoice);
  emit(scope, 'invoice.payment_succeeded', invoice);
  update(scope, 'customer.updated', customerOf(scope, invoice), { delinquent: false });
  paymentSucceeded(scope, invoice);
  return invoice;
}

function markFailed(scope: Scope, attempted: Invoice, failure: Failure, asked: boolean): void {
  const { attempt_count: attempts, auto_advance: advances, billing_reason: reason } = attempted;
  // A first invoice is tried once; a requested payment leaves the schedule of retries as it is.
  const retried = reason !== 'subscription_create' && advances;
  const invoice =
    asked && attempts !== 1
      ? attempted
      : scope.state.invoices.patch(attempted.id, {
          next_payment_attempt: retried ? nextAttempt(scope.dunning, attempts, scope.now()) : null,
        });
  emit(scope, 'invoice.payment_failed', invoice);
  if (failure.code === 'authentication_required') emit(scope, 'invoice.payment_action_required', invoice);
  if (retried) update(scope, 'customer.updated', customerOf(scope, invoice), { delinquent: true });
  paymentFailed(scope, invoice);
}
