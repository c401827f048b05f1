import * as z from 'zod/mini';

/** `credits/{customerId}`: the credits of a user or team. */
export const creditsSchema = z.object({
  /** The sum of all entries. Below zero if a payment was refunded after its credits were spent. */
  balance: z.number(),
  updatedAt: z.date(),
});

export type Credits = z.output<typeof creditsSchema>;
