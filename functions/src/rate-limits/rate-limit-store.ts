import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Db } from '../firestore/db.ts';
import type { RateLimitCount } from '../firestore/documents/rate-limit.ts';
import type { RateLimit } from '../settings/rate-limits.ts';

/**
 * Counts in Firestore, so that a limit holds across all instances. An instance remembers a key that is over its limit,
 * and refuses further requests without a read. While Firestore does not answer, each instance counts for itself.
 *
 * Extends the library's base class for custom stores: https://github.com/animir/node-rate-limiter-flexible/wiki
 */
export class FirestoreRateLimiter extends RateLimiterStoreAbstract {
  readonly #db: Db;
  readonly #limit: RateLimit;
  readonly #now: () => Date;

  constructor(db: Db, limit: RateLimit, now: () => Date) {
    super({
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
      storeClient: db,
      inMemoryBlockOnConsumed: limit.points + 1,
      insuranceLimiter: memoryLimiter(limit),
    });
    this.#db = db;
    this.#limit = limit;
    this.#now = now;
  }

  async _upsert(key: string, points: number, windowMs: number, restart: boolean): Promise<RateLimitCount> {
    const id = idOf(key);
    const count = () =>
      this.#db.run(async (tx) => {
        const stored = await tx.rateLimits.get(id);
        const now = this.#now().getTime();
        const continues = stored !== undefined && stored.expiresAt.getTime() > now && !restart;
        const counted = continues
          ? { ...stored, points: stored.points + points }
          : { points, expiresAt: new Date(now + windowMs) };
        tx.rateLimits.set(id, counted);
        return counted;
      });
    return this.#db.within('rateLimit', count);
  }

  async _get(key: string): Promise<RateLimitCount | null> {
    const stored = await this.#db.rateLimits.get(idOf(key));
    return stored === undefined || stored.expiresAt <= this.#now() ? null : stored;
  }

  async _delete(key: string): Promise<boolean> {
    await this.#db.rateLimits.delete(idOf(key));
    return true;
  }

  _getRateLimiterRes(
    _key: string,
    pointsOfCall: number,
    { points, expiresAt }: RateLimitCount,
  ): RateLimiterRes {
    const left = Math.max(this.#limit.points - points, 0);
    return new RateLimiterRes(
      left,
      expiresAt.getTime() - this.#now().getTime(),
      points,
      points === pointsOfCall,
    );
  }
}

/** Counts points under a key. Returns the seconds to wait; undefined if the key is within its limit. */
export async function consumePoints(
  limiter: RateLimiterAbstract,
  key: string,
  points = 1,
): Promise<number | undefined> {
  try {
    await limiter.consume(key, points);
    return undefined;
  } catch (outcome) {
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    return Math.ceil(outcome.msBeforeNext / 1000);
  }
}

/**
 * Makes a counter for this instance alone. It needs no reads, and many requests of one key do not contend for one
 * document.
 */
export function memoryLimiter({ name, points, seconds }: RateLimit): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
}

/** The hash keeps IP addresses out of the database. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 40);
}
