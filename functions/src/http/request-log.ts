import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { countCosts, noCosts, type Costs } from '../common/costs.ts';
import { describeError, writeLog } from '../common/log.ts';
import { windowCounter } from '../rate-limits/window-counter.ts';
import { hasRefusalCode, type Refusal } from '../refusals/refusals.ts';
import { clientKeysOf } from './client-keys.ts';
import { expressPathOf } from './express-path.ts';
import { findCaller, localsOf } from './locals.ts';

/** Gives every request an id, for the answer and the log. */
export const requestId: RequestHandler = (_request, response, next) => {
  response.set('X-Request-Id', randomUUID());
  next();
};

/** Counts the costs of each request, for the log and for tracing. */
export const costCounter: RequestHandler = (_request, response, next) => {
  const costs = noCosts();
  localsOf(response).costs = costs;
  countCosts(costs, next);
};

export function costsOf(response: Pick<Response, 'locals'>): Costs {
  return localsOf(response).costs ?? noCosts();
}

/** Anybody may send it, a monitor does so all the time, and its line would say nothing. */
const UNLOGGED_ROUTE = 'getHealth';

/**
 * Logs one line for each request, except for a successful one of `UNLOGGED_ROUTE`. Path, query and headers are left
 * out, because they may contain ids and secrets.
 */
export function logRequests(routes: readonly { id: string; method: string; path: string }[]): RequestHandler {
  const ids = new Map(routes.map((route) => [`${route.method} ${expressPathOf(route)}`, route.id]));
  return (request, response, next) => {
    const startedAt = performance.now();
    const log = () => {
      // Express answers HEAD by the route of GET.
      const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
      const { path = '' } = (request.route as { path?: string } | undefined) ?? {};
      const route = ids.get(`${method} ${path}`) ?? 'unknown';
      if (route === UNLOGGED_ROUTE && response.statusCode === 200) return;
      writeLog({
        severity: 'INFO',
        message: `${route} ${response.statusCode}`,
        requestId: response.get('X-Request-Id'),
        route,
        method: request.method,
        status: response.statusCode,
        milliseconds: Math.round(performance.now() - startedAt),
        caller: callerKindOf(response),
        costs: costsOf(response),
        // The client left before the answer was complete.
        ...(!response.writableFinished && { aborted: true }),
      });
    };
    // Without `bind`, the line would lose the context of the request if the connection breaks.
    response.once('close', AsyncResource.bind(log));
    next();
  };
}

/** A request of an impersonation counts as the operator's. */
function callerKindOf(response: Response): 'nobody' | 'anonymous' | 'user' | 'operator' {
  const { caller } = localsOf(response);
  if (caller === undefined) return 'nobody';
  if (caller.impersonatedBy !== undefined) return 'operator';
  return caller.isAnonymous ? 'anonymous' : 'user';
}

/**
 * Logs a fault or an outage as an error with its stack, and any other refusal as one short line. Query, headers and the
 * secret of an invitation link in the path are left out. Over a rate limit, the line can name the sender.
 *
 * @param refusal the answer
 * @param thrown the error that led to the answer
 */
export function logRefusal(request: Request, response: Response, refusal: Refusal, thrown: unknown): void {
  const { status, code, cause } = refusal;
  const isOurs = refusal.kind !== 'caller';
  writeLog({
    severity: isOurs ? 'ERROR' : 'INFO',
    message: isOurs ? describeError(thrown) : `${status} ${code}`,
    requestId: response.get('X-Request-Id'),
    method: request.method,
    path: withoutSecrets(request.baseUrl + request.path),
    status,
    code,
    ...(isOurs && cause !== undefined && { cause: describeError(cause) }),
    ...(hasRefusalCode(refusal, 'too_many_requests') && limitedSender(request, response)),
  });
}

/** Counts the lines of each sender that name the sender: one in a minute. */
const namings = windowCounter({ points: 1, seconds: 60 });

/**
 * The sender of a request over a rate limit, so that an operator can find an attacker: the uid, or the address of the
 * client if the limit is reached before the user is known, such as in signing in and looking up. During an
 * impersonation the sender is the operator. Empty if a line of the last minute names the sender already, because the
 * log should have as few personal data as possible.
 */
function limitedSender(request: Request, response: Response): { uid?: string; client?: string } {
  const caller = findCaller(response);
  const uid = caller?.impersonatedBy?.operatorId ?? caller?.uid;
  const sender = uid === undefined ? { client: clientKeysOf(request).client } : { uid };
  const key = JSON.stringify(sender);
  if (namings.isFull(key)) return {};
  namings.count(key);
  return sender;
}

/**
 * The secret of an invitation link, `<id>.<secret>`. A client can percent-encode each character of a path, and append
 * others.
 */
const SECRET = /(?:\.|%2e)(?:[0-9a-f]|%[0-9a-f]{2}){40,}/gi;

function withoutSecrets(path: string): string {
  return path.replace(SECRET, '.…');
}
