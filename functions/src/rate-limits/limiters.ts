import type { Backend } from '../backend.ts';
import { lazy } from '../common/lazy.ts';
import { refusal } from '../refusals/refusals.ts';
import type { RateLimit } from '../settings/rate-limits.ts';
import type { PointCounter } from './point-counters.ts';

/**
 * Counts points under a key. By default it counts one point.
 *
 * @throws Refusal `rate_limit_reached` over the limit
 */
export type Consume = (key: string, points?: number) => Promise<void>;

/** Makes the counters of rate limits. Limits with the same name share one counter. */
export interface Limiters {
  /** Counts in Firestore, for all instances. Points cannot be given back. */
  acrossInstances: (limit: RateLimit) => Consume;
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
    acrossInstances: oncePerName((limit) => counterAcrossInstances(backend, limit)),
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

/** The module loads its library with the first request that is counted. */
const loadCounters = () => import('./point-counters.ts');

/** Counts in Firestore, for all instances. */
export function counterAcrossInstances({ db, now }: Pick<Backend, 'db' | 'now'>, limit: RateLimit): Consume {
  return consumeBy(lazy(async () => (await loadCounters()).firestoreCounter(db, limit, now)));
}

function instanceCounter(limit: RateLimit): InstanceCounter {
  const loadCounter = lazy(async () => (await loadCounters()).memoryCounter(limit));
  return {
    consume: consumeBy(loadCounter),
    giveBack: async (key, points) => (await loadCounter()).giveBack(key, points),
  };
}

function consumeBy(loadCounter: () => Promise<PointCounter>): Consume {
  return async (key, points) => {
    const counter = await loadCounter();
    const secondsToWait = await counter.consume(key, points);
    if (secondsToWait !== undefined) throw refusal('rate_limit_reached', { wait: secondsToWait });
  };
}
