import * as z from 'zod';
import { json, redirect } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import type { RefusalCode } from '../../refusals/refusals.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { authorizeSubject } from '../authorize-subject.service.ts';
import { stripePageView } from '../stripe/stripe-page.ts';
import { openPortal } from './portal.service.ts';
import { TO_STRIPE_DECLARATION, SIGNED_OUT_TEXT } from './redirects/redirect-declarations.ts';
import { appPageUrlSchema } from './redirects/return-url.ts';

const PORTAL_REFUSALS = [
  'forbidden',
  'anonymous_account',
  'team_not_found',
  'customer_closed',
  'billing_unavailable',
  'busy',
] as const satisfies readonly RefusalCode[];

const portalRoute = route({
  ...TO_STRIPE_DECLARATION,
  id: 'portal',
  method: 'get',
  path: '/api/auth/portal',
  tag: 'Billing',
  summary: 'Manage a subscription',
  description: `Redirects to Stripe's customer portal, for the caller or for a team. ${SIGNED_OUT_TEXT}`,
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
  // Not strict: a newsletter adds parameters of its own to a link, such as `utm_source`.
  query: z.object({ team: teamIdSchema.optional() }),
  answers: { 303: redirect('To the portal.') },
  refusals: PORTAL_REFUSALS,
  handler: async ({ backend, caller, query }) => ({
    status: 303,
    location: await openPortal(backend, await authorizeSubject(backend, caller, query.team)),
  }),
});

const createPortalRoute = route({
  id: 'createPortal',
  method: 'post',
  path: '/api/auth/portal',
  tag: 'Billing',
  summary: 'Get the URL of the portal',
  description: 'For clients that open the page themselves, such as apps: the URL of the customer portal.',
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
  body: z.strictObject({
    team: teamIdSchema.optional(),
    returnUrl: appPageUrlSchema,
    flow: z
      .enum(['payment_method'])
      .meta({ id: 'PortalFlow' })
      .optional()
      .describe(
        '`payment_method` opens the form that changes the card. After the change the portal leads back.',
      ),
  }),
  answers: { 200: json('The page to open.', stripePageView) },
  refusals: ['return_url_not_allowed', ...PORTAL_REFUSALS],
  handler: async ({ backend, caller, body: { team, returnUrl: appPageUrl, flow } }) => {
    const subject = await authorizeSubject(backend, caller, team);
    return { status: 200, body: { url: await openPortal(backend, subject, { appPageUrl, flow }) } };
  },
});

export const portalRoutes: readonly Route[] = [portalRoute, createPortalRoute];
