/**
 * Copies the payments of events to `payments/`, for clients of the Stripe extension. Idempotent. Payments of unknown
 * Stripe customers are ignored.
 */
import type Stripe from 'stripe';
import type { Backend } from '../../backend.ts';
import { findByStripeCustomer } from '../customers/customer.store.ts';
import { idOf, type StripeReference } from '../stripe/stripe-ids.ts';
import { copyCheckoutPayment, copyInvoicePayment, copyPaymentIntent } from './payments.service.ts';

export async function copyInvoiceForExtension(
  backend: Backend,
  { data: { object } }: { data: { object: Stripe.Invoice } },
): Promise<void> {
  const customerId = await findCustomerId(backend, object.customer);
  if (customerId !== undefined) await copyInvoicePayment(backend, customerId, object.id);
}

export async function copyPaymentIntentForExtension(
  backend: Backend,
  { data: { object } }: { data: { object: Stripe.PaymentIntent } },
): Promise<void> {
  const customerId = await findCustomerId(backend, object.customer);
  if (customerId !== undefined) await copyPaymentIntent(backend, customerId, object.id);
}

export async function copyCheckoutForExtension(
  backend: Backend,
  { data: { object } }: { data: { object: Stripe.Checkout.Session } },
): Promise<void> {
  const { id, customer, payment_intent: intent } = object;
  if (intent === null) return;
  const customerId = await findCustomerId(backend, customer);
  if (customerId === undefined) return;
  await copyCheckoutPayment(backend, customerId, { sessionId: id, intentId: idOf(intent) });
}

async function findCustomerId(
  { db }: Backend,
  stripeCustomer: StripeReference | null,
): Promise<string | undefined> {
  return (await findByStripeCustomer(db, stripeCustomer))?.id;
}
