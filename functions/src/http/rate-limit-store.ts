import { createHash } from 'node:crypto';
import type { DocumentReference, Firestore, Timestamp } from 'firebase-admin/firestore';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import { transact } from '../firestore/transaction.ts';
import type { RateLimit } from '../settings/limits.ts';

/** `rateLimits/{hash}`; the hash keeps addresses out of the database. */
interface Count {
  points: number;
  expiresAt: Date;
}

type StoredCount = Omit<Count, 'expiresAt'> & { expiresAt: Timestamp };

/**
 * Counts in Firestore, so that a limit holds across all instances. Requests over the limit are refused from memory,
 * so an attacker causes no more reads. While Firestore does not answer, each instance counts for itself.
 *
 * The base class is the library's for stores of one's own: https://github.com/animir/node-rate-limiter-flexible/wiki
 */
export class FirestoreRateLimiter extends RateLimiterStoreAbstract {
  readonly #firestore: () => Promise<Firestore>;
  readonly #limit: RateLimit;
  readonly #now: () => Date;

  constructor(firestore: () => Promise<Firestore>, limit: RateLimit, now: () => Date) {
    super({
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
      storeClient: firestore,
      inMemoryBlockOnConsumed: limit.points + 1,
      insuranceLimiter: memoryLimiter(limit),
    });
    this.#firestore = firestore;
    this.#limit = limit;
    this.#now = now;
  }

  async _upsert(key: string, points: number, windowMs: number, restart: boolean): Promise<Count> {
    const firestore = await this.#firestore();
    const ref = refOf(firestore, key);
    return transact(firestore, async (transaction) => {
      const stored = (await transaction.get(ref)).data() as StoredCount | undefined;
      const now = this.#now().getTime();
      const goesOn = stored !== undefined && stored.expiresAt.toMillis() > now && !restart;
      const count: Count = goesOn
        ? { points: stored.points + points, expiresAt: stored.expiresAt.toDate() }
        : { points, expiresAt: new Date(now + windowMs) };
      transaction.set(ref, count);
      return count;
    });
  }

  async _get(key: string): Promise<Count | null> {
    const ref = refOf(await this.#firestore(), key);
    const stored = (await ref.get()).data() as StoredCount | undefined;
    if (stored === undefined || stored.expiresAt.toMillis() <= this.#now().getTime()) return null;
    return { points: stored.points, expiresAt: stored.expiresAt.toDate() };
  }

  async _delete(key: string): Promise<boolean> {
    await refOf(await this.#firestore(), key).delete();
    return true;
  }

  _getRateLimiterRes(_key: string, changed: number, { points, expiresAt }: Count): RateLimiterRes {
    const left = Math.max(this.#limit.points - points, 0);
    return new RateLimiterRes(left, expiresAt.getTime() - this.#now().getTime(), points, points === changed);
  }
}

/** Counts a request as `points`. Returns the seconds to wait, or undefined if the request is within the limit. */
export async function take(
  limiter: RateLimiterAbstract,
  key: string,
  points = 1,
): Promise<number | undefined> {
  try {
    await limiter.consume(key, points);
    return undefined;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.ceil(refusal.msBeforeNext / 1000);
  }
}

/** Counts in this instance alone, for keys that many requests share: they would contend for one document. */
export function memoryLimiter({ name, points, seconds }: RateLimit): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
}

function refOf(firestore: Firestore, key: string): DocumentReference {
  return firestore.doc(`rateLimits/${createHash('sha256').update(key).digest('hex').slice(0, 40)}`);
}
