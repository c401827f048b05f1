import { Router } from 'express';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { callerOf } from '../http/caller.ts';
import { validateBody } from '../http/validate.ts';
import type { Services } from '../services.ts';
import { startTeam } from './team.service.ts';

const newTeamSchema = z.strictObject({ name: z.string().trim().min(1).max(100) });

/** Mounted in the authenticated group of /api/auth. */
export function teamRoutes(config: Config, services: Services): Router {
  const router = Router();

  router.post('/teams', async (request, response) => {
    const { name } = validateBody(newTeamSchema, request);
    response.status(201).json(await startTeam(services, config.plans, callerOf(response), name));
  });

  return router;
}
