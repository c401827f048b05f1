import * as z from 'zod';
import {
  clearSessionCookieIfSent,
  clearSessionCookie,
  readCookie,
  SESSION_COOKIE,
  setSessionCookie,
  SESSION_ID_PATTERN,
  sessionId,
} from '../auth/cookies.ts';
import { DAY_MS } from '../common/durations.ts';
import { pageRequestSchema } from '../firestore/page.ts';
import { empty, json } from '../http/answer.ts';
import { listPageView } from '../http/list-page-view.ts';
import { route, type Route } from '../http/route.ts';
import { booleanText } from '../http/validate.ts';
import { RATE_LIMITS } from '../settings/rate-limits.ts';
import {
  describeSignedInUser,
  endSessionById,
  endSessionOfCookie,
  listSessions,
  endAllSessions,
} from './session.service.ts';
import { newSessionView, openSessionView, signedInUserView } from './session.view.ts';
import { signIn } from './sign-in.service.ts';

const tag = 'Sessions';

/** Without `ownOrigin`, a page of an attacker could sign a visitor in to the attacker's account (login CSRF). */
const createSessionRoute = route({
  id: 'createSession',
  method: 'post',
  path: '/api/auth/session',
  tag,
  summary: 'Sign in',
  description:
    'Exchanges the ID token of a sign-in for a session cookie. The sign-in must be at most 5 minutes old. Must be sent from a page of the app.',
  access: 'public',
  ownOrigin: true,
  limits: [{ limit: RATE_LIMITS.sessions, by: 'ip' }],
  body: z.strictObject({ idToken: z.string().min(1).max(8192) }),
  answers: { 201: json('The cookie `__session` is set.', newSessionView) },
  // `unauthenticated` is the code of `credentials_invalid`, `credentials_ended` and `sign_in_too_old`.
  refusals: ['unauthenticated', 'session_too_large', 'auth_unavailable', 'busy'],
  handler: async ({ backend, body: { idToken }, request, response, countRequest }) => {
    const { config } = backend;
    const maxLifetimeMs = config.sessionDays * DAY_MS;
    const userAgent = request.get('User-Agent');
    const session = await signIn(backend, { idToken, maxLifetimeMs, userAgent }, (uid) =>
      countRequest(RATE_LIMITS.sessionsOfUser, uid),
    );
    setSessionCookie(response, config, { value: session.cookie, maxAge: session.lifetimeMs });
    return { status: 201, body: { expiresAt: session.expiresAt.toISOString() } };
  },
});

const getSessionRoute = route({
  id: 'getSession',
  method: 'get',
  path: '/api/auth/session',
  tag,
  summary: 'Get the signed-in user',
  description: 'Returns the user, their teams and their plan.',
  answers: { 200: json('The session.', signedInUserView) },
  handler: async ({ backend, caller }) => ({
    status: 200,
    body: await describeSignedInUser(backend, caller),
  }),
});

/** Clears the cookie even if its session has expired or ended. */
const deleteSessionRoute = route({
  id: 'deleteSession',
  method: 'delete',
  path: '/api/auth/session',
  tag,
  summary: 'Sign out',
  description:
    'Ends the session of the cookie, or with `everywhere=true` all sessions of the user. Does not count as a write. Otherwise the thief of a cookie could use up the limit of writes, and the user could not sign out.',
  access: 'in-handler',
  query: z.strictObject({ everywhere: booleanText.optional() }),
  answers: { 204: empty('The session has ended. Its cookie is cleared.') },
  handler: async ({ backend, query: { everywhere }, request, response, authenticate }) => {
    const cookie = readCookie(request, SESSION_COOKIE);
    if (everywhere === 'true') await endAllSessions(backend, await authenticate());
    else if (cookie !== undefined) await endSessionOfCookie(backend, cookie);
    clearSessionCookieIfSent(request, response, backend.config);
    return { status: 204 };
  },
});

const listSessionsRoute = route({
  id: 'listSessions',
  method: 'get',
  path: '/api/auth/sessions',
  tag,
  summary: 'List sessions',
  description: "Lists the caller's open sessions, latest expiry first.",
  readsCurrentState: true,
  query: pageRequestSchema,
  answers: { 200: json('One page of sessions.', listPageView('sessions', openSessionView)) },
  handler: async ({ backend, caller, query, request }) => {
    const cookie = readCookie(request, SESSION_COOKIE);
    const { items: sessions, nextCursor } = await listSessions(backend, caller, query, cookie);
    return { status: 200, body: { sessions, nextCursor } };
  },
});

const endOneSessionRoute = route({
  id: 'endOneSession',
  method: 'delete',
  path: '/api/auth/sessions/{id}',
  tag,
  summary: 'End a session',
  description:
    "Ends one of the caller's sessions. If this is the session of the request, the cookie is cleared.",
  params: z.strictObject({ id: z.string().regex(SESSION_ID_PATTERN, 'is not a session id') }),
  answers: { 204: empty('The session has ended.') },
  refusals: ['session_not_found'],
  handler: async ({ backend, caller, params: { id }, request, response }) => {
    await endSessionById(backend, caller, id);
    const cookie = readCookie(request, SESSION_COOKIE);
    if (cookie !== undefined && sessionId(cookie) === id) clearSessionCookie(response, backend.config);
    return { status: 204 };
  },
});

export const sessionRoutes: readonly Route[] = [
  createSessionRoute,
  getSessionRoute,
  deleteSessionRoute,
  listSessionsRoute,
  endOneSessionRoute,
];
