import type { Request, RequestHandler } from 'express';
import type { Caller } from '../auth/caller.ts';
import { credentialsOf } from '../auth/credentials.ts';
import {
  identify,
  type StateFreshness,
  type IdentifyDependencies,
  type Identified,
} from '../auth/identify.ts';
import type { CountLookUp } from '../auth/users/look-up-limit.ts';
import { hasRefusalCode, refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { localsOf } from './locals.ts';
import { requireOwnOrigin } from './origin.ts';
import { isSafe, needsCurrentState, type GuardDeclaration } from './route.ts';
import { defersSessionCheck } from './session-check.ts';
import { redirectBrowserToSignIn, redirectToSignIn } from './sign-in-redirect.ts';

export interface AuthenticationDependencies extends IdentifyDependencies {
  readonly config: Config;
  /**
   * Counts the look-ups of signing out (`authenticateInHandler`). They have a limit of their own: otherwise the thief
   * of a token could use up the limit of `countLookUp`, and the user could not sign out.
   */
  readonly countSignOutLookUp: CountLookUp;
}

/**
 * Makes the guard that sets the caller of a request. The guard waits for the session check, unless
 * `defersSessionCheck`: see `session-check.ts`.
 *
 * @throws Refusal as `identifyRequest`. A route with `signedOut` redirects instead of throwing a refusal with
 *   the code `unauthenticated`. It throws `url_malformed` if the request has no path to come back to
 */
export function authenticationGuard(
  authenticationDependencies: AuthenticationDependencies,
  declaration: GuardDeclaration,
): RequestHandler {
  const { signedOut } = declaration;
  const redirect = signedOut && REDIRECTS[signedOut](authenticationDependencies.config);
  return async (request, response, next) => {
    const freshness = needsCurrentState(declaration, request.method) ? 'current' : 'cached';
    try {
      const { caller, sessionCheck } = await identifyRequest(authenticationDependencies, request, freshness);
      localsOf(response).caller = caller;
      // `identify` has passed this promise to `awaitedLater`, so an early rejection is no unhandled rejection.
      if (defersSessionCheck(declaration, request.method)) localsOf(response).sessionCheck = sessionCheck;
      else await sessionCheck;
    } catch (error) {
      if (redirect === undefined || !hasRefusalCode(error, 'unauthenticated')) throw error;
      redirect(error, request, response);
      return;
    }
    next();
  };
}

const REDIRECTS = {
  'to-sign-in': redirectToSignIn,
  'browsers-to-sign-in': redirectBrowserToSignIn,
};

/**
 * Identifies the user of a request by its ID token or session cookie.
 *
 * The cookie alone does not show which site sent the request. Therefore a POST, PATCH or DELETE with the cookie must
 * come from our own site.
 *
 * A refused cookie is not cleared: the user may have signed in again, and a late answer would clear the new cookie.
 * Only `clearCookieIfRefused` of `guards.ts` clears a refused cookie.
 *
 * @throws Refusal `unauthenticated`, `bearer_token_malformed`, `credentials_invalid`, `rate_limit_reached`,
 *   `foreign_origin`; the promise `sessionCheck` of the result rejects with `credentials_ended`
 */
async function identifyRequest(
  authenticationDependencies: AuthenticationDependencies,
  request: Request,
  freshness: StateFreshness,
): Promise<Identified> {
  const credentials = credentialsOf(request);
  if (credentials === undefined) throw refusal('unauthenticated');
  if (credentials.kind === 'session-cookie' && !isSafe(request.method)) {
    requireOwnOrigin(request, authenticationDependencies.config);
  }
  return identify(authenticationDependencies, credentials, freshness);
}

/**
 * Authenticates a request of a route with the access `in-handler`, when the handler asks for the caller. The only such
 * route signs out. Therefore the look-up counts for `countSignOutLookUp`.
 *
 * @throws Refusal as `identifyRequest`; `impersonation_not_allowed`
 */
export async function authenticateInHandler(
  authenticationDependencies: AuthenticationDependencies,
  request: Request,
): Promise<Caller> {
  const dependencies = {
    ...authenticationDependencies,
    countLookUp: authenticationDependencies.countSignOutLookUp,
  };
  const { caller, sessionCheck } = await identifyRequest(dependencies, request, 'current');
  await sessionCheck;
  if (caller.impersonatedBy !== undefined) throw refusal('impersonation_not_allowed');
  return caller;
}
