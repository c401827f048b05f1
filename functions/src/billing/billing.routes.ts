import { Router } from 'express';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { callerOf } from '../http/caller.ts';
import { noPrefetch } from '../http/navigation.ts';
import { validate } from '../http/validate.ts';
import { INTERVALS } from '../plans.ts';
import type { Services } from '../services.ts';
import { teamIdSchema } from '../teams/team.schema.ts';
import { beginCheckout } from './checkout.service.ts';
import { openPortal } from './portal.service.ts';
import { finishCheckout } from './return.service.ts';
import { billedSubject, subjectOf } from './subject.ts';

const checkoutSchema = z.strictObject({
  team: teamIdSchema.optional(),
  interval: z.enum(INTERVALS).default('month'),
});

const portalSchema = z.strictObject({ team: teamIdSchema.optional() });

const returnSchema = z.strictObject({
  session_id: z.string().regex(/^cs_[A-Za-z0-9_]{1,250}$/, 'is not the id of a checkout'),
});

/** Hand-overs to Stripe's hosted pages and back, mounted at /api/auth in an authenticated group. */
export function billingRoutes(config: Config, services: Services): Router {
  const router = Router();
  const subject = billedSubject(services);

  router.get('/checkout/return', noPrefetch, async (request, response) => {
    const { session_id: sessionId } = validate(returnSchema, request.query);
    response.redirect(303, await finishCheckout(services, config, callerOf(response), sessionId));
  });

  router.get('/checkout/:slug', noPrefetch, subject, async (request, response) => {
    const slug = validate(z.string(), request.params['slug']);
    const { interval } = validate(checkoutSchema, request.query);
    response.redirect(303, await beginCheckout(services, config, subjectOf(response), slug, interval));
  });

  router.get('/portal', noPrefetch, subject, async (request, response) => {
    validate(portalSchema, request.query);
    response.redirect(303, await openPortal(services, config, subjectOf(response)));
  });

  return router;
}
