import * as z from 'zod';
import { json, redirect, type Operation } from '../openapi/operation.ts';
import { checkoutQuery, portalQuery, returnQuery } from './checkout/billing.schema.ts';
import { planView } from './catalogue/plan.view.ts';

const SIGNED_OUT = 'a signed-out browser to the sign-in page';

export const BILLING_OPERATIONS: readonly Operation[] = [
  {
    id: 'listPlans',
    method: 'get',
    path: '/api/auth/plans',
    summary: 'Lists the plans with their prices.',
    access: 'public',
    answers: { 200: json('From least to most.', z.strictObject({ plans: z.array(planView) })) },
  },
  {
    id: 'finishCheckout',
    method: 'get',
    path: '/api/auth/checkout/return',
    summary: "Where Stripe's checkout page comes back to: knows at once what was bought.",
    query: returnQuery,
    answers: { 303: redirect(`To the app's page after a payment, or without one; ${SIGNED_OUT}.`) },
    errorShape: 'page',
    limited: true,
    errors: {
      403: ['prefetch', 'forbidden'],
      404: ['checkout_not_found', 'team_not_found'],
      503: ['billing_unavailable', 'busy'],
    },
  },
  {
    id: 'checkout',
    method: 'get',
    path: '/api/auth/checkout/{slug}',
    summary: "Leads to Stripe's checkout page for a plan.",
    params: z.object({ slug: z.string() }),
    query: checkoutQuery,
    answers: { 303: redirect(`To the checkout, with a running subscription to the portal; ${SIGNED_OUT}.`) },
    errorShape: 'page',
    limited: true,
    errors: {
      400: ['plan_is_free'],
      403: ['prefetch', 'forbidden', 'anonymous_account'],
      404: ['plan_not_found', 'team_not_found'],
      409: ['checkout_superseded', 'customer_closed'],
      503: ['billing_unavailable', 'busy'],
    },
  },
  {
    id: 'portal',
    method: 'get',
    path: '/api/auth/portal',
    summary: "Leads to Stripe's customer portal.",
    query: portalQuery,
    answers: { 303: redirect(`To the portal; ${SIGNED_OUT}.`) },
    errorShape: 'page',
    limited: true,
    errors: {
      403: ['prefetch', 'forbidden', 'anonymous_account'],
      404: ['team_not_found'],
      503: ['billing_unavailable', 'busy'],
    },
  },
  {
    id: 'receiveStripeEvent',
    method: 'post',
    path: '/api/webhooks/stripe',
    summary: 'Takes an event that Stripe signed.',
    access: 'public',
    answers: { 200: json('It is processed.', z.strictObject({ received: z.literal(true) })) },
    errors: { 400: ['invalid_signature'], 503: ['billing_unavailable', 'auth_unavailable', 'busy'] },
  },
];
