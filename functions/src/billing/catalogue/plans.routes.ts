import type { Router } from 'express';
import { createRouter } from '../../http/router.ts';
import type { Config } from '../../settings/config.ts';
import type { Services } from '../../backend.ts';
import { PLANS_MAX_AGE_SECONDS, plansReader } from './plans.service.ts';

/** Mounted at /api/auth/plans. Public, because a pricing page has it read by who is no user yet. */
export function plansRoutes(config: Config, services: Services): Router {
  const router = createRouter();
  const readPlans = plansReader(services, config);

  router.get('/', async (_request, response) => {
    const plans = await readPlans();
    response.set('Cache-Control', `public, max-age=${PLANS_MAX_AGE_SECONDS}`).json({ plans });
  });

  return router;
}
