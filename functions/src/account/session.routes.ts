import type { RequestHandler, Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../auth/caller.ts';
import { SESSION_COOKIE, readCookie, sessionCookieOptions } from '../auth/cookies.ts';
import { requireOwnOrigin } from '../http/origin.ts';
import { rateLimiter } from '../http/rate-limit.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { LIMITS } from '../settings/limits.ts';
import type { Backend } from '../backend.ts';
import { createSession, describeSession, endSessionOf, revokeSessions } from './session.service.ts';

export const signInSchema = z.strictObject({ idToken: z.string().min(1).max(8192) });

export const signOutSchema = z.strictObject({ everywhere: z.enum(['true', 'false']).optional() });

const DAY_MS = 86_400_000;

interface Guards {
  authenticated: RequestHandler;
  limited: RequestHandler;
}

/**
 * Mounted at /api/auth/session. Signing in is public and `limited`; the rest needs `authenticated`. Both are handlers of
 * the routes themselves: a path in front of them could match other spellings, such as a doubled slash, than the route does.
 */
export function sessionRoutes(backend: Backend, { authenticated, limited }: Guards): Router {
  const { config } = backend;
  const router = createRouter();
  const cookie = sessionCookieOptions(config);
  const lifetime = config.sessionDays * DAY_MS;
  const limitUser = rateLimiter(backend, LIMITS.sessionsOfUser(config));

  // Without this check another site could sign a visitor in to the attacker's account (login CSRF).
  router.post('/', limited, async (request, response) => {
    requireOwnOrigin(request, config);
    const { idToken } = validateBody(signInSchema, request);
    const userAgent = request.get('User-Agent');
    const session = await createSession(backend, { idToken, lifetime, userAgent }, limitUser);
    response.cookie(SESSION_COOKIE, session.cookie, { ...cookie, maxAge: lifetime });
    response.status(201).json({ expiresAt: session.expiresAt.toISOString() });
  });

  router.get('/', authenticated, async (_request, response) => {
    response.json(await describeSession(backend, callerOf(response)));
  });

  // An expired cookie is cleared too, or nobody could sign out of an expired session.
  router.delete('/', async (request, response, next) => {
    if (request.get('Authorization') === undefined) requireOwnOrigin(request, config);
    const { everywhere } = validate(signOutSchema, request.query);
    if (everywhere === 'true') {
      next();
      return;
    }
    const session = readCookie(request, SESSION_COOKIE);
    if (session !== undefined) await endSessionOf(backend, session);
    response.clearCookie(SESSION_COOKIE, cookie).status(204).end();
  });

  router.delete('/', authenticated, async (_request, response) => {
    await revokeSessions(backend, callerOf(response).uid);
    response.clearCookie(SESSION_COOKIE, cookie).status(204).end();
  });

  return router;
}
