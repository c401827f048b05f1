import * as z from 'zod';
import { DocumentPath } from '../convert.ts';
import { reference } from './reference.ts';

const itemSchema = z.object({
  id: z.string(),
  /** Id of the price. */
  price: z.string(),
  lookupKey: z.string().nullable(),
  /** Id of the product. */
  product: z.string(),
  quantity: z.number(),
});

type Item = z.output<typeof itemSchema>;

/**
 * A line item of Stripe, as the Stripe extension stores it.
 * https://docs.stripe.com/api/subscription_items/object
 */
const stripeItemSchema = z
  .object({
    id: z.string(),
    price: z.object({
      id: z.string(),
      lookup_key: z.string().nullish(),
      product: z.union([z.string(), z.object({ id: z.string() })]),
    }),
    quantity: z.number().optional(),
  })
  .transform(({ id, price, quantity = 1 }): Item => ({
    id,
    price: price.id,
    lookupKey: price.lookup_key ?? null,
    product: typeof price.product === 'string' ? price.product : price.product.id,
    quantity,
  }));

const invoiceSummarySchema = z.object({
  id: z.string(),
  /** https://docs.stripe.com/api/invoices/object#invoice_object-status */
  status: z.string().nullable(),
  /** In the currency's smallest unit. */
  amount_due: z.number(),
  currency: z.string(),
  created: z.date(),
  /** When Stripe tries again to charge for the invoice. */
  next_payment_attempt: z.date().nullable(),
  /** Page where the invoice can be paid. */
  hosted_invoice_url: z.string().nullable(),
});

export type InvoiceSummary = z.output<typeof invoiceSummarySchema>;

const collectionPausedSchema = z.object({
  /** https://docs.stripe.com/billing/subscriptions/pause-payment */
  behavior: z.string(),
  /** When Stripe collects payments again; null if no time was set. */
  resumes_at: z.date().nullable(),
});

const fieldsSchema = z.object({
  /**
   * Stripe may add statuses, so any text is accepted.
   * https://docs.stripe.com/api/subscriptions/object#subscription_object-status
   */
  status: z.string(),
  /** Slug of the plan. The extension calls it the role. */
  role: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  /** Old documents of the extension have no items. */
  items: z.array(z.union([itemSchema, stripeItemSchema])).default([]),
  // Our code reads the prices from `items`. The fields from `price` to `quantity` are for clients of the Stripe
  // extension, except `priceId`.
  /** The price of the first item. A document of an older version has the id of the price instead. */
  price: z.union([reference(), z.string()]).nullable(),
  /** The product of the first item. */
  product: reference().nullable().default(null),
  /** The prices of all items. */
  prices: z.array(reference()).default([]),
  /** Id of the first item's price. Null in documents of the extension and of older versions, until the next sync. */
  priceId: z.string().nullable().default(null),
  /** Quantity of the first item. */
  quantity: z.number().nullable(),
  cancel_at_period_end: z.boolean(),
  created: z.date(),
  current_period_start: z.date().nullable(),
  current_period_end: z.date().nullable(),
  cancel_at: z.date().nullable(),
  canceled_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  trial_start: z.date().nullable(),
  trial_end: z.date().nullable(),
  /** When the first unpaid invoice was due, sometimes estimated; null unless the subscription is past due. */
  past_due_since: z.date().nullable().default(null),
  /** End of the grace, or of a granted plan. A sync after the end of the grace sets null. */
  grace_until: z.date().nullable().default(null),
  /** Set while Stripe does not collect payments. */
  collection_paused: collectionPausedSchema.nullable().default(null),
  latest_invoice: invoiceSummarySchema.nullable().default(null),
  /** Id of the schedule with a planned change. Also set for a schedule that a person made in Stripe's dashboard. */
  schedule: z.string().nullable().default(null),
  stripeLink: z.string(),
});

/**
 * `customers/{customerId}/subscriptions/{subscriptionId}`, in the shape of the Stripe extension for Firebase, with more
 * fields. A document that the extension wrote is accepted too.
 */
export const subscriptionSchema = fieldsSchema.transform((fields) => {
  const { price, items } = fields;
  return { ...fields, price: typeof price === 'string' ? referenceOf(price, items) : price };
});

function referenceOf(priceId: string, items: readonly Item[]): DocumentPath | null {
  const product = items.find(({ price }) => price === priceId)?.product;
  return product === undefined ? null : pricePath(product, priceId);
}

export function pricePath(productId: string, priceId: string): DocumentPath {
  return new DocumentPath(`products/${productId}/prices/${priceId}`);
}

export type SubscriptionDocument = z.output<typeof subscriptionSchema>;

/**
 * True if the trial of a document is recorded in `trials/`. A document with `priceId` was written by this version,
 * which records the trial in the same transaction. The Stripe extension and older versions recorded no trials.
 */
export function isTrialRecorded({
  trial_start: trialStart,
  priceId,
}: Pick<SubscriptionDocument, 'trial_start' | 'priceId'>): boolean {
  return trialStart !== null && priceId !== null;
}

export interface SubscriptionWithId {
  id: string;
  data: SubscriptionDocument;
}

export type SubscriptionItem = SubscriptionDocument['items'][number];
