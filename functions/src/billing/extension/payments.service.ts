import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { PaymentDocument } from '../../firestore/documents/stripe-extension.ts';
import { intentIdOf } from '../stripe/invoice.ts';
import { guardStripe } from '../stripe/stripe-errors.ts';
import { intentFields, paidInvoiceFields, pricesOfInvoice, pricesOfItems } from './payment-document.ts';

/** The current state of a payment at Stripe. If `prices` is missing, the stored prices stay. */
interface Payment {
  id: string;
  fields: Omit<PaymentDocument, 'prices'>;
  prices?: PaymentDocument['prices'];
}

/**
 * Copies the payment of a paid invoice. Ignores unpaid and zero-amount invoices, such as the first invoice of a trial.
 * One call to Stripe, or two if a payment intent paid it.
 */
export async function copyInvoicePayment(
  backend: Backend,
  customerId: string,
  invoiceId: string,
): Promise<void> {
  await copyPayment(backend, customerId, async (stripe) => {
    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
    if (invoice.status !== 'paid' || invoice.amount_paid === 0) return undefined;
    const [intentId, prices] = [intentIdOf(invoice), pricesOfInvoice(invoice)];
    const fields =
      intentId === undefined
        ? paidInvoiceFields(invoice)
        : intentFields(await stripe.paymentIntents.retrieve(intentId));
    return { id: intentId ?? invoiceId, fields: { ...fields, invoice: invoiceId }, prices };
  });
}

/** Copies a payment intent without its prices, which only its invoice or checkout has. */
export async function copyPaymentIntent(
  backend: Backend,
  customerId: string,
  intentId: string,
): Promise<void> {
  await copyPayment(backend, customerId, async (stripe) => {
    return { id: intentId, fields: intentFields(await stripe.paymentIntents.retrieve(intentId)) };
  });
}

/** Copies the payment of a checkout that sells something once, with the prices. */
export async function copyCheckoutPayment(
  backend: Backend,
  customerId: string,
  { sessionId, intentId }: { sessionId: string; intentId: string },
): Promise<void> {
  await copyPayment(backend, customerId, async (stripe) => {
    const [intent, items] = await Promise.all([
      stripe.paymentIntents.retrieve(intentId),
      stripe.checkout.sessions.listLineItems(sessionId, { limit: 100 }),
    ]);
    return { id: intentId, fields: intentFields(intent), prices: pricesOfItems(items.data) };
  });
}

/** Stores the state that Stripe has now. Stores nothing for a customer who was deleted in the meantime. */
async function copyPayment(
  { db, stripe }: Backend,
  customerId: string,
  retrieve: (stripe: Stripe) => Promise<Payment | undefined>,
): Promise<void> {
  const client = await stripe();
  await guardStripe(() =>
    db.run(async (tx) => {
      if (!(await tx.customers.exists(customerId))) return;
      const payment = await retrieve(client);
      if (payment === undefined) return;
      const { id, fields, prices } = payment;
      const stored = (await tx.payments(customerId).getIntact([id])).get(id);
      tx.payments(customerId).set(id, {
        invoice: null,
        ...stored,
        ...fields,
        prices: prices ?? stored?.prices ?? [],
      });
    }),
  );
}
