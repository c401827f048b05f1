import type { Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../auth/caller.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { nameSchema } from '../common/name.ts';
import { pageSchema } from '../firestore/page.ts';
import type { Backend } from '../backend.ts';
import { removeTeam } from './delete.service.ts';
import { slugSchema } from './slug.ts';
import { teamIdSchema } from './team.schema.ts';
import { changeTeam, describeTeam, listAuditLog, listTeams, startTeam } from './team.service.ts';

export const newTeamSchema = z.strictObject({ name: nameSchema, slug: slugSchema.optional() });

export const changeSchema = z
  .strictObject({ name: nameSchema, slug: slugSchema })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name what to change: name or slug.');

/**
 * Mounted in the authenticated group of /api/auth.
 */
export function teamRoutes(backend: Backend): Router {
  const router = createRouter();

  router.post('/teams', async (request, response) => {
    const team = validateBody(newTeamSchema, request);
    response.status(201).json(await startTeam(backend, callerOf(response), team));
  });

  router.get('/teams', async (request, response) => {
    const page = validate(pageSchema, request.query);
    const { items: teams, nextCursor } = await listTeams(backend, callerOf(response), page);
    response.json({ teams, nextCursor });
  });

  router.get('/teams/:teamId', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    response.json(await describeTeam(backend, callerOf(response), teamId));
  });

  router.patch('/teams/:teamId', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const change = validateBody(changeSchema, request);
    response.json(await changeTeam(backend, callerOf(response), teamId, change));
  });

  router.delete('/teams/:teamId', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const done = await removeTeam(backend, callerOf(response), teamId);
    if (done) response.status(204).end();
    else response.status(202).json({ status: 'deleting' });
  });

  router.get('/teams/:teamId/audit', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const page = validate(pageSchema, request.query);
    const { items: entries, nextCursor } = await listAuditLog(backend, callerOf(response), teamId, page);
    response.json({ entries, nextCursor });
  });

  return router;
}
