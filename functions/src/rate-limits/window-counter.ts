import { LRUCache } from 'lru-cache';
import { refusal } from '../refusals/refusals.ts';
import type { RateLimit } from '../settings/rate-limits.ts';

/** Bounds the memory to a few MB. */
const MAX_KEYS = 10_000;

/** Counts requests under a key in the memory of this instance. */
export interface WindowCounter {
  /** Throws Refusal `rate_limit_reached` over the limit. */
  readonly count: (key: string) => void;
  /** True if `count` would throw. */
  readonly isFull: (key: string) => boolean;
  /** Gives a counted request back to a key. */
  readonly giveBack: (key: string) => void;
}

/**
 * Synchronous, so that no request of a burst passes while an earlier one is being counted. The package of the other
 * limits is not used, because loading it would delay the first request of an instance.
 *
 * @param clock a monotonic clock in milliseconds
 */
export function windowCounter(
  { points, seconds }: Pick<RateLimit, 'points' | 'seconds'>,
  clock = () => performance.now(),
): WindowCounter {
  const windows = new LRUCache<string, { readonly count: number; readonly endsAt: number }>({
    max: MAX_KEYS,
  });
  const windowOf = (key: string, now: number) => {
    const stored = windows.get(key);
    return stored !== undefined && now < stored.endsAt ? stored : { count: 0, endsAt: now + seconds * 1000 };
  };
  return {
    count: (key) => {
      const now = clock();
      const { count, endsAt } = windowOf(key, now);
      if (count >= points) throw refusal('rate_limit_reached', { wait: Math.ceil((endsAt - now) / 1000) });
      windows.set(key, { count: count + 1, endsAt });
    },
    isFull: (key) => windowOf(key, clock()).count >= points,
    giveBack: (key) => {
      const { count, endsAt } = windowOf(key, clock());
      windows.set(key, { count: Math.max(count - 1, 0), endsAt });
    },
  };
}
