import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { PaymentDocument } from '../../firestore/documents/stripe-extension.ts';
import { paymentIntentIdsOf, readAllLines } from '../stripe/invoice.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { intentFields, paidInvoiceFields, pricesOfItems, pricesOfLines } from './payment-document.ts';

type Fields = Omit<PaymentDocument, 'prices'>;

/** A payment at Stripe. */
interface Payment {
  id: string;
  /** Missing if the stored prices stay. */
  prices?: PaymentDocument['prices'];
  /** Asks Stripe for the present state. */
  readFields: () => Promise<Fields>;
}

/**
 * Copies the payments of a paid invoice. Ignores unpaid and zero-amount invoices, such as the first invoice of a trial.
 * One call to Stripe, one more for each payment intent that paid the invoice, and those of `readAllLines`.
 */
export async function copyInvoicePayment(
  backend: Backend,
  customerId: string,
  invoiceId: string,
): Promise<void> {
  await copyPayments(backend, customerId, async (stripe) => {
    const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
    if (invoice.status !== 'paid' || invoice.amount_paid === 0) return [];
    const prices = pricesOfLines(await readAllLines(stripe, invoice));
    const byIntents = paymentIntentIdsOf(invoice).map((id) => ({
      id,
      prices,
      readFields: async () => ({ ...(await readIntent(stripe, id)), invoice: invoiceId }),
    }));
    if (byIntents.length > 0) return byIntents;
    // A paid invoice does not change any more.
    const fields = { ...paidInvoiceFields(invoice), invoice: invoiceId };
    return [{ id: invoiceId, prices, readFields: () => Promise.resolve(fields) }];
  });
}

/** Copies a payment intent without its prices, which only its invoice or checkout has. */
export async function copyPaymentIntent(
  backend: Backend,
  customerId: string,
  intentId: string,
): Promise<void> {
  await copyPayments(backend, customerId, (stripe) =>
    Promise.resolve([{ id: intentId, readFields: () => readIntent(stripe, intentId) }]),
  );
}

/** Copies the payment of a checkout that sells something once, with the prices. */
export async function copyCheckoutPayment(
  backend: Backend,
  customerId: string,
  { sessionId, intentId }: { sessionId: string; intentId: string },
): Promise<void> {
  await copyPayments(backend, customerId, async (stripe) => {
    const items = await stripe.checkout.sessions.listLineItems(sessionId, { limit: 100 });
    const prices = pricesOfItems(items.data);
    return [{ id: intentId, prices, readFields: () => readIntent(stripe, intentId) }];
  });
}

async function readIntent(stripe: Stripe, intentId: string): Promise<Fields> {
  return intentFields(await stripe.paymentIntents.retrieve(intentId));
}

/**
 * Stores the state that Stripe has now. Stores nothing for a customer who was deleted in the meantime.
 *
 * Stripe is asked after the stored payment has been read, which locks it. If two copies conflict, one of them runs
 * again after the other has committed, and asks Stripe again.
 */
async function copyPayments(
  { db, stripe }: Backend,
  customerId: string,
  find: (stripe: Stripe) => Promise<Payment[]>,
): Promise<void> {
  const client = await stripe();
  await withStripeRefusals(async () => {
    for (const payment of await find(client)) await db.run((tx) => copyPayment(tx, customerId, payment));
  });
}

async function copyPayment(tx: Tx, customerId: string, { id, prices, readFields }: Payment): Promise<void> {
  const payments = tx.payments(customerId);
  const [isCustomer, stored] = await Promise.all([tx.customers.exists(customerId), payments.getIntact(id)]);
  if (!isCustomer) return;
  const fields = await readFields();
  payments.set(id, { invoice: null, ...stored, ...fields, prices: prices ?? stored?.prices ?? [] });
}
