import type { Router } from 'express';
import * as z from 'zod';
import { callerOf } from '../../auth/caller.ts';
import { noPrefetch } from '../../http/navigation.ts';
import { limitByUser } from '../../http/rate-limit.ts';
import { createRouter } from '../../http/router.ts';
import { validate } from '../../http/validate.ts';
import { LIMITS } from '../../settings/limits.ts';
import type { Backend } from '../../backend.ts';
import { checkoutQuery, portalQuery, returnQuery } from './billing.schema.ts';
import { beginCheckout } from './checkout.service.ts';
import { openPortal } from './portal.service.ts';
import { finishCheckout } from './return.service.ts';
import { billedSubject, subjectOf } from '../customers/subject.ts';

/** Hand-overs to Stripe's hosted pages and back, mounted at /api/auth in an authenticated group. */
export function billingRoutes(backend: Backend): Router {
  const { config } = backend;
  const router = createRouter();
  const subject = billedSubject(backend);
  const limited = limitByUser(backend, LIMITS.checkouts(config));

  router.get('/checkout/return', noPrefetch, limited, async (request, response) => {
    const { session_id: sessionId } = validate(returnQuery, request.query);
    response.redirect(303, await finishCheckout(backend, callerOf(response), sessionId));
  });

  router.get('/checkout/:slug', noPrefetch, limited, subject, async (request, response) => {
    const slug = validate(z.string(), request.params['slug']);
    const { interval } = validate(checkoutQuery, request.query);
    response.redirect(303, await beginCheckout(backend, subjectOf(response), slug, interval));
  });

  router.get('/portal', noPrefetch, limited, subject, async (request, response) => {
    validate(portalQuery, request.query);
    response.redirect(303, await openPortal(backend, subjectOf(response)));
  });

  return router;
}
