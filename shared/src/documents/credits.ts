import * as z from 'zod/mini';

/** `credits/{customerId}` of a user or team: the sum of its entries. */
export const creditsSchema = z.object({
  /** Below zero if a payment was refunded whose credits were spent. */
  balance: z.number(),
  updatedAt: z.date(),
});

export type Credits = z.output<typeof creditsSchema>;
