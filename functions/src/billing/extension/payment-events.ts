import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { findCustomer } from '../customers/customer.store.ts';
import { idOf } from '../stripe/stripe-ids.ts';
import { copyCheckoutPayment, copyInvoicePayment, copyPaymentIntent } from './payments.service.ts';

/**
 * Copies the payment that an event is about, if there is one, to `payments/` for clients of the Stripe extension. Idempotent.
 * Payments of customers that are not ours are ignored.
 *
 * @throws Refusal `billing_unavailable`
 */
export async function copyForExtension(backend: Backend, event: Stripe.Event): Promise<void> {
  const copy = copierOf(event);
  const { customer: stripeCustomer } = event.data.object as { customer?: string | { id: string } | null };
  if (copy === undefined || !stripeCustomer) return;
  const found = await findCustomer(backend.db, idOf(stripeCustomer));
  if (found !== undefined) await copy(backend, found.id);
}

type Copy = (backend: Backend, customerId: string) => Promise<void>;

function copierOf({ type, data: { object } }: Stripe.Event): Copy | undefined {
  if (type === 'invoice.paid' && object.object === 'invoice') {
    return (backend, customerId) => copyInvoicePayment(backend, customerId, object.id);
  }
  if (object.object === 'payment_intent') {
    return (backend, customerId) => copyPaymentIntent(backend, customerId, object.id);
  }
  if (object.object === 'checkout.session' && object.payment_intent !== null) {
    const payment = { sessionId: object.id, intentId: idOf(object.payment_intent) };
    return (backend, customerId) => copyCheckoutPayment(backend, customerId, payment);
  }
  return undefined;
}
