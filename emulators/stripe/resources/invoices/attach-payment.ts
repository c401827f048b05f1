import { InvalidParameter, noSuchObject, noSuchReference, notAllowed } from '../../api/errors.ts';
import { operation } from '../../api/operation.ts';
import { required, text } from '../../api/parameters/params.ts';
import { markPaid } from '../../billing/invoices/collect.ts';
import type { Invoice, PaymentIntent } from '../../objects.ts';
import { debitUnderWay } from '../../payments/debits.ts';
import { linkPayment } from '../../payments/invoice-payments.ts';
import { inTimeOf, update } from '../../world.ts';
import type { Scope } from '../../world.ts';

/**
 * Pays a part of an open invoice, or the rest, by a payment intent that has succeeded;
 * https://docs.stripe.com/invoicing/partial-payments.
 */
export const attachPaymentOperation = operation({
  method: 'POST',
  path: '/v1/invoices/:id/attach_payment',
  params: { payment_intent: required(text()) },
  unsupported: ['payment_record'],
  run: ({ scope, id, params: { payment_intent: intentId } }) => {
    const invoice = scope.state.invoices.get(id);
    if (!invoice) throw noSuchObject('invoice', id);
    const intent = scope.state.paymentIntents.get(intentId);
    if (!intent) throw noSuchReference('payment_intent', intentId, 'payment_intent');
    return attach(inTimeOf(scope, invoice), invoice, intent);
  },
});

function attach(scope: Scope, invoice: Invoice, intent: PaymentIntent): Invoice {
  assertAttachable(scope, invoice, intent);
  linkPayment(scope, invoice, intent.id, { status: 'paid', amount: intent.amount, isDefault: false });
  const remaining = invoice.amount_remaining - intent.amount;
  if (remaining === 0) return markPaid(scope, invoice);
  return update(scope, 'invoice.updated', invoice, {
    amount_paid: invoice.amount_paid + intent.amount,
    amount_remaining: remaining,
  });
}

function assertAttachable({ state }: Scope, invoice: Invoice, intent: PaymentIntent): void {
  if (invoice.status !== 'open') throw notAllowed('Payments can only be attached to an open invoice.');
  if (debitUnderWay({ state }, invoice)) throw notAllowed('The payment of this invoice is processing.');
  if (intent.status !== 'succeeded') throw notAllowed('Only a payment that has succeeded is supported.');
  if (intent.customer !== invoice.customer || intent.currency !== invoice.currency)
    throw new InvalidParameter(
      'The PaymentIntent must have the customer and the currency of the invoice.',
      'payment_intent',
    );
  if (state.invoicePayments.some(({ payment }) => payment.payment_intent === intent.id))
    throw new InvalidParameter('The PaymentIntent is attached to an invoice already.', 'payment_intent');
  if (intent.amount > invoice.amount_remaining)
    throw new InvalidParameter('The PaymentIntent is larger than the remaining amount.', 'payment_intent');
}
