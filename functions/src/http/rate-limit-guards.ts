import type { Request, RequestHandler, Response } from 'express';
import type { Consume, InstanceCounter, Limiters } from '../rate-limits/limiters.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import type { RateLimit } from '../settings/rate-limits.ts';
import { clientKeysOf } from './client-keys.ts';
import { requireCaller } from './locals.ts';
import type { RouteLimit } from './route.ts';

export function rateLimitGuard(limiters: Limiters, declared: RouteLimit, config: Config): RequestHandler {
  const { by, points } = declared;
  const limit = declared.limit(config);
  return GUARD_BY[by](limiters, limit, points ?? (() => 1));
}

type PointsOf = (request: Request) => number;

type MakeGuard = (limiters: Limiters, limit: RateLimit, pointsOf: PointsOf) => RequestHandler;

const GUARD_BY: Record<RouteLimit['by'], MakeGuard> = {
  user: (limiters, limit, pointsOf) => limitUsers(limiters.acrossInstances(limit), limit, pointsOf),
  'user-per-instance': ({ perInstance }, limit, pointsOf) =>
    limitUsers(perInstance(limit).consume, limit, pointsOf),
  ip: limitByIp,
  'ip-per-instance': limitByIpPerInstance,
};

function limitUsers(consume: Consume, limit: RateLimit, pointsOf: PointsOf): RequestHandler {
  return guard(limit, pointsOf, (points, _request, response) => consume(requireCaller(response).uid, points));
}

function limitByIp(limiters: Limiters, limit: RateLimit, pointsOf: PointsOf): RequestHandler {
  const count = countClients(limiters.acrossInstances(limit), limiters.perInstance(limitOfHop(limit)));
  return guard(limit, pointsOf, count);
}

/** A count in memory costs no reads, and the people of an office do not contend for one document. */
export function limitByIpPerInstance(
  { perInstance }: Pick<Limiters, 'perInstance'>,
  limit: RateLimit,
  pointsOf: PointsOf = () => 1,
): RequestHandler {
  const count = countClients(perInstance(limit).consume, perInstance(limitOfHop(limit)));
  return guard(limit, pointsOf, count);
}

/**
 * Counts a request with a hop twice:
 *
 * 1. For its hop, in memory. A caller who forges many IP addresses has one hop, whose limit is reached soon.
 * 2. For its client, by `consumeClient`. If the client is over its limit, the hop gets its points back. Otherwise one
 *    client could use up the limit of all clients behind the hop.
 */
function countClients(consumeClient: Consume, hops: InstanceCounter): Count {
  return async (points, request) => {
    const { client, hop } = clientKeysOf(request);
    if (hop === undefined) return consumeClient(client, points);
    await hops.consume(hop, points);
    try {
      await consumeClient(client, points);
    } catch (error) {
      if (hasRefusalCode(error, 'too_many_requests')) await hops.giveBack(hop, points);
      throw error;
    }
  };
}

/** The limit of a hop is this many times the limit of a client, because many clients share one hop of Hosting. */
const CLIENTS_OF_A_HOP = 50;

function limitOfHop(limit: RateLimit): RateLimit {
  return { ...limit, name: `${limit.name}-by-hop`, points: limit.points * CLIENTS_OF_A_HOP };
}

type Count = (points: number, request: Request, response: Response) => Promise<void>;

/** A request with more points than the limit would be refused after each wait, so it is not valid. */
function guard(limit: RateLimit, pointsOf: PointsOf, count: Count): RequestHandler {
  return async (request, response, next) => {
    const points = pointsOf(request);
    if (points > limit.points) throw refusal('list_above_limit', { max: limit.points });
    if (points > 0) await count(points, request, response);
    next();
  };
}
