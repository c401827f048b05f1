import * as z from 'zod';
import { redirect } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { REDIRECT_ROUTE, SIGNED_OUT } from '../stripe-redirect.ts';
import { finishCheckout } from './return.service.ts';

const finish = route({
  ...REDIRECT_ROUTE,
  id: 'finishCheckout',
  path: '/api/auth/checkout/return',
  summary: 'Return from checkout',
  description: `Stripe's checkout page redirects to this address. Syncs the new subscription at once. ${SIGNED_OUT}`,
  query: z.strictObject({
    session_id: z.string().regex(/^cs_[A-Za-z0-9_]{1,250}$/, 'is not the id of a checkout'),
  }),
  answers: {
    303: redirect(
      'To CHECKOUT_SUCCESS_PATH if the checkout is complete, also with a trial; otherwise to CHECKOUT_CANCEL_PATH.',
    ),
  },
  refusals: ['forbidden', 'checkout_not_found', 'team_not_found', 'billing_unavailable', 'busy'],
  handler: async ({ backend, caller, query }) => ({
    status: 303,
    location: await finishCheckout(backend, caller, query.session_id),
  }),
});

export const returnRoutes: readonly Route[] = [finish];
