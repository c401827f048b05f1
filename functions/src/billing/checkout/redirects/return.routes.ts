import * as z from 'zod';
import { redirect } from '../../../http/answer.ts';
import { route, type Route, type RouteContext } from '../../../http/route.ts';
import { RATE_LIMITS } from '../../../settings/rate-limits.ts';
import { finishPortal } from './portal-return.service.ts';
import {
  PUBLIC_RETURN_DECLARATION,
  SIGNED_IN_RETURN_DECLARATION,
  SIGNED_OUT_TEXT,
} from './redirect-declarations.ts';
import { PORTAL_CHANGE, RETURN_PATHS } from './return-url.ts';
import { finishClientCheckout, finishCheckout } from './return.service.ts';

const sessionId = z.string().regex(/^cs_[A-Za-z0-9_]{1,250}$/, 'is not the id of a checkout');

const customer = z.string().min(1).max(128);
const proof = z.string().max(100);

const to = z
  .string()
  .optional()
  .describe('URL of the app. It is ignored unless it is on an own origin or in RETURN_URLS.');

/** A proof allows as many visits to Stripe as the customer has. */
const countBy = (countRequest: RouteContext['countRequest']) => (customerId: string) =>
  countRequest(RATE_LIMITS.checkouts, customerId);

const finishCheckoutRoute = route({
  ...SIGNED_IN_RETURN_DECLARATION,
  id: 'finishCheckout',
  method: 'get',
  path: RETURN_PATHS.checkout,
  tag: 'Billing',
  summary: 'Return from checkout',
  description: `Stripe's checkout page redirects to this URL, also that of a payment link. Syncs the new subscription. ${SIGNED_OUT_TEXT}`,
  limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }],
  // A payment link adds the UTM codes of its own URL.
  query: z.object({ session_id: sessionId }),
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

const finishClientCheckoutRoute = route({
  ...PUBLIC_RETURN_DECLARATION,
  id: 'finishClientCheckout',
  method: 'get',
  path: RETURN_PATHS.clientCheckout,
  tag: 'Billing',
  summary: 'Return from a checkout that a client began',
  description:
    "Stripe's checkout page redirects to this URL. Needs no sign-in: `proof` belongs to the customer, and is valid for at least a day. Syncs the new subscription, and shows no data. Without a valid proof it only redirects.",
  limits: [{ limit: RATE_LIMITS.returns, by: 'ip-per-instance' }],
  query: z.strictObject({
    session_id: sessionId.optional(),
    customer: customer.optional(),
    proof: proof.optional(),
    to,
  }),
  answers: {
    303: redirect('To the URL of the app with `checkout=success`, `pending` or `cancelled`.'),
  },
  refusals: ['checkout_not_found', 'billing_unavailable', 'auth_unavailable', 'busy'],
  handler: async ({ backend, query, countRequest }) => {
    const location = await finishClientCheckout({ backend, countReturn: countBy(countRequest) }, query);
    return { status: 303, location };
  },
});

const finishPortalRoute = route({
  ...PUBLIC_RETURN_DECLARATION,
  id: 'finishPortal',
  method: 'get',
  path: RETURN_PATHS.portal,
  tag: 'Billing',
  summary: 'Return from the portal',
  description:
    "Stripe's portal leads back to this URL. Needs no sign-in: `proof` belongs to the customer, and is valid for at least a day. Syncs the subscriptions, and shows no data.",
  limits: [{ limit: RATE_LIMITS.returns, by: 'ip-per-instance' }],
  query: z.strictObject({
    customer,
    proof,
    changed: z
      .literal(PORTAL_CHANGE)
      .optional()
      .describe('Set if the customer has entered another payment method. The subscriptions then get it.'),
    to,
  }),
  answers: { 303: redirect('To the URL of the app with `portal=done`, or to PORTAL_RETURN_PATH.') },
  refusals: ['unknown_link', 'billing_unavailable', 'auth_unavailable', 'busy'],
  handler: async ({ backend, query, countRequest }) => {
    const location = await finishPortal({ backend, countReturn: countBy(countRequest) }, query);
    return { status: 303, location };
  },
});

export const returnRoutes: readonly Route[] = [
  finishCheckoutRoute,
  finishClientCheckoutRoute,
  finishPortalRoute,
];
