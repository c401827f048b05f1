import * as z from 'zod';

/**
 * `customers/{uid}/checkout_sessions/{id}`: a client of the Stripe extension for Firebase writes what it wants to buy, and we
 * add the answer. A client may write any value, so the fields are validated when the document is answered.
 */
export const checkoutSessionSchema = z.looseObject({
  /** Id of the session at Stripe. Its presence tells the client that `url` is there. */
  sessionId: z.unknown().exactOptional(),
  /** The page where the user pays. */
  url: z.unknown().exactOptional(),
  /** When the document was answered. */
  created: z.unknown().exactOptional(),
  /** Why there is no page: `{ message }`. */
  error: z.unknown().exactOptional(),
  /** When Firestore's TTL policy deletes it. */
  deleteAt: z.unknown().exactOptional(),
});

export type CheckoutSessionDocument = z.output<typeof checkoutSessionSchema>;
