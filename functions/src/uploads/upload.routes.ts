import type { Request, Router } from 'express';
import * as z from 'zod';
import { callerIfAny } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import { createRouter } from '../http/router.ts';
import { validate } from '../http/validate.ts';
import type { Backend } from '../backend.ts';
import { teamIdSchema } from '../teams/team.schema.ts';
import { receiveFile } from './multipart.ts';
import { ownerOf } from './owner.ts';
import { requireVerified } from './require-verified.ts';
import { upload } from './upload.service.ts';

export const querySchema = z.strictObject({
  team: teamIdSchema.optional(),
  visibility: z.enum(['public', 'private']).default('public'),
});

/** Mounted at /api/upload, in an authenticated group unless uploads are open to everyone. */
export function uploadRoutes(backend: Backend): Router {
  const { config } = backend;
  const router = createRouter();

  router.post('/', async (request: Request & { rawBody?: Buffer }, response) => {
    const { team, visibility } = validate(querySchema, request.query);
    const caller = callerIfAny(response);
    if (caller === undefined && (config.uploadRequiresAuth || team !== undefined))
      throw refuse('unauthenticated');
    if (caller !== undefined) requireVerified(config, caller);
    const file = await receiveFile(request.headers, request.rawBody, config.uploadMaxBytes);
    const { id, view, discard } = await upload(backend, ownerOf(config, caller, team), file, visibility);
    // A sender who is gone never learns the URL: the object would lie there for nobody.
    if (request.socket.destroyed) await discard();
    else response.set('X-Upload-Id', id).json(view);
  });

  return router;
}
