import * as z from 'zod';

/** `credits/{customerId}` of a user or team: the sum of its entries. */
export const creditsSchema = z.object({
  /** Below zero if a payment was refunded whose credits were spent. */
  balance: z.number(),
  updatedAt: z.date(),
});

export type Credits = z.output<typeof creditsSchema>;

/**
 * `credits/{customerId}/entries/{entryId}`: one change of the balance. The id follows from the key of the change, so that
 * none is made twice. Entries are never changed.
 */
export const creditEntrySchema = z.object({
  /** Added credits; negative if they were spent or taken back. */
  amount: z.number(),
  /** The balance after the change. */
  balance: z.number(),
  kind: z.enum(['bought', 'refunded', 'given', 'spent']),
  /** The use of spent credits or the occasion of given ones; for a payment the slug of the credit pack. */
  reason: z.string(),
  at: z.date(),
});

export type CreditEntry = z.output<typeof creditEntrySchema>;
