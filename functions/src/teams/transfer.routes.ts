import type { Router } from 'express';
import * as z from 'zod';
import type { Backend } from '../backend.ts';
import { callerOf } from '../auth/caller.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { teamIdSchema, uidSchema } from './team.schema.ts';
import { acceptTransfer, declineTransfer, offerTransfer, withdrawTransfer } from './transfer.service.ts';

export const transferSchema = z.strictObject({ uid: uidSchema, coOwner: z.boolean().default(false) });

/** Mounted in the authenticated group of /api/auth. */
export function transferRoutes(backend: Backend): Router {
  const router = createRouter();

  router.post('/teams/:teamId/transfer', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const offer = validateBody(transferSchema, request);
    response.json(await offerTransfer(backend, callerOf(response), teamId, offer));
  });

  router.delete('/teams/:teamId/transfer', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    await withdrawTransfer(backend, callerOf(response), teamId);
    response.status(204).end();
  });

  router.post('/teams/:teamId/transfer/accept', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    await acceptTransfer(backend, callerOf(response), teamId);
    response.status(204).end();
  });

  router.post('/teams/:teamId/transfer/decline', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    await declineTransfer(backend, callerOf(response), teamId);
    response.status(204).end();
  });

  return router;
}
