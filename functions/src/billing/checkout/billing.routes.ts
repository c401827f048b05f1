import * as z from 'zod';
import { redirect } from '../../http/answer.ts';
import { route, type Route, type RouteGuards } from '../../http/route.ts';
import { LIMITS } from '../../settings/limits.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { intervalSchema } from '../catalogue/interval.ts';
import { findSubject } from '../customers/subject.ts';
import { beginCheckout } from './checkout.service.ts';
import { openPortal } from './portal.service.ts';
import { finishCheckout } from './return.service.ts';

/** A browser is sent here, and redirected to a page of Stripe or back to the app. */
export const STRIPE_REDIRECT = {
  navigation: 'no-prefetch',
  signedOut: 'browsers-to-sign-in',
  errors: 'page',
  back: ({ portalReturnPath }) => portalReturnPath,
} as const satisfies RouteGuards;

const common = {
  method: 'get',
  tag: 'Billing',
  ...STRIPE_REDIRECT,
  limits: [{ limit: LIMITS.checkouts, by: 'user' }],
} as const;

const SIGNED_OUT = 'A signed-out browser is redirected to the sign-in page.';

const finish = route({
  ...common,
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

const checkout = route({
  ...common,
  id: 'checkout',
  path: '/api/auth/checkout/{slug}',
  summary: 'Buy a plan',
  description: `Redirects to Stripe's checkout page for a plan, for the caller or for a team. With a running subscription it redirects to the customer portal. ${SIGNED_OUT}`,
  params: z.object({ slug: z.string() }),
  query: z.strictObject({
    team: teamIdSchema.optional(),
    interval: intervalSchema.default('month'),
  }),
  answers: { 303: redirect('To a page of Stripe.') },
  refusals: [
    'plan_is_free',
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
    return { status: 303, location: await beginCheckout(backend, subject, slug, interval) };
  },
});

const portal = route({
  ...common,
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

/** `finish` comes first, because the path of `checkout` matches its path as well. */
export const billingRoutes: readonly Route[] = [finish, checkout, portal];
