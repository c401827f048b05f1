import * as z from 'zod';

export const cartSchema = z.object({
  /** The price of the plan. */
  priceId: z.string(),
  quantity: z.number(),
  /** Seats, usage and add-ons. Usage has no quantity. */
  furtherItems: z
    .array(z.object({ priceId: z.string(), quantity: z.number().exactOptional() }))
    .exactOptional(),
  /** Ids of the subscriptions that end once this checkout is paid. */
  replaces: z.array(z.string()).exactOptional(),
  currency: z.string().exactOptional(),
  promotionCodeId: z.string().exactOptional(),
  /** Missing for `GET /api/auth/checkout/{slug}`. Then Stripe leads to `GET /api/auth/checkout/return`. */
  stripeReturnUrls: z.object({ success: z.string(), cancel: z.string() }).exactOptional(),
});

export type Cart = z.output<typeof cartSchema>;

/** The current checkout of a customer. A request for the same cart and trial days continues it. */
export const checkoutSchema = cartSchema.extend({
  trialDays: z.number(),
  /** `ownerId` of the subject when the checkout began. */
  ownerId: z.string(),
  /** The caller who began the checkout. */
  buyerId: z.string(),
  idempotencyKey: z.string(),
  /** Set once Stripe has created the session. */
  sessionId: z.string().exactOptional(),
  /** Ids of the sessions of earlier checkouts, to be expired. The field is removed once this checkout has a session. */
  replacedSessionIds: z.array(z.string()).exactOptional(),
});

export type StoredCheckout = z.output<typeof checkoutSchema>;
