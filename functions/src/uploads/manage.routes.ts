import type { Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../auth/caller.ts';
import { limitByUser } from '../http/rate-limit.ts';
import { createRouter } from '../http/router.ts';
import { validate } from '../http/validate.ts';
import { LIMITS } from '../settings/limits.ts';
import { pageSchema } from '../firestore/page.ts';
import type { Backend } from '../backend.ts';
import { teamIdSchema } from '../teams/team.schema.ts';
import { deleteUpload, describeUpload, listUploads, revokeUrls } from './manage.service.ts';
import { uploadIdSchema } from './upload.store.ts';

export const listSchema = pageSchema.extend({ team: teamIdSchema.optional() });

export const keySchema = z.strictObject({ id: uploadIdSchema });

/** Mounted at /api/uploads in an authenticated group. */
export function manageRoutes(backend: Backend): Router {
  const { config } = backend;
  const router = createRouter();
  // Revoking copies the object, so it counts as an upload.
  const limited = limitByUser(backend, LIMITS.uploads(config));

  router.get('/', async (request, response) => {
    const { team, ...page } = validate(listSchema, request.query);
    const { items: uploads, nextCursor } = await listUploads(backend, callerOf(response), team, page);
    response.json({ uploads, nextCursor });
  });

  router.get('/:id', async (request, response) => {
    const { id } = validate(keySchema, request.params);
    response.json(await describeUpload(backend, callerOf(response), id));
  });

  router.delete('/:id', async (request, response) => {
    const { id } = validate(keySchema, request.params);
    await deleteUpload(backend, callerOf(response), id);
    response.status(204).end();
  });

  router.post('/:id/revoke', limited, async (request, response) => {
    const { id } = validate(keySchema, request.params);
    response.json(await revokeUrls(backend, callerOf(response), id));
  });

  return router;
}
