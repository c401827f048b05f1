import * as z from 'zod';
import { json } from '../../../http/answer.ts';
import { route, type Route } from '../../../http/route.ts';
import { RATE_LIMITS } from '../../../settings/rate-limits.ts';
import { teamIdSchema } from '../../../teams/team.schema.ts';
import { authorizeSubject } from '../../authorize-subject.service.ts';
import { stripePageView } from '../../stripe/stripe-page.ts';
import { makeStripeReturnUrls } from '../redirects/return-proof.service.ts';
import { appPageUrlSchema, requireAppPageUrl } from '../redirects/return-url.ts';
import { beginPurchase } from './purchase.service.ts';

const purchaseRoute = route({
  id: 'purchase',
  method: 'post',
  path: '/api/auth/purchases',
  tag: 'Billing',
  summary: 'Buy for one payment',
  description:
    "Returns the URL of Stripe's checkout page, where the caller or a team pays once for a plan without an end, or for credits.",
  body: z.strictObject({
    item: z.string().max(80).describe('Slug of a plan with the price `once`, or of a credit pack.'),
    quantity: z.int().min(1).max(100).default(1).describe('Number of credit packs.'),
    team: teamIdSchema.optional(),
    returnUrl: appPageUrlSchema,
  }),
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
  answers: { 200: json('The page to open.', stripePageView) },
  refusals: [
    'return_url_not_allowed',
    'interval_not_offered',
    'currency_not_offered',
    'plan_not_for_subject',
    'forbidden',
    'anonymous_account',
    'item_not_found',
    'team_not_found',
    'already_owned',
    'payment_processing',
    'price_not_available',
    'checkout_superseded',
    'customer_closed',
    'billing_unavailable',
    'busy',
  ],
  handler: async ({ backend, caller, body: { team, returnUrl: appPageUrl, ...choice } }) => {
    requireAppPageUrl(backend.config, appPageUrl);
    const subject = await authorizeSubject(backend, caller, team);
    const stripeReturnUrls = await makeStripeReturnUrls(backend, subject, appPageUrl);
    const { url } = await beginPurchase(backend, subject, { ...choice, stripeReturnUrls });
    return { status: 200, body: { url } };
  },
});

export const purchasesRoutes: readonly Route[] = [purchaseRoute];
