import type { Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../http/caller.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { pageSchema } from '../page.ts';
import type { Services } from '../services.ts';
import { changeRole, listMembers, removeMember, transferTeam } from './member.service.ts';
import { roleSchema, teamIdSchema, uidSchema } from './team.schema.ts';

export const memberSchema = z.object({ teamId: teamIdSchema, uid: uidSchema });
export const roleChangeSchema = z.strictObject({ role: roleSchema });
export const transferSchema = z.strictObject({ uid: uidSchema });

/** Mounted in the authenticated group of /api/auth. */
export function memberRoutes(services: Services): Router {
  const router = createRouter();

  router.get('/teams/:teamId/members', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const page = validate(pageSchema, request.query);
    const { items: members, nextCursor } = await listMembers(services, callerOf(response), teamId, page);
    response.json({ members, nextCursor });
  });

  router.patch('/teams/:teamId/members/:uid', async (request, response) => {
    const { teamId, uid } = validate(memberSchema, request.params);
    const { role } = validateBody(roleChangeSchema, request);
    response.json(await changeRole(services, callerOf(response), teamId, uid, role));
  });

  router.delete('/teams/:teamId/members/:uid', async (request, response) => {
    const { teamId, uid } = validate(memberSchema, request.params);
    await removeMember(services, callerOf(response), teamId, uid);
    response.status(204).end();
  });

  router.post('/teams/:teamId/transfer', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const { uid } = validateBody(transferSchema, request);
    await transferTeam(services, callerOf(response), teamId, uid);
    response.status(204).end();
  });

  return router;
}
