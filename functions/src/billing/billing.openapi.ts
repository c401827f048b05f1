import * as z from 'zod';
import { json, redirect, type Operation } from '../openapi/operation.ts';

const SIGNED_OUT = 'a signed-out browser to the sign-in page';

export const BILLING_OPERATIONS: readonly Operation[] = [
  {
    id: 'checkout',
    method: 'get',
    path: '/api/auth/checkout/{slug}',
    summary: "Leads to Stripe's checkout page for a plan.",
    params: z.object({ slug: z.string() }),
    answers: { 303: redirect(`To the checkout, with a running subscription to the portal; ${SIGNED_OUT}.`) },
    errors: {
      400: ['plan_is_free'],
      403: ['prefetch'],
      404: ['plan_not_found'],
      409: ['checkout_superseded', 'customer_closed'],
      503: ['billing_unavailable', 'busy'],
    },
  },
  {
    id: 'portal',
    method: 'get',
    path: '/api/auth/portal',
    summary: "Leads to Stripe's customer portal.",
    answers: { 303: redirect(`To the portal; ${SIGNED_OUT}.`) },
    errors: { 403: ['prefetch'], 409: ['customer_closed'], 503: ['billing_unavailable', 'busy'] },
  },
  {
    id: 'receiveStripeEvent',
    method: 'post',
    path: '/api/webhooks/stripe',
    summary: 'Takes an event that Stripe signed.',
    access: 'public',
    answers: { 200: json('It is processed.', z.strictObject({ received: z.literal(true) })) },
    errors: { 400: ['invalid_signature'], 503: ['billing_unavailable', 'busy'] },
  },
];
