import type { RequestHandler } from 'express';
import type { Caller } from '../auth/caller.ts';
import { requireOperator } from '../auth/recent-sign-in.ts';
import type { WindowCounter } from '../rate-limits/window-counter.ts';
import { refusal } from '../refusals/refusals.ts';
import { findCaller, localsOf, requireCaller } from './locals.ts';
import { isWrite, type GuardDeclaration } from './route.ts';

export interface CallerGuardDependencies {
  readonly now: () => Date;
  /** Counts the writes of each user, for all routes together. */
  readonly writes: WindowCounter;
  /** Counts the other requests of each user, for all routes together. */
  readonly reads: WindowCounter;
  readonly recordImpersonated: (caller: Caller, request: string) => Promise<void>;
}

/**
 * The guard of a route for operators.
 *
 * @throws Refusal as `requireOperator`
 */
export function operatorGuard(
  { now }: CallerGuardDependencies,
  declaration: GuardDeclaration,
): RequestHandler {
  return (request, response, next) => {
    requireOperator(requireCaller(response), { now: now(), changes: isWrite(declaration, request.method) });
    next();
  };
}

/**
 * Counts a request of a user, as a write or as a read.
 *
 * @throws Refusal `rate_limit_reached`
 */
export function userRequestCountGuard(
  { writes, reads }: CallerGuardDependencies,
  declaration: GuardDeclaration,
): RequestHandler {
  return (request, response, next) => {
    const caller = findCaller(response);
    if (caller !== undefined) {
      const counter = isWrite(declaration, request.method) ? writes : reads;
      counter.count(caller.uid);
      // Otherwise the thief of an ended session could use up the requests of its user.
      localsOf(response).sessionCheck?.catch(() => {
        counter.giveBack(caller.uid);
      });
    }
    next();
  };
}

/**
 * Refuses a write of an operator who impersonates the caller. If the route allows the write, records it instead.
 *
 * @throws Refusal `impersonation_not_allowed`
 */
export function impersonationGuard(
  { recordImpersonated }: CallerGuardDependencies,
  declaration: GuardDeclaration,
): RequestHandler {
  return async (request, response, next) => {
    const caller = findCaller(response);
    if (caller?.impersonatedBy !== undefined && isWrite(declaration, request.method)) {
      if (declaration.impersonation !== 'allowed') throw refusal('impersonation_not_allowed');
      await recordImpersonated(caller, `${request.method} ${request.path}`);
    }
    next();
  };
}
