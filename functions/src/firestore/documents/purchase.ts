import * as z from 'zod';
import { withCurrentNames } from './former-names.ts';

const fieldsSchema = z.object({
  /**
   * - `open`: the page can be paid.
   * - `processing`: the buyer has completed the page, and the money has not arrived yet.
   * - `paid`: the customer has the plan or the credits.
   * - `refunded`: the payment was refunded in full, or a dispute was lost. The plan or the credits are taken back.
   */
  status: z.enum(['open', 'processing', 'paid', 'refunded']),
  /** Slug of the plan or credit pack when it was bought. */
  item: z.string(),
  /** Lookup key of the price. The key decides the plan. */
  lookupKey: z.string(),
  /** Credits of all packs together; null for a plan. */
  credits: z.number().nullable(),
  priceId: z.string(),
  quantity: z.number(),
  /**
   * True for a bank transfer of which nothing had arrived when the customer ordered again. It hinders no order. If the
   * money arrives, the customer gets what was bought.
   */
  isAbandoned: z.literal(true).exactOptional(),
  /** Id of the promotion code at Stripe that a client chose. */
  promotionCodeId: z.string().exactOptional(),
  stripeReturnUrls: z.object({ success: z.string(), cancel: z.string() }),
  /** Id of the checkout session, once it exists. */
  sessionId: z.string().nullable(),
  /** Id of the payment intent, once it exists. A zero-amount payment has none. */
  paymentIntentId: z.string().nullable(),
  /** The paid amount in the smallest unit of the currency; null before the payment. */
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  createdAt: z.date(),
  paidAt: z.date().nullable(),
  refundedAt: z.date().nullable(),
  /** Ids of replaced purchases. Their pages are ended before this purchase gets a page. */
  replacedPurchaseIds: z.array(z.string()).exactOptional(),
  /** When a schedule asks Stripe for the state; null once the purchase is paid. */
  checkAt: z.date().nullable(),
});

/**
 * `customers/{customerId}/purchases/{purchaseId}`: a one-time purchase for a plan without an end, or for credits. The
 * id is chosen before the payment page exists. The metadata of the checkout session and of the charge have it.
 */
export const purchaseSchema = z.preprocess(withCurrentNames, fieldsSchema);

export type OneTimePurchase = z.output<typeof purchaseSchema>;
