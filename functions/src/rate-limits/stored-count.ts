import { createHash } from 'node:crypto';
import type { Tx } from '../firestore/db.ts';
import type { RateLimitCount } from '../firestore/documents/rate-limit.ts';
import type { RateLimit } from '../settings/rate-limits.ts';

/** Id of the document with the count of a key. The hash keeps addresses out of the database. */
export function countIdOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 40);
}

/** The stored count while its window continues, otherwise that of a new window. */
export function countInWindow(
  stored: RateLimitCount | undefined,
  now: number,
  windowMs: number,
): RateLimitCount {
  if (stored !== undefined && stored.expiresAt.getTime() > now) return stored;
  return { points: 0, expiresAt: new Date(now + windowMs) };
}

/**
 * Counts a point under a key in the transaction of another change, so that both commit or neither does. It costs one
 * read and one write, also over the limit.
 *
 * @returns false over the limit. Then nothing is counted
 */
export async function countInTransaction(
  tx: Tx,
  { name, points, seconds }: RateLimit,
  key: string,
  now: Date,
): Promise<boolean> {
  const id = countIdOf(`${name}:${key}`);
  const counted = countInWindow(await tx.rateLimits.get(id), now.getTime(), seconds * 1000);
  const isWithinLimit = counted.points < points;
  tx.rateLimits.set(id, { ...counted, points: counted.points + (isWithinLimit ? 1 : 0) });
  return isWithinLimit;
}
