import * as z from 'zod';

/** `rateLimits/{hash}`: requests in a window. The hash keeps addresses out of the database. */
export const rateLimitSchema = z.object({ points: z.number(), expiresAt: z.date() });

export type RateLimitCount = z.output<typeof rateLimitSchema>;
