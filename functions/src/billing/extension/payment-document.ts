import type Stripe from 'stripe';
import { DocumentPath } from '../../firestore/convert.ts';
import type { PaymentDocument } from '../../firestore/documents/stripe-extension.ts';
import { idOf } from '../stripe/stripe-ids.ts';

/** The fields of a payment intent that clients read. */
export function intentFields(intent: Stripe.PaymentIntent): Omit<PaymentDocument, 'prices'> {
  return {
    amount: intent.amount,
    amount_capturable: intent.amount_capturable,
    amount_received: intent.amount_received,
    created: intent.created,
    currency: intent.currency,
    customer: intent.customer && idOf(intent.customer),
    description: intent.description,
    metadata: intent.metadata,
    payment_method_types: intent.payment_method_types,
    status: intent.status,
  };
}

/** The fields of an invoice that was paid without a payment intent, such as by bank transfer. */
export function paidInvoiceFields(invoice: Stripe.Invoice): Omit<PaymentDocument, 'prices'> {
  return {
    amount: invoice.amount_paid,
    amount_capturable: 0,
    amount_received: invoice.amount_paid,
    created: invoice.status_transitions.paid_at ?? invoice.created,
    currency: invoice.currency,
    customer: invoice.customer && idOf(invoice.customer),
    description: invoice.description,
    metadata: invoice.metadata ?? {},
    payment_method_types: [],
    status: 'succeeded',
  };
}

export function pricesOfLines(lines: readonly Stripe.InvoiceLineItem[]): DocumentPath[] {
  return distinct(
    lines.flatMap(({ pricing }) => {
      const details = pricing?.price_details;
      return details ? [pathOf(details.product, idOf(details.price))] : [];
    }),
  );
}

export function pricesOfItems(items: readonly Stripe.LineItem[]): DocumentPath[] {
  return distinct(items.flatMap(({ price }) => (price ? [pathOf(idOf(price.product), price.id)] : [])));
}

function pathOf(productId: string, priceId: string): string {
  return `products/${productId}/prices/${priceId}`;
}

function distinct(paths: readonly string[]): DocumentPath[] {
  return [...new Set(paths)].map((path) => new DocumentPath(path));
}
