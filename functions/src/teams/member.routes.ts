import type { Router } from 'express';
import * as z from 'zod';
import type { Backend } from '../backend.ts';
import { callerOf } from '../auth/caller.ts';
import { createRouter } from '../http/router.ts';
import { validate, validateBody } from '../http/validate.ts';
import { pageSchema } from '../firestore/page.ts';
import { changeRole, listMembers, removeMember } from './member.service.ts';
import { roleSchema, teamIdSchema, uidSchema } from './team.schema.ts';

export const memberSchema = z.object({ teamId: teamIdSchema, uid: uidSchema });
export const roleChangeSchema = z.strictObject({ role: roleSchema });

/** Mounted in the authenticated group of /api/auth. */
export function memberRoutes(backend: Backend): Router {
  const router = createRouter();

  router.get('/teams/:teamId/members', async (request, response) => {
    const teamId = validate(teamIdSchema, request.params.teamId);
    const page = validate(pageSchema, request.query);
    const { items: members, nextCursor } = await listMembers(backend, callerOf(response), teamId, page);
    response.json({ members, nextCursor });
  });

  router.patch('/teams/:teamId/members/:uid', async (request, response) => {
    const key = validate(memberSchema, request.params);
    const { role } = validateBody(roleChangeSchema, request);
    response.json(await changeRole(backend, callerOf(response), key, role));
  });

  router.delete('/teams/:teamId/members/:uid', async (request, response) => {
    const key = validate(memberSchema, request.params);
    await removeMember(backend, callerOf(response), key);
    response.status(204).end();
  });

  return router;
}
