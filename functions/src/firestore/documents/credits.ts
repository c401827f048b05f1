import * as z from 'zod';

export { creditsSchema, type Credits } from '@hearth/shared/documents/credits';

/**
 * `credits/{customerId}/entries/{entryId}`: one change of the balance. The id follows from the key of the change, so
 * that no change is made twice. Entries are never changed.
 */
export const creditEntrySchema = z.object({
  /** Added credits; negative if they were spent or taken back. */
  amount: z.number(),
  /** The balance after the change. */
  balance: z.number(),
  kind: z.enum(['bought', 'refunded', 'given', 'spent']),
  /** How credits were spent, or why they were given; for a payment the slug of the credit pack. */
  reason: z.string(),
  at: z.date(),
  /** A random id of the call that made the change, by which the call recognizes its own commit after a lost answer. */
  callId: z.string().exactOptional(),
});

export type CreditEntry = z.output<typeof creditEntrySchema>;
