import type { Request, RequestHandler, Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Backend } from '../../backend.ts';
import { lazy } from '../../common/lazy.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import type { RateLimit } from '../../settings/rate-limits.ts';
import { requireCaller } from '../authenticate.ts';
import type { RouteLimit } from '../route.ts';
import { clientIpsOf } from './client-ip.ts';

/**
 * The limit of a last hop is this many times the limit of one client. The last hop is the address that has called
 * Google's front end (see `ClientIps`). Behind Hosting many clients share one last hop. Hops are counted in the memory
 * of each instance.
 */
const CLIENTS_OF_A_HOP = 50;

/**
 * Counts points under a key; one by default.
 *
 * @throws Refusal `too_many_requests` over the limit
 */
export type Consume = (key: string, points?: number) => Promise<void>;

/** The counters of an app. Routes with the same limit count together. */
export interface Limiters {
  /** Counts in Firestore, in all instances together. */
  shared: (limit: RateLimit) => Consume;
  perInstance: (limit: RateLimit) => InstanceCounter;
}

/** A count in the memory of this instance. */
export interface InstanceCounter {
  consume: Consume;
  /** Takes back points that were counted. */
  giveBack: (key: string, points: number) => Promise<void>;
}

export function createLimiters(backend: Pick<Backend, 'db' | 'now'>): Limiters {
  return {
    shared: oncePerName((limit) => rateLimiter(backend, limit)),
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

export function limitBy(limiters: Limiters, declared: RouteLimit, config: Config): RequestHandler {
  const { by, points } = declared;
  const limit = declared.limit(config);
  return GUARD_BY[by](limiters, limit, points ?? (() => 1));
}

type PointsOf = (request: Request) => number;

type MakeGuard = (limiters: Limiters, limit: RateLimit, pointsOf: PointsOf) => RequestHandler;

const GUARD_BY: Record<RouteLimit['by'], MakeGuard> = {
  user: limitByUser,
  ip: limitByIp,
  'ip-per-instance': limitByIpPerInstance,
};

function limitByUser(limiters: Limiters, limit: RateLimit, pointsOf: PointsOf): RequestHandler {
  const consume = limiters.shared(limit);
  return guard((request, response) => consume(requireCaller(response).uid, pointsOf(request)));
}

function limitByIp(limiters: Limiters, limit: RateLimit, pointsOf: PointsOf): RequestHandler {
  return limitClients(limiters.shared(limit), limiters.perInstance(ofHop(limit)), pointsOf);
}

/**
 * Limits all requests from one IP address, by a count in the memory of each instance. The count costs no reads, and the
 * people of an office do not contend for one document.
 */
export function limitByIpPerInstance(
  { perInstance }: Pick<Limiters, 'perInstance'>,
  limit: RateLimit,
  pointsOf: PointsOf = () => 1,
): RequestHandler {
  return limitClients(perInstance(limit).consume, perInstance(ofHop(limit)), pointsOf);
}

/**
 * Counts the hop first, in memory, so that forged addresses cause no counts in Firestore. If the limit of the client
 * refuses a request, the hop gets its points back. Otherwise one client could use up the limit of all behind its hop.
 */
function limitClients(consumeClient: Consume, hops: InstanceCounter, pointsOf: PointsOf): RequestHandler {
  return guard(async (request) => {
    const { clientAndHop, hop } = clientIpsOf(request);
    const points = pointsOf(request);
    if (hop === undefined) return consumeClient(clientAndHop, points);
    await hops.consume(hop, points);
    try {
      await consumeClient(clientAndHop, points);
    } catch (error) {
      await hops.giveBack(hop, points);
      throw error;
    }
  });
}

function ofHop(limit: RateLimit): RateLimit {
  return { ...limit, name: `${limit.name}-by-hop`, points: limit.points * CLIENTS_OF_A_HOP };
}

function guard(count: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return async (request, response, next) => {
    await count(request, response);
    next();
  };
}

/** Makes a counter in Firestore, for all instances together. */
export function rateLimiter({ db, now }: Pick<Backend, 'db' | 'now'>, limit: RateLimit): Consume {
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

type Store = typeof import('./rate-limit-store.ts');

type OpenLimiter = () => Promise<{ limiter: RateLimiterAbstract; store: Store }>;

/** The library loads with the first request that is counted. */
function lazyLimiter(create: (store: Store) => RateLimiterAbstract): OpenLimiter {
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
