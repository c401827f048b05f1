import * as z from 'zod';

/** The one checkout of a customer. */
const checkoutSchema = z.object({
  priceId: z.string(),
  quantity: z.number(),
  /** Free days before the first payment. */
  trialDays: z.number(),
  /** The uid of the user who answered for the customer when the checkout began. */
  ownerId: z.string(),
  /** The uid of the user who began it. */
  callerId: z.string(),
  /** Idempotency key for creating the session at Stripe. */
  key: z.string(),
  sessionId: z.string().exactOptional(),
});

export type Checkout = z.output<typeof checkoutSchema>;

/**
 * `customers/{customerId}` of a user (by uid) or a team (by its id), in the shape of the Stripe extension for Firebase,
 * plus what makes calls to Stripe idempotent.
 */
export const customerSchema = z.object({
  type: z.enum(['user', 'team']),
  email: z.string().nullable(),
  name: z.string().nullable(),
  /** Id of the Stripe customer, once it exists. */
  stripeId: z.string().exactOptional(),
  stripeLink: z.string().exactOptional(),
  /** Idempotency key for creating the Stripe customer: all requests use the one that the first chose. */
  creationKey: z.string(),
  /** When that key was chosen. */
  reservedAt: z.date(),
  /** The checkout that was begun last. */
  checkout: checkoutSchema.exactOptional(),
  /** Slug of the plan that the subscriptions give; missing before the first sync. */
  plan: z.string().exactOptional(),
  /** Lease of the process that sends the number of seats to Stripe. */
  seatSync: z.object({ key: z.string(), until: z.date() }).exactOptional(),
  /** When a deletion of the user or team last began: for a while nothing can be bought. */
  closedAt: z.date().exactOptional(),
});

export type CustomerDocument = z.output<typeof customerSchema>;
