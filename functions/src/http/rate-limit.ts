import type { Request, RequestHandler, Response } from 'express';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { lazy } from '../common/lazy.ts';
import type { Backend } from '../backend.ts';
import { callerOf } from '../auth/caller.ts';
import { addressesOf } from './client-address.ts';
import { refuse } from '../refusals.ts';
import type { RateLimit } from '../settings/limits.ts';

/** How many clients at their limit may share one last hop, such as an edge of Hosting, in one instance. */
const CLIENTS_OF_A_HOP = 50;

type Consume = (key: string, points?: number) => Promise<void>;

/**
 * Limits what each signed-in user does.
 *
 * @param pointsOf how much of it a request asks for
 */
export function limitByUser(
  backend: Backend,
  limit: RateLimit,
  pointsOf: (request: Request) => number = () => 1,
): RequestHandler {
  const consume = rateLimiter(backend, limit);
  return middleware((request, response) => consume(callerOf(response).uid, pointsOf(request)));
}

/** Limits requests by address, for routes that are open to everyone. The last hop is counted in each instance. */
export function limitByAddress(backend: Backend, limit: RateLimit): RequestHandler {
  const consumeClient = rateLimiter(backend, limit);
  const consumeHop = inThisInstance(ofHop(limit));
  return middleware(async (request) => {
    const { client, hop } = addressesOf(request);
    if (hop !== undefined) await consumeHop(hop);
    await consumeClient(client);
  });
}

/**
 * Limits what all signed-in users of one address do together, in each instance for itself: that costs no reads, and an
 * office that works on one document of counts would be in its own way.
 *
 * @param pointsOf how much of it a request asks for
 */
export function limitByAddressHere(
  limit: RateLimit,
  pointsOf: (request: Request) => number = () => 1,
): RequestHandler {
  const consumeClient = inThisInstance(limit);
  const consumeHop = inThisInstance(ofHop(limit));
  return middleware(async (request) => {
    const { client, hop } = addressesOf(request);
    const points = pointsOf(request);
    if (hop !== undefined) await consumeHop(hop, points);
    await consumeClient(client, points);
  });
}

/** All clients behind one last hop together. */
function ofHop(limit: RateLimit): RateLimit {
  return { ...limit, name: `${limit.name}-by-hop`, points: limit.points * CLIENTS_OF_A_HOP };
}

function middleware(limit: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return async (request, response, next) => {
    await limit(request, response);
    next();
  };
}

/** Counts under a key, in all instances together; throws Refusal 429 when it is over the limit. */
export function rateLimiter({ firestore, now }: Backend, limit: RateLimit): Consume {
  return consumer(({ FirestoreRateLimiter }) => new FirestoreRateLimiter(firestore, limit, now));
}

/** Counts under a key, in this instance alone; throws Refusal 429 when it is over the limit. */
export function inThisInstance(limit: RateLimit): Consume {
  return consumer(({ memoryLimiter }) => memoryLimiter(limit));
}

/** The library loads with the first limited request. */
function consumer(create: (store: typeof import('./rate-limit-store.ts')) => RateLimiterAbstract): Consume {
  const open = lazy(async () => {
    const store = await import('./rate-limit-store.ts');
    return { limiter: create(store), take: store.take };
  });
  return async (key, points) => {
    const { limiter, take } = await open();
    const seconds = await take(limiter, key, points);
    if (seconds !== undefined) throw refuse('too_many_requests', {}, { retryAfter: seconds });
  };
}
