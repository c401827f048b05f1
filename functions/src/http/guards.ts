import type { RequestHandler } from 'express';
import { clearSessionCookie } from '../auth/cookies.ts';
import { hasCookieOnly, hasCredentials, hasAuthorizationHeader } from '../auth/credentials.ts';
import type { Backend } from '../backend.ts';
import { hasRefusalCode } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { requireAppCheck } from './app-check.ts';
import {
  findCaller,
  authenticateUser,
  type AuthenticationDependencies,
  type SessionTiming,
} from './authenticate.ts';
import { MAX_JSON_BYTES, receiveBody } from './body.ts';
import { callerGuards, type CallerGuardDependencies } from './caller-guards.ts';
import { confirmedNavigation, noPrefetch, topLevelNavigationOnly } from './navigation.ts';
import { refuseForeignPages, requireOwnOrigin } from './origin.ts';
import { limitBy, type Limiters } from './rate-limit/rate-limit.ts';
import type { RouteGuards, RouteLimit } from './route.ts';

/** The dependencies of all guards. `createApp` makes them once. */
export interface GuardContext {
  backend: Backend;
  authentication: AuthenticationDependencies & CallerGuardDependencies;
  limiters: Limiters;
}

/** Makes the checks of a declaration, in the order in which a request passes them. */
export function guardsOf(context: GuardContext, guards: RouteGuards & SessionTiming): RequestHandler[] {
  const isForm = guards.form === true;
  const maxBytes = guards.maxBytes?.(context.backend.config) ?? MAX_JSON_BYTES;
  const body = receiveBody(maxBytes, isForm ? 'form' : 'json');
  return [
    ...(isForm ? [] : [body]),
    ...(asksForAppCheck(guards) ? [requireAppCheck(context.backend)] : []),
    ...authenticationOf(context, guards),
    // A prefetch is refused before writes are counted, because it must not count as a write.
    ...(guards.actsByLink === undefined ? [] : [LINK_GUARDS[guards.actsByLink]]),
    ...callerGuards(context.authentication, guards),
    // The origin is checked before the limits, so that a page of another site cannot use up the limits of the visitor's
    // IP address.
    ...originGuards(context, guards),
    ...(guards.limits ?? []).map((limit) => limitGuard(context, guards, limit)),
    // A large form is read only after all other guards have passed.
    ...(isForm ? [body] : []),
  ];
}

/**
 * True if the route requires an App Check token. By default every route does, except those with `actsByLink`: a browser
 * that follows a link cannot send the token.
 */
export function asksForAppCheck({ appCheck, actsByLink }: RouteGuards): boolean {
  return appCheck ?? actsByLink === undefined;
}

const LINK_GUARDS = {
  'top-level': topLevelNavigationOnly,
  'no-prefetch': noPrefetch,
  'confirm-if-cross-site': confirmedNavigation,
};

function authenticationOf(
  { authentication }: GuardContext,
  guards: RouteGuards & SessionTiming,
): RequestHandler[] {
  const { access = 'user', requiresUser = () => false } = guards;
  if (access === 'public' || access === 'deferred') return [];
  const { config } = authentication;
  if (access === 'user' || requiresUser(config)) return [authenticateUser(authentication, guards)];
  // The session is checked before the handler, because `clearRefusedCookie` needs the result.
  const early = { ...guards, checkSession: 'before-handler' } as const;
  const authenticate = clearRefusedCookie(config, authenticateUser(authentication, early));
  const checkPage = refuseForeignPages(config);
  return [
    (request, response, next) => {
      const guard = hasCredentials(request) ? authenticate : checkPage;
      return guard(request, response, next);
    },
  ];
}

/**
 * Makes a guard that authenticates, and that clears a refused session cookie. Otherwise the cookie would lock its
 * visitor out of a route that needs no user, until the cookie expires.
 */
function clearRefusedCookie(config: Config, authenticate: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await authenticate(request, response, next);
    } catch (error) {
      if (hasRefusalCode(error, 'unauthenticated') && hasCookieOnly(request))
        clearSessionCookie(response, config);
      throw error;
    }
  };
}

function limitGuard(
  { backend, limiters }: GuardContext,
  guards: RouteGuards,
  declared: RouteLimit,
): RequestHandler {
  const countRequest = limitBy(limiters, declared, backend.config);
  if (guards.access !== 'optional') return countRequest;
  const { appliesTo = 'users' } = declared;
  return (request, response, next) => {
    const kind = findCaller(response) === undefined ? 'visitors' : 'users';
    if (kind === appliesTo) return countRequest(request, response, next);
    next();
  };
}

/**
 * Requires an own origin in two cases:
 * - The route declares `ownOrigin`.
 * - The route is `deferred`, and the request has no Authorization header. Its handler may act on the session cookie,
 *   which a browser also sends for pages of other sites.
 */
function originGuards({ backend }: GuardContext, { access, ownOrigin }: RouteGuards): RequestHandler[] {
  if (ownOrigin !== true && access !== 'deferred') return [];
  return [
    (request, _response, next) => {
      if (ownOrigin === true || !hasAuthorizationHeader(request)) requireOwnOrigin(request, backend.config);
      next();
    },
  ];
}
