import * as z from 'zod';

const itemSchema = z.object({
  id: z.string(),
  price: z.string(),
  lookupKey: z.string().nullable(),
  product: z.string(),
  quantity: z.number(),
});

const invoiceSummarySchema = z.object({
  id: z.string(),
  /** https://docs.stripe.com/api/invoices/object#invoice_object-status */
  status: z.string().nullable(),
  /** In the currency's smallest unit. */
  amount_due: z.number(),
  currency: z.string(),
  created: z.date(),
  /** When Stripe tries again to charge for it. */
  next_payment_attempt: z.date().nullable(),
  /** Page where it can be paid. */
  hosted_invoice_url: z.string().nullable(),
});

export type InvoiceSummary = z.output<typeof invoiceSummarySchema>;

/**
 * `customers/{customerId}/subscriptions/{subscriptionId}`, in the shape of the Stripe extension for Firebase, plus what a
 * client needs to show a failed payment.
 */
export const subscriptionSchema = z.object({
  /**
   * Stripe may add statuses, so any text is accepted.
   * https://docs.stripe.com/api/subscriptions/object#subscription_object-status
   */
  status: z.string(),
  /** Slug of the plan. The extension calls it the role. */
  role: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  items: z.array(itemSchema),
  /** Id of the first item's price. */
  price: z.string().nullable(),
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
  /** End of the grace of a past due subscription; null if it has none. */
  grace_until: z.date().nullable(),
  latest_invoice: invoiceSummarySchema.nullable(),
  stripeLink: z.string(),
});

export type SubscriptionDocument = z.output<typeof subscriptionSchema>;
