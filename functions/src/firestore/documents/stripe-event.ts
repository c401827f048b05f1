import * as z from 'zod';

/**
 * `stripeEvents/{eventId}`: exists once a sync for the event has committed, or the reconciliation has handled the
 * event. After a sync, later steps of the event, such as a mail, may still be missing.
 */
export const stripeEventSchema = z.object({
  type: z.string(),
  processedAt: z.date(),
  expiresAt: z.date(),
  /** When the reconciliation has handled the event with all of its steps, because Stripe could not deliver it. */
  recoveredAt: z.date().exactOptional(),
});

export type StripeEventDocument = z.output<typeof stripeEventSchema>;
