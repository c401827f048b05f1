import type { Router } from 'express';
import { createRouter } from '../../http/router.ts';
import type { Backend } from '../../backend.ts';
import { PLANS_MAX_AGE_SECONDS, plansReader } from './plans.service.ts';

/** Mounted at /api/auth/plans. Public, because a pricing page has it read by who is no user yet. */
export function plansRoutes(backend: Backend): Router {
  const router = createRouter();
  const readPlans = plansReader(backend);

  router.get('/', async (_request, response) => {
    const plans = await readPlans();
    response.set('Cache-Control', `public, max-age=${PLANS_MAX_AGE_SECONDS}`).json({ plans });
  });

  return router;
}
