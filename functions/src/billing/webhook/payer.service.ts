import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { purchaseInMetadata } from '../purchases/purchase-metadata.ts';
import { subscriptionIdOf } from '../stripe/invoice.ts';
import { withStripeRefusals } from '../stripe/stripe-errors.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { SUBJECT_METADATA_FIELD } from '../subject.ts';

interface Payer {
  /** The ids that lead to the payer, and to what was refunded or disputed. */
  ids: Record<string, string>;
  /** True if the payer is one of our customers, or if the metadata name one who may have been deleted. */
  isOurs: boolean;
}

/** Finds the payer of a payment that was refunded or disputed. The customer may have been deleted. */
export async function findPayer(
  { db, stripe: loadStripe }: Backend,
  { charge: chargeOrId, payment_intent: intent }: Pick<Stripe.Refund, 'charge' | 'payment_intent'>,
): Promise<Payer> {
  const stripe = await loadStripe();
  const charge =
    chargeOrId === null
      ? undefined
      : await withStripeRefusals(() => stripe.charges.retrieve(idOf(chargeOrId)));
  const invoice = intent === null ? undefined : await findInvoiceOfIntent(stripe, idOf(intent));
  const stripeCustomer = charge?.customer ?? invoice?.customer ?? null;
  const customer = await findByStripeCustomer(db, stripeCustomer);
  const subscriptionId = invoice && subscriptionIdOf(invoice);
  const ids = {
    ...(stripeCustomer !== null && { stripeCustomerId: idOf(stripeCustomer) }),
    ...(customer && { customerId: customer.id }),
    ...(subscriptionId !== undefined && { subscriptionId }),
    ...(charge && purchaseInMetadata(charge)),
  };
  return { ids, isOurs: customer !== undefined || namesSubject(charge, invoice) };
}

/** True if the metadata of a one-time payment, or of the subscription that was paid, name a user or team. */
function namesSubject(charge: Stripe.Charge | undefined, invoice: Stripe.Invoice | undefined): boolean {
  const metadata = { ...charge?.metadata, ...invoice?.parent?.subscription_details?.metadata };
  return Object.values(SUBJECT_METADATA_FIELD).some((key) => metadata[key] !== undefined);
}

/**
 * The invoice that a payment intent paid. Stripe attaches a payment intent to one invoice at a time.
 * https://docs.stripe.com/changelog/clover/2026-01-28/detach-payment-from-invoice
 */
export async function findInvoiceOfIntent(
  stripe: Stripe,
  paymentIntent: string,
): Promise<Stripe.Invoice | undefined> {
  return withStripeRefusals(async () => {
    const payment = { type: 'payment_intent', payment_intent: paymentIntent } as const;
    const [paid] = (await stripe.invoicePayments.list({ payment, limit: 1 })).data;
    return paid && stripe.invoices.retrieve(idOf(paid.invoice), { expand: ['payments'] });
  });
}
