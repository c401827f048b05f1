import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../auth/caller.ts';
import { readCookie, SESSION_COOKIE, sessionCookieOptions } from '../auth/cookies.ts';
import { limitByUser } from '../http/rate-limit.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { LIMITS } from '../settings/limits.ts';
import { nameSchema } from '../common/name.ts';
import { pageSchema } from '../firestore/page.ts';
import type { Backend } from '../backend.ts';
import { photoUrlSchema } from '../common/user-profile.ts';
import { deleteAccount } from './delete.service.ts';
import { exportOwnData } from './export.service.ts';
import { endSession, listSessions } from './session.service.ts';
import { SESSION_ID, sessionId } from './session.store.ts';
import { changeUser } from './user.service.ts';
import { viewOf } from './user.view.ts';

/** Null takes a value away. What is left out stays. */
export const changeSchema = z
  .strictObject({
    displayName: nameSchema.nullable().exactOptional(),
    photoURL: photoUrlSchema.nullable().exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Name what to change: displayName or photoURL.');

export const sessionKeySchema = z.strictObject({
  id: z.string().regex(SESSION_ID, 'is not a session id'),
});

/** Mounted in the authenticated group of /api/auth. */
export function userRoutes(backend: Backend): Router {
  const { config } = backend;
  const router = createRouter();
  const limited = limitByUser(backend, LIMITS.exports());
  const cookieOptions = sessionCookieOptions(config);

  router.patch('/user', async (request, response) => {
    const change = validateBody(changeSchema, request);
    response.json(viewOf(await changeUser(backend, callerOf(response), change)));
  });

  router.delete('/user', async (_request, response) => {
    await deleteAccount(backend, callerOf(response));
    response.clearCookie(SESSION_COOKIE, cookieOptions).status(204).end();
  });

  router.get('/user/export', limited, async (_request, response) => {
    const text = await exportOwnData(backend, callerOf(response));
    response.type('json').attachment(`account-${callerOf(response).uid}.json`);
    await pipeline(Readable.from(text), response);
  });

  router.get('/sessions', async (request, response) => {
    const page = validate(pageSchema, request.query);
    const cookie = readCookie(request, SESSION_COOKIE);
    const { items: sessions, nextCursor } = await listSessions(backend, callerOf(response), page, cookie);
    response.json({ sessions, nextCursor });
  });

  router.delete('/sessions/:id', async (request, response) => {
    const { id } = validate(sessionKeySchema, request.params);
    await endSession(backend, callerOf(response), id);
    const cookie = readCookie(request, SESSION_COOKIE);
    if (cookie !== undefined && sessionId(cookie) === id) response.clearCookie(SESSION_COOKIE, cookieOptions);
    response.status(204).end();
  });

  return router;
}
