import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import { credentialsOf } from '../auth/credentials.ts';
import { identify, type StateAge, type IdentifyDependencies, type Identified } from '../auth/identify.ts';
import { requireOperator } from '../auth/recent-sign-in.ts';
import { isRefusal, refuse } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { localsOf } from './locals.ts';
import { requireOwnOrigin } from './origin.ts';
import { isSafe, isWrite, needsCurrentUser, type RouteGuards } from './route.ts';
import { redirectBrowserToSignIn, redirectToSignIn } from './sign-in-redirect.ts';

/** Dependencies of the authentication of all routes. */
export interface AuthenticationDependencies extends IdentifyDependencies {
  readonly config: Config;
  /** Counts one write of a user; throws Refusal `too_many_requests` over the limit. All routes share it. */
  readonly countWrite: (uid: string) => Promise<void>;
  /** Records that an operator changes something while impersonating the caller. */
  readonly recordImpersonated: (caller: Caller, request: string) => Promise<void>;
}

/** When the session of a request is checked. */
export interface SessionTiming {
  /**
   * True if a request that only reads may go on before the document of its session has been read. See `RequestLocals`.
   */
  readonly mayCheckSessionLater?: boolean;
}

/**
 * Sets the caller of a request, and counts the request if it is a write.
 *
 * With `mayCheckSessionLater`, a request that only reads does not wait for the document of its session. A route with
 * limits waits, because a request whose session has ended must not use up a limit. `guardsOf` counts the limits after
 * this guard.
 *
 * @throws Refusal as `authenticateRequest`, `requireOperator` and `requireMayImpersonate`; `too_many_requests`;
 *   `url_malformed` if a redirect is not possible. A signed-out visitor is redirected instead of `unauthenticated` if
 *   the route declares `signedOut`
 */
export function authenticateUser(
  authentication: AuthenticationDependencies,
  guards: RouteGuards & SessionTiming,
): RequestHandler {
  const { signedOut, limits = [], operatorsOnly = false, mayCheckSessionLater = false } = guards;
  const redirect = signedOut && REDIRECTS[signedOut](authentication.config);
  return async (request, response, next) => {
    const changes = isWrite(guards, request.method);
    const checksLater = mayCheckSessionLater && !changes && limits.length === 0 && !operatorsOnly;
    const age = needsCurrentUser(guards, request.method) ? 'current' : 'cached';
    try {
      const { caller, sessionCheck } = await authenticateRequest(authentication, request, age);
      setCaller(response, caller);
      if (checksLater) localsOf(response).sessionCheck = sessionCheck;
      else await sessionCheck;
    } catch (error) {
      if (redirect === undefined || !isRefusal(error, 'unauthenticated')) throw error;
      redirect(error, request, response);
      return;
    }
    const caller = callerOf(response);
    if (operatorsOnly) requireOperator(caller, { now: authentication.now(), changes });
    if (changes) {
      await authentication.countWrite(caller.uid);
      await requireMayImpersonate(authentication, guards, caller, request);
    }
    next();
  };
}

/**
 * An operator who impersonates the caller changes only what the route allows, and each change is recorded first.
 *
 * @throws Refusal `impersonation_not_allowed`
 */
async function requireMayImpersonate(
  { recordImpersonated }: AuthenticationDependencies,
  guards: RouteGuards,
  caller: Caller,
  { method, path }: Request,
): Promise<void> {
  if (caller.impersonatedBy === undefined) return;
  if (guards.impersonation !== 'allowed') throw refuse('impersonation_not_allowed');
  await recordImpersonated(caller, `${method} ${path}`);
}

/**
 * Waits until the session of a request has been checked. `http/mount.ts` calls this before it sends the answer.
 *
 * @throws the rejection of the check: `credentials_ended` for an ended session, or an outage
 */
export async function requireOpenSession(response: Response): Promise<void> {
  await localsOf(response).sessionCheck;
}

const REDIRECTS = {
  'to-sign-in': redirectToSignIn,
  'browsers-to-sign-in': redirectBrowserToSignIn,
};

/**
 * Authenticates by ID token or session cookie. A browser also sends the cookie for pages of other sites, so a POST,
 * PATCH or DELETE with the cookie must come from our own site. GET routes with `actsByLink` have guards of their own.
 *
 * A refused cookie is not cleared. The user may have signed in again in the meantime, and a late answer would then
 * clear the new cookie.
 *
 * @throws Refusal `unauthenticated`, `foreign_origin`; the promise `sessionCheck` of the result rejects with
 *   `credentials_ended`
 */
async function authenticateRequest(
  authentication: AuthenticationDependencies,
  request: Request,
  age: StateAge,
): Promise<Identified> {
  const credentials = credentialsOf(request);
  if (credentials === undefined) throw refuse('unauthenticated');
  if (credentials.kind === 'session-cookie' && !isSafe(request.method)) {
    requireOwnOrigin(request, authentication.config);
  }
  return identify(authentication, credentials, age);
}

/**
 * For `deferred` routes: authenticates by the current state of the user, waits for the check of the session, and
 * refuses an impersonation.
 *
 * @throws Refusal as `authenticateRequest`; `impersonation_not_allowed`
 */
export async function authenticateNow(
  authentication: AuthenticationDependencies,
  request: Request,
): Promise<Caller> {
  const { caller, sessionCheck } = await authenticateRequest(authentication, request, 'current');
  await sessionCheck;
  if (caller.impersonatedBy !== undefined) throw refuse('impersonation_not_allowed');
  return caller;
}

function setCaller(response: Response, caller: Caller): void {
  localsOf(response).caller = caller;
}

/** The authenticated user of a request; undefined if there is none. */
export function callerIfAny(response: Response): Caller | undefined {
  return localsOf(response).caller;
}

/** @throws Error if the request was not authenticated */
export function callerOf(response: Response): Caller {
  const caller = callerIfAny(response);
  if (caller === undefined) throw new Error('This request was not authenticated.');
  return caller;
}
