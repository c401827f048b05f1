import * as z from 'zod';
import { redirect } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { intervalSchema } from '../catalogue/interval.ts';
import { findSubject } from '../customers/subject.ts';
import { REDIRECT_ROUTE, SIGNED_OUT } from '../stripe-redirect.ts';
import { beginCheckout } from './checkout.service.ts';

const checkout = route({
  ...REDIRECT_ROUTE,
  id: 'checkout',
  path: '/api/auth/checkout/{slug}',
  summary: 'Buy a plan',
  description: `Redirects to Stripe's checkout page for a plan, for the caller or for a team. With a running subscription it redirects to the customer portal. ${SIGNED_OUT}`,
  params: z.object({ slug: z.string() }),
  query: z.strictObject({
    team: teamIdSchema.optional(),
    interval: intervalSchema
      .optional()
      .describe('Without it the plan is paid by the month, or by the year if it has no monthly price.'),
  }),
  answers: { 303: redirect('To a page of Stripe.') },
  refusals: [
    'plan_is_free',
    'plan_not_for_subject',
    'interval_not_offered',
    'forbidden',
    'anonymous_account',
    'plan_not_found',
    'team_not_found',
    'checkout_superseded',
    'customer_closed',
    'billing_unavailable',
    'busy',
  ],
  handler: async ({ backend, caller, params: { slug }, query: { team, interval } }) => {
    const subject = await findSubject(backend, caller, team);
    return { status: 303, location: (await beginCheckout(backend, subject, { slug, interval })).url };
  },
});

export const checkoutRoutes: readonly Route[] = [checkout];
