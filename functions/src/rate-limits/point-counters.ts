import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Db } from '../firestore/db.ts';
import type { RateLimitCount } from '../firestore/documents/rate-limit.ts';
import type { RateLimit } from '../settings/rate-limits.ts';
import { countIdOf, countInWindow } from './stored-count.ts';

/** Counts points in a limiter of the library. A request that is refused counts nothing. */
export interface PointCounter {
  /** Counts points under a key. Returns the seconds to wait; undefined if the key is within its limit. */
  readonly consume: (key: string, points?: number) => Promise<number | undefined>;
  /** Gives counted points back to a key. */
  readonly giveBack: (key: string, points: number) => Promise<void>;
}

export function firestoreCounter(db: Db, limit: RateLimit, now: () => Date): PointCounter {
  return counterOf(new FirestoreRateLimiter(db, limit, now));
}

/** Counts for this instance alone. It needs no reads, and many requests of one key do not contend for one document. */
export function memoryCounter(limit: RateLimit): PointCounter {
  return counterOf(memoryLimiter(limit));
}

function counterOf(limiter: RateLimiterAbstract): PointCounter {
  return {
    consume: async (key, points = 1) => {
      try {
        await limiter.consume(key, points);
        return undefined;
      } catch (outcome) {
        if (!(outcome instanceof RateLimiterRes)) throw outcome;
        return Math.ceil(outcome.msBeforeNext / 1000);
      }
    },
    giveBack: async (key, points) => {
      await limiter.reward(key, points);
    },
  };
}

/** Points above the limit in the count of a refusal, if the key has points left, and if it has none. */
const SOME_LEFT = 1;
const NOTHING_LEFT = 2;

/**
 * Counts in Firestore, so that a limit holds across all instances. An instance remembers a key that has no points left,
 * and refuses further requests without a read. While Firestore does not answer, each instance counts for itself.
 *
 * Extends the library's base class for custom stores: https://github.com/animir/node-rate-limiter-flexible/wiki
 */
class FirestoreRateLimiter extends RateLimiterStoreAbstract {
  readonly #db: Db;
  readonly #limit: RateLimit;
  readonly #now: () => Date;

  constructor(db: Db, limit: RateLimit, now: () => Date) {
    super({
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
      storeClient: db,
      // If a count is this high, the library refuses the key until its window ends, without asking Firestore.
      inMemoryBlockOnConsumed: limit.points + NOTHING_LEFT,
      insuranceLimiter: memoryLimiter(limit),
    });
    this.#db = db;
    this.#limit = limit;
    this.#now = now;
  }

  /** @param restart true if the library begins a new window, whatever is stored */
  async _upsert(key: string, points: number, windowMs: number, restart: boolean): Promise<RateLimitCount> {
    const id = countIdOf(key);
    const count = () =>
      this.#db.run(async (tx) => {
        const stored = await tx.rateLimits.get(id);
        const counted = countInWindow(restart ? undefined : stored, this.#now().getTime(), windowMs);
        const total = counted.points + points;
        // Not stored: a request with fewer points may still be within the limit.
        if (total > this.#limit.points) return { ...counted, points: this.#countOfRefusal(counted) };
        tx.rateLimits.set(id, { ...counted, points: total });
        return { ...counted, points: total };
      });
    // If Firestore is late, `insuranceLimiter` counts instead.
    return this.#db.limitWaits('rateLimit', count);
  }

  /** A count above the limit, by which the library refuses a request. */
  #countOfRefusal({ points }: RateLimitCount): number {
    return this.#limit.points + (points < this.#limit.points ? SOME_LEFT : NOTHING_LEFT);
  }

  async _get(key: string): Promise<RateLimitCount | null> {
    const stored = await this.#db.rateLimits.get(countIdOf(key));
    return stored === undefined || stored.expiresAt <= this.#now() ? null : stored;
  }

  async _delete(key: string): Promise<boolean> {
    await this.#db.rateLimits.delete(countIdOf(key));
    return true;
  }

  _getRateLimiterRes(
    _key: string,
    pointsOfCall: number,
    { points, expiresAt }: RateLimitCount,
  ): RateLimiterRes {
    const left = Math.max(this.#limit.points - points, 0);
    const leftMs = expiresAt.getTime() - this.#now().getTime();
    const isFirstInWindow = points === pointsOfCall;
    return new RateLimiterRes(left, leftMs, points, isFirstInWindow);
  }
}

class MemoryRateLimiter extends RateLimiterMemory {
  override async consume(...request: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    try {
      return await super.consume(...request);
    } catch (outcome) {
      // The library has counted the refused points.
      if (outcome instanceof RateLimiterRes) await this.reward(...request);
      throw outcome;
    }
  }
}

function memoryLimiter({ name, points, seconds }: RateLimit): MemoryRateLimiter {
  return new MemoryRateLimiter({ keyPrefix: name, points, duration: seconds });
}
