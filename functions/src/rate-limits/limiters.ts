import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Backend } from '../backend.ts';
import { lazy } from '../common/lazy.ts';
import { refusal } from '../refusals/refusals.ts';
import type { RateLimit } from '../settings/rate-limits.ts';

/**
 * Counts points under a key. By default it counts one point.
 *
 * @throws Refusal `too_many_requests` over the limit
 */
export type Consume = (key: string, points?: number) => Promise<void>;

/** Makes the counters of rate limits. Limits with the same name share one counter. */
export interface Limiters {
  /** Counts in Firestore, for all instances. Points cannot be given back. */
  shared: (limit: RateLimit) => Consume;
  perInstance: (limit: RateLimit) => InstanceCounter;
}

/** Counts in the memory of this instance. */
export interface InstanceCounter {
  consume: Consume;
  /** Gives counted points back to a key. */
  giveBack: (key: string, points: number) => Promise<void>;
}

export function createLimiters(backend: Pick<Backend, 'db' | 'now'>): Limiters {
  return {
    shared: oncePerName((limit) => sharedCounter(backend, limit)),
    perInstance: oncePerName(instanceCounter),
  };
}

function oncePerName<Counter>(create: (limit: RateLimit) => Counter): (limit: RateLimit) => Counter {
  const created = new Map<string, Counter>();
  return (limit) => {
    const counter = created.get(limit.name) ?? create(limit);
    created.set(limit.name, counter);
    return counter;
  };
}

/** Counts in Firestore, for all instances. */
export function sharedCounter({ db, now }: Pick<Backend, 'db' | 'now'>, limit: RateLimit): Consume {
  return consumeWith(lazyLimiter(({ FirestoreRateLimiter }) => new FirestoreRateLimiter(db, limit, now)));
}

function instanceCounter(limit: RateLimit): InstanceCounter {
  const open = lazyLimiter(({ memoryLimiter }) => memoryLimiter(limit));
  return {
    consume: consumeWith(open),
    giveBack: async (key, points) => {
      await (await open()).limiter.reward(key, points);
    },
  };
}

type StoreModule = typeof import('./rate-limit-store.ts');

type OpenLimiter = () => Promise<{ limiter: RateLimiterAbstract; store: StoreModule }>;

/** The library loads with the first request that is counted. */
function lazyLimiter(create: (store: StoreModule) => RateLimiterAbstract): OpenLimiter {
  return lazy(async () => {
    const store = await import('./rate-limit-store.ts');
    return { limiter: create(store), store };
  });
}

function consumeWith(open: OpenLimiter): Consume {
  return async (key, points) => {
    const { limiter, store } = await open();
    const seconds = await store.consumePoints(limiter, key, points);
    if (seconds !== undefined) throw refusal('rate_limit_reached', { wait: seconds });
  };
}
