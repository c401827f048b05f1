import * as z from 'zod';
import { reference } from './reference.ts';

/**
 * `customers/{uid}/checkout_sessions/{id}`: a client of the Stripe extension for Firebase writes what it wants to buy,
 * and we add the answer. A client may write any value, so the fields are validated when the document is answered.
 */
export const checkoutSessionSchema = z.looseObject({
  /** Id of the session at Stripe. Set together with `url`. Clients wait for one of these fields. */
  sessionId: z.unknown().exactOptional(),
  url: z.unknown().exactOptional(),
  /** When the document was answered. */
  created: z.unknown().exactOptional(),
  /** Why there is no page: `{ message }`. */
  error: z.unknown().exactOptional(),
  /** When Firestore's TTL policy deletes the document. */
  deleteAt: z.unknown().exactOptional(),
});

export type CheckoutSessionDocument = z.output<typeof checkoutSessionSchema>;

/**
 * `customers/{customerId}/payments/{id}`, in the shape of the Stripe extension: a payment intent with the prices that
 * it paid for. The id is that of the payment intent, or that of the invoice if the invoice was paid without a payment
 * intent. In a document of the extension any field may be missing.
 */
export const paymentSchema = z.looseObject({
  /** In the currency's smallest unit, like the other amounts. */
  amount: z.number().exactOptional(),
  amount_capturable: z.number().exactOptional(),
  amount_received: z.number().exactOptional(),
  /** In seconds since 1970, as Stripe has it. */
  created: z.number().exactOptional(),
  currency: z.string().exactOptional(),
  /** Id of the Stripe customer. */
  customer: z.string().nullable().exactOptional(),
  description: z.string().nullable().exactOptional(),
  /** Id of the invoice that was paid; null for a payment without one. */
  invoice: z.string().nullable().exactOptional(),
  metadata: z.record(z.string(), z.string()).exactOptional(),
  payment_method_types: z.array(z.string()).exactOptional(),
  /** https://docs.stripe.com/api/payment_intents/object#payment_intent_object-status */
  status: z.string().exactOptional(),
  prices: z.array(reference()).default([]),
});

export type PaymentDocument = z.output<typeof paymentSchema>;

/**
 * `customers/{customerId}/subscriptions/{subscriptionId}/invoices/{invoiceId}`: invoices that the extension copied. We
 * write none, and delete them with the customer.
 */
export const extensionInvoiceSchema = z.looseObject({});
