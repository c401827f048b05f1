import * as z from 'zod';
import { json, redirect } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { teamIdSchema } from '../../teams/team.schema.ts';
import { authorizeSubject } from '../authorize-subject.service.ts';
import { intervalSchema } from '../catalogue/interval.ts';
import { stripePageView } from '../stripe/stripe-page.ts';
import { ADD_ON_REFUSALS, addOnsSchema } from '../subscriptions/add-ons/add-ons.schema.ts';
import { beginCheckout } from './checkout.service.ts';
import type { PlanChoice } from './page/checkout-shapes.ts';
import { TO_STRIPE_DECLARATION, SIGNED_OUT_TEXT } from './redirects/redirect-declarations.ts';
import { makeStripeReturnUrls } from './redirects/return-proof.service.ts';
import { appPageUrlSchema, requireAppPageUrl } from './redirects/return-url.ts';

const commonFields = {
  team: teamIdSchema.optional(),
  interval: intervalSchema
    .optional()
    .describe('By default the plan is paid by the month, or by the year if the plan has no monthly price.'),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be three lower-case letters')
    .optional()
    .describe(
      'One of the currencies of the price. Without it Stripe chooses by the location of the customer.',
    ),
  code: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('A promotion code. Its discount is on the page from the start.'),
};

const REFUSALS = [
  'plan_is_free',
  'plan_not_for_subject',
  'interval_not_offered',
  'price_not_available',
  // Also the code of `covered_by_owned`, `team_already_owns` and `team_covered_by_owned`.
  'already_owned',
  'payment_processing',
  // Also the code of `currency_in_use`.
  'currency_not_offered',
  'promotion_code_invalid',
  'forbidden',
  'anonymous_account',
  'plan_not_found',
  'team_not_found',
  'checkout_superseded',
  'customer_closed',
  'billing_unavailable',
  'busy',
] as const;

const checkoutRoute = route({
  // For links on pages of the app. This GET changes data, so a visitor from another site confirms it first.
  ...TO_STRIPE_DECLARATION,
  id: 'checkout',
  method: 'get',
  path: '/api/auth/checkout/{slug}',
  tag: 'Billing',
  summary: 'Buy a plan',
  description: `Redirects to Stripe's checkout page for a plan, for the caller or for a team. A customer with a running subscription is redirected to the page where they manage or pay that subscription, unless a new subscription can replace the running one. ${SIGNED_OUT_TEXT}`,
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
  params: z.object({ slug: z.string() }),
  // Not strict: a newsletter adds parameters of its own to a link, such as `utm_source`.
  query: z.object(commonFields),
  answers: { 303: redirect('To a page of Stripe.') },
  refusals: REFUSALS,
  handler: async ({ backend, caller, params: { slug }, query: { team, ...chosen } }) => {
    const subject = await authorizeSubject(backend, caller, team);
    return { status: 303, location: (await beginCheckout(backend, subject, { slug, ...chosen })).url };
  },
});

const createCheckoutRoute = route({
  id: 'createCheckout',
  method: 'post',
  path: '/api/auth/checkout',
  tag: 'Billing',
  summary: 'Get the URL of a checkout',
  description:
    "For clients that open the page themselves, such as apps: the URL of Stripe's checkout page, or of the page where the customer manages or pays the running subscription.",
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
  body: z.strictObject({
    plan: z.string().describe('Slug of the plan.'),
    ...commonFields,
    addOns: addOnsSchema.optional().describe('Units of add-ons by their slugs, bought with the plan.'),
    /** The page of the app. Stripe first leads to a route of ours. */
    returnUrl: appPageUrlSchema,
  }),
  answers: { 200: json('The page to open.', stripePageView) },
  refusals: [...REFUSALS, ...ADD_ON_REFUSALS, 'return_url_not_allowed'],
  handler: async ({ backend, caller, body: { plan: slug, team, returnUrl: appPageUrl, ...chosen } }) => {
    // `redirects/return-url.ts` explains the names of the URLs.
    requireAppPageUrl(backend.config, appPageUrl);
    const subject = await authorizeSubject(backend, caller, team);
    const stripeReturnUrls = await makeStripeReturnUrls(backend, subject, appPageUrl);
    const choice: PlanChoice = { slug, ...chosen, stripeReturnUrls, appPageAfterPortal: appPageUrl };
    const { url } = await beginCheckout(backend, subject, choice);
    return { status: 200, body: { url } };
  },
});

export const checkoutRoutes: readonly Route[] = [checkoutRoute, createCheckoutRoute];
