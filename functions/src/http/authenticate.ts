import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import { credentialsOf } from '../auth/credentials.ts';
import { identify, type StateAge, type IdentifyDependencies, type Identified } from '../auth/identify.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { localsOf } from './locals.ts';
import { requireOwnOrigin } from './origin.ts';
import { isSafe, isWrite, needsCurrentUser, type RouteGuards } from './route.ts';
import { redirectBrowserToSignIn, redirectToSignIn } from './sign-in-redirect.ts';

export interface AuthenticationDependencies extends IdentifyDependencies {
  readonly config: Config;
}

/** When the document of a session is read. */
export interface SessionTiming {
  /**
   * - `before-handler`: the default.
   * - `during-reads`: if the request only reads, its handler may run at the same time. Then the answer must wait for
   *   `requireOpenSession`.
   */
  readonly checkSession?: 'before-handler' | 'during-reads';
}

/**
 * Sets the caller of a request.
 *
 * `during-reads` has no effect on two kinds of routes:
 * - Routes for operators.
 * - Routes with limits, because a request whose session has ended must not use up a limit.
 *
 * @throws Refusal as `authenticateRequest`; `url_malformed` if a redirect is not possible. If the route declares
 *   `signedOut`, a signed-out visitor is redirected instead of `unauthenticated`
 */
export function authenticateUser(
  authentication: AuthenticationDependencies,
  guards: RouteGuards & SessionTiming,
): RequestHandler {
  const { signedOut, limits = [], operatorsOnly = false, checkSession } = guards;
  const redirect = signedOut && REDIRECTS[signedOut](authentication.config);
  return async (request, response, next) => {
    const onlyReads = !isWrite(guards, request.method);
    const checksLater = checkSession === 'during-reads' && onlyReads && limits.length === 0 && !operatorsOnly;
    const age = needsCurrentUser(guards, request.method) ? 'current' : 'cached';
    try {
      const { caller, sessionCheck } = await authenticateRequest(authentication, request, age);
      setCaller(response, caller);
      if (checksLater) localsOf(response).sessionCheck = sessionCheck;
      else await sessionCheck;
    } catch (error) {
      if (redirect === undefined || !hasRefusalCode(error, 'unauthenticated')) throw error;
      redirect(error, request, response);
      return;
    }
    next();
  };
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
 * Authenticates a request by its ID token or session cookie. Because a browser also sends the cookie for pages of other
 * sites, a POST, PATCH or DELETE with the cookie must come from our own site. GET routes with `actsByLink` have guards
 * of their own.
 *
 * A refused cookie is not cleared: the user may have signed in again in the meantime, and a late answer would clear the
 * new cookie. Routes that need no user are an exception: see `clearRefusedCookie`.
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
  if (credentials === undefined) throw refusal('unauthenticated');
  if (credentials.kind === 'session-cookie' && !isSafe(request.method)) {
    requireOwnOrigin(request, authentication.config);
  }
  return identify(authentication, credentials, age);
}

/**
 * Authenticates a request of a `deferred` route by the current state of the user. Waits for the check of the session,
 * and refuses an impersonation.
 *
 * @throws Refusal as `authenticateRequest`; `impersonation_not_allowed`
 */
export async function authenticateNow(
  authentication: AuthenticationDependencies,
  request: Request,
): Promise<Caller> {
  const { caller, sessionCheck } = await authenticateRequest(authentication, request, 'current');
  await sessionCheck;
  if (caller.impersonatedBy !== undefined) throw refusal('impersonation_not_allowed');
  return caller;
}

function setCaller(response: Response, caller: Caller): void {
  localsOf(response).caller = caller;
}

export function findCaller(response: Response): Caller | undefined {
  return localsOf(response).caller;
}

/** @throws Error if the request was not authenticated */
export function requireCaller(response: Response): Caller {
  const caller = findCaller(response);
  if (caller === undefined) throw new Error('This request was not authenticated.');
  return caller;
}
