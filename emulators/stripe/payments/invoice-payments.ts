import type { BankAnswer } from '../billing/cards.ts';
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from '../objects.ts';
import { newId } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { chargeIntent } from './charging.ts';
import { newPaymentIntent } from './payment-intent-object.ts';
import { disputeByCard } from './refunds-and-disputes/disputing.ts';

/** Gives a finalized invoice the payment intent by which it is paid. No event is emitted for either. */
export function openPayment(scope: Scope, invoice: Invoice): void {
  if (invoice.amount_due === 0) return;
  const intent = scope.state.paymentIntents.insert(
    newPaymentIntent(scope, {
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: invoice.customer,
      description: invoice.description,
      metadata: {},
      receiptEmail: null,
      setupFutureUsage: null,
      statementDescriptor: null,
    }),
  );
  linkPayment(scope, invoice, intent.id, { status: 'open' });
}

interface Link {
  status: 'open' | 'paid';
  /** By default everything that is due. */
  amount?: number;
  isDefault?: boolean;
}

/** Makes a payment intent a payment of an invoice. */
export function linkPayment(
  scope: Scope,
  invoice: Invoice,
  intent: string,
  { status, amount = invoice.amount_due, isDefault = true }: Link,
): void {
  scope.state.invoicePayments.insert({
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: status === 'paid' ? amount : null,
    amount_requested: amount,
    created: scope.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: isDefault,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status,
    status_transitions: { canceled_at: null, paid_at: status === 'paid' ? scope.now() : null },
  });
}

/** Records an attempt to pay an invoice, as a charge of its payment intent. */
export function recordAttempt(
  scope: Scope,
  invoice: Invoice,
  method: PaymentMethod,
  answer: BankAnswer,
): void {
  const payment = openPaymentOf(scope, invoice);
  const intent = payment && intentOf(scope, payment);
  if (!intent) return;
  const { amount_remaining: amount } = invoice;
  chargeIntent(scope, scope.state.paymentIntents.patch(intent.id, { amount }), method, answer);
  if (answer === null) markPaymentPaid(scope, payment, amount);
}

/** Marks a payment of an invoice as paid. */
export function markPaymentPaid(scope: Scope, { id }: InvoicePayment, amount: number): void {
  scope.state.invoicePayments.patch(id, {
    amount_paid: amount,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: scope.now() },
  });
}

/** Cancels the payment of an invoice that is closed, or paid elsewhere. A bank debit that is under way ends too. */
export function cancelPayment(scope: Scope, invoice: Invoice): void {
  const payment = openPaymentOf(scope, invoice);
  if (!payment) return;
  const now = scope.now();
  scope.state.invoicePayments.patch(payment.id, {
    status: 'canceled',
    status_transitions: { canceled_at: now, paid_at: null },
  });
  const intent = scope.state.paymentIntents.patch(payment.payment.payment_intent, {
    canceled_at: now,
    cancellation_reason: 'void_invoice',
    status: 'canceled',
  });
  const charge = scope.state.charges.get(intent.latest_charge ?? '');
  if (charge?.status === 'pending') scope.state.charges.patch(charge.id, { status: 'failed' });
}

/** The cardholder disputes the payment of an invoice, if it was paid with a test card for that. */
export function disputeInvoice(scope: Scope, invoice: Invoice): void {
  const charge = chargeOf(scope, invoice);
  const method = scope.state.paymentMethods.get(charge?.payment_method ?? '');
  if (charge && method) disputeByCard(scope, charge, method);
}

/** The charge by which an invoice was paid. */
export function chargeOf(scope: World, invoice: Invoice): Charge | undefined {
  const payment = scope.state.invoicePayments.find(
    (row) => row.invoice === invoice.id && row.status === 'paid',
  );
  const intent = payment && intentOf(scope, payment);
  return scope.state.charges.get(intent?.latest_charge ?? '');
}

export function openPaymentOf({ state }: Pick<World, 'state'>, { id }: Invoice): InvoicePayment | undefined {
  return state.invoicePayments.find(({ invoice, status }) => invoice === id && status === 'open');
}

export function intentOf(
  { state }: Pick<World, 'state'>,
  { payment }: InvoicePayment,
): PaymentIntent | undefined {
  return state.paymentIntents.get(payment.payment_intent);
}
