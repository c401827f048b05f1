import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import { clearSessionCookie } from '../auth/cookies.ts';
import { credentialsOf, hasCookieOnly } from '../auth/credentials.ts';
import { identify, type Identification } from '../auth/verify.ts';
import { isRefusal, refuse } from '../refusals.ts';
import type { Config } from '../settings/config.ts';
import { requireOwnOrigin } from './origin.ts';
import { redirectBrowserToSignIn, redirectToSignIn } from './sign-in-redirect.ts';
import type { RouteGuards } from './route.ts';

/** Dependencies of the authentication of all routes. */
export interface Authentication extends Identification {
  readonly config: Config;
  /** Counts one write of a user; throws Refusal 429 over the limit. All routes share it. */
  readonly countWrite: (uid: string) => Promise<void>;
}

/**
 * Sets the caller of a request and counts writes: every method that changes something, and every GET that acts.
 *
 * @throws Refusal 401, 403, 429 or 503; a signed-out visitor is redirected instead where the route says so
 */
export function requireUser(
  authentication: Authentication,
  { signedOut, navigation }: Pick<RouteGuards, 'signedOut' | 'navigation'>,
): RequestHandler {
  const redirect = signedOut && REDIRECTS[signedOut](authentication.config);
  return async (request, response, next) => {
    try {
      setCaller(response, await authenticateRequest(authentication, request, response));
    } catch (error) {
      if (redirect === undefined || !isRefusal(error, 'unauthenticated')) throw error;
      redirect(error, request, response);
      return;
    }
    const isWrite = navigation !== undefined || !isSafe(request.method);
    if (isWrite) await authentication.countWrite(callerOf(response).uid);
    next();
  };
}

const REDIRECTS = {
  'to-sign-in': redirectToSignIn,
  'browsers-to-sign-in': redirectBrowserToSignIn,
};

/**
 * Authenticates by ID token or session cookie. A browser also sends the cookie for pages of other sites, so a request with
 * the cookie must come from our own site if it can change something. A cookie that is refused is cleared.
 *
 * @throws Refusal 401, 403 `foreign_origin` or 503
 */
export async function authenticateRequest(
  authentication: Authentication,
  request: Request,
  response: Response,
): Promise<Caller> {
  const { config } = authentication;
  try {
    const credentials = credentialsOf(request);
    if (credentials === undefined) throw refuse('unauthenticated');
    if (credentials.kind === 'cookie' && !isSafe(request.method)) requireOwnOrigin(request, config);
    return await identify(authentication, credentials);
  } catch (error) {
    if (isRefusal(error, 'unauthenticated') && hasCookieOnly(request)) clearSessionCookie(response, config);
    throw error;
  }
}

function setCaller(response: Response, caller: Caller): void {
  response.locals['caller'] = caller;
}

/** The authenticated user of a request; undefined if there is none. */
export function callerIfAny(response: Response): Caller | undefined {
  return response.locals['caller'] as Caller | undefined;
}

/** @throws Error if the request was not authenticated */
export function callerOf(response: Response): Caller {
  const caller = callerIfAny(response);
  if (caller === undefined) throw new Error('This request was not authenticated.');
  return caller;
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods */
function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
