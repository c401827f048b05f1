import { Router } from 'express';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { callerOf } from '../http/caller.ts';
import { noPrefetch } from '../http/navigation.ts';
import { validate } from '../http/validate.ts';
import type { Services } from '../services.ts';
import { beginCheckout, openPortal } from './checkout.service.ts';

/** Hand-overs to Stripe's hosted pages, mounted at /api/auth in an authenticated group. */
export function billingRoutes(config: Config, services: Services): Router {
  const router = Router();

  router.get('/checkout/:slug', noPrefetch, async (request, response) => {
    const slug = validate(z.string(), request.params['slug']);
    response.redirect(303, await beginCheckout(services, config, callerOf(response), slug));
  });

  router.get('/portal', noPrefetch, async (_request, response) => {
    response.redirect(303, await openPortal(services, config, callerOf(response)));
  });

  return router;
}
