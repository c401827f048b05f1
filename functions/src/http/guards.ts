import type { RequestHandler } from 'express';
import { clearSessionCookie } from '../auth/cookies.ts';
import { hasCookieOnly, hasCredentials, hasAuthorizationHeader } from '../auth/credentials.ts';
import type { Backend } from '../backend.ts';
import type { Limiters } from '../rate-limits/limiters.ts';
import { hasRefusalCode } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { appCheckGuard, type VerifyAppCheck } from './app-check.ts';
import { authenticationGuard, type AuthenticationDependencies } from './authenticate.ts';
import { MAX_JSON_BYTES, receiveBody, skipBody } from './body.ts';
import {
  impersonationGuard,
  operatorGuard,
  userRequestCountGuard,
  type CallerGuardDependencies,
} from './caller-guards.ts';
import { findCaller } from './locals.ts';
import { confirmIfCrossSite, noPrefetch, tabOnly } from './navigation.ts';
import { unknownOriginGuard, requireOwnOrigin } from './origin.ts';
import { rateLimitGuard } from './rate-limit-guards.ts';
import type { GuardDeclaration, RouteLimit } from './route.ts';

/** The dependencies of all guards. `createApp` makes them once. */
export interface GuardContext {
  backend: Backend;
  verifyAppCheck: VerifyAppCheck;
  authenticationDependencies: AuthenticationDependencies;
  callerGuardDependencies: CallerGuardDependencies;
  limiters: Limiters;
}

/** The guards of a route, in the order in which a request passes them. */
export function guardsOf(context: GuardContext, declaration: GuardDeclaration): RequestHandler[] {
  const isForm = declaration.form === true;
  const maxBytes = declaration.maxBytes?.(context.backend.config) ?? MAX_JSON_BYTES;
  const body = receiveBody(maxBytes, isForm ? 'form' : 'json');
  const checks = checksOf(context, declaration);
  // A form comes last, because it is large.
  return isForm ? [...checks, body] : [body, ...checks];
}

/** The guards of paths without a route. The body is not checked. */
export function guardsOfUnknownPath(context: GuardContext, declaration: GuardDeclaration): RequestHandler[] {
  return [skipBody, ...checksOf(context, declaration)];
}

function checksOf(context: GuardContext, declaration: GuardDeclaration): RequestHandler[] {
  const dependencies = context.callerGuardDependencies;
  return [
    ...(asksForAppCheck(declaration) ? [appCheckGuard(context.backend.config, context.verifyAppCheck)] : []),
    ...authenticationGuards(context, declaration),
    ...senderGuards(context, declaration),
    // Before `userRequestCountGuard`: a prefetch must not count as a write.
    ...(declaration.linkGuard === undefined ? [] : [LINK_GUARDS[declaration.linkGuard]]),
    ...(declaration.operatorsOnly === true ? [operatorGuard(dependencies, declaration)] : []),
    userRequestCountGuard(dependencies, declaration),
    impersonationGuard(dependencies, declaration),
    // Before the limits: a page of another site must not use up the limits of its visitor's IP address.
    ...originGuards(context, declaration),
    ...(declaration.limits ?? []).map((limit) => routeLimitGuard(context, declaration, limit)),
  ];
}

/** A browser that follows a link cannot send an App Check token. */
export function asksForAppCheck({ appCheck, linkGuard }: GuardDeclaration): boolean {
  const isLink = linkGuard !== undefined;
  return appCheck ?? !isLink;
}

const LINK_GUARDS = {
  'tab-only': tabOnly,
  'no-prefetch': noPrefetch,
  'confirm-if-cross-site': confirmIfCrossSite,
};

function authenticationGuards(
  { authenticationDependencies }: GuardContext,
  declaration: GuardDeclaration,
): RequestHandler[] {
  const { access = 'user', requiresUser = () => false } = declaration;
  if (access === 'public' || access === 'in-handler') return [];
  const { config } = authenticationDependencies;
  const authenticate = authenticationGuard(authenticationDependencies, declaration);
  if (access === 'user' || requiresUser(config)) return [authenticate];
  const authenticateOrClearCookie = clearCookieIfRefused(config, authenticate);
  // A visitor sends no credentials. Allowed are our own origins, those of ALLOWED_ORIGINS, and a request without the
  // header Origin.
  const refuseUnknownOrigin = unknownOriginGuard(config);
  return [
    (request, response, next) => {
      const check = hasCredentials(request) ? authenticateOrClearCookie : refuseUnknownOrigin;
      return check(request, response, next);
    },
  ];
}

function senderGuards({ backend }: GuardContext, { requireSender }: GuardDeclaration): RequestHandler[] {
  if (requireSender === undefined) return [];
  return [
    (request, _response, next) => {
      requireSender(backend.config, request);
      next();
    },
  ];
}

/**
 * On a route that needs no user, clears a refused cookie. Otherwise a visitor whose session has ended could not use the
 * route at all: each request would be refused because of the old cookie.
 */
function clearCookieIfRefused(config: Config, authenticate: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await authenticate(request, response, next);
    } catch (error) {
      // `next` never throws, because Express catches the errors of later handlers. So the error is from `authenticate`.
      // `bearer_token_malformed`, `credentials_invalid` and `credentials_ended` have the code `unauthenticated`.
      if (hasRefusalCode(error, 'unauthenticated') && hasCookieOnly(request))
        clearSessionCookie(response, config);
      throw error;
    }
  };
}

function routeLimitGuard(
  { backend, limiters }: GuardContext,
  declaration: GuardDeclaration,
  declared: RouteLimit,
): RequestHandler {
  const countingGuard = rateLimitGuard(limiters, declared, backend.config);
  if (declaration.access !== 'optional') return countingGuard;
  const { appliesTo = 'users' } = declared;
  return (request, response, next) => {
    const kind = findCaller(response) === undefined ? 'visitors' : 'users';
    if (kind === appliesTo) return countingGuard(request, response, next);
    next();
  };
}

/**
 * Two kinds of routes need this guard: those with `ownOrigin`, and those whose handler reads the cookie itself.
 * `authenticationGuard` checks all other writes by cookie, and `unknownOriginGuard` checks the requests of visitors.
 */
function originGuards({ backend }: GuardContext, { access, ownOrigin }: GuardDeclaration): RequestHandler[] {
  const ownOriginGuard: RequestHandler = (request, _response, next) => {
    requireOwnOrigin(request, backend.config);
    next();
  };
  if (ownOrigin === true) return [ownOriginGuard];
  if (access !== 'in-handler') return [];
  return [
    (request, response, next) => {
      // A page of another site can send the session cookie, but no Authorization header.
      if (!hasAuthorizationHeader(request)) return ownOriginGuard(request, response, next);
      next();
    },
  ];
}
