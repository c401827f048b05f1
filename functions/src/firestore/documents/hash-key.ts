import * as z from 'zod';

/** `keys/hashes`: the random key of all keyed hashes. Created on first use and never changed. */
export const hashKeySchema = z.object({
  /** 32 random bytes, in base64url. */
  key: z.string(),
  createdAt: z.date(),
});

export type HashKey = z.output<typeof hashKeySchema>;
