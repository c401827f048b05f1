import { Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../http/caller.ts';
import { validateBody } from '../http/validate.ts';
import type { Services } from '../services.ts';
import { changeUser } from './user.service.ts';
import { viewOf } from './user.view.ts';

/** Null takes a value away. What is left out stays. */
const changeSchema = z
  .strictObject({
    displayName: z.string().trim().min(1).max(100).nullable().exactOptional(),
    photoURL: z
      .url({ protocol: /^https$/ })
      .max(2048)
      .nullable()
      .exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Name what to change: displayName or photoURL.');

/** Mounted in the authenticated group of /api/auth. */
export function userRoutes(services: Services): Router {
  const router = Router();

  router.patch('/user', async (request, response) => {
    const change = validateBody(changeSchema, request);
    response.json(viewOf(await changeUser(services, callerOf(response), change)));
  });

  return router;
}
