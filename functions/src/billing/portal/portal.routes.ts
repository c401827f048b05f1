import * as z from 'zod';
import { redirect } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { findSubject } from '../customers/subject.ts';
import { REDIRECT_ROUTE, SIGNED_OUT } from '../stripe-redirect.ts';
import { openPortal } from './portal.service.ts';

const portal = route({
  ...REDIRECT_ROUTE,
  id: 'portal',
  path: '/api/auth/portal',
  summary: 'Manage a subscription',
  description: `Redirects to Stripe's customer portal, for the caller or for a team. ${SIGNED_OUT}`,
  query: z.strictObject({ team: teamIdSchema.optional() }),
  answers: { 303: redirect('To the portal.') },
  refusals: ['forbidden', 'anonymous_account', 'team_not_found', 'billing_unavailable', 'busy'],
  handler: async ({ backend, caller, query }) => ({
    status: 303,
    location: await openPortal(backend, await findSubject(backend, caller, query.team)),
  }),
});

export const portalRoutes: readonly Route[] = [portal];
