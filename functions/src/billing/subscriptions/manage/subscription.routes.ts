import * as z from 'zod';
import { json } from '../../../http/answer.ts';
import { route, type Route } from '../../../http/route.ts';
import { RATE_LIMITS } from '../../../settings/rate-limits.ts';
import { teamIdSchema } from '../../../teams/team.schema.ts';
import { authorizeSubject } from '../../authorize-subject.service.ts';
import { intervalSchema } from '../../catalogue/interval.ts';
import { changePlan, previewChange } from './change.service.ts';
import { CANCEL_REASONS, cancelPlanSubscription, resumeSubscription } from './ending.service.ts';
import { listInvoices } from './invoices.service.ts';
import { getSubscription } from './subscription.service.ts';
import {
  changePreviewView,
  invoicePageView,
  managedSubscriptionView,
  prorationDateSchema,
} from './subscription.view.ts';

const SUBSCRIPTION = '/api/auth/subscription';

/** Each of these routes calls Stripe. */
const common = { tag: 'Billing', limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }] } as const;

const SUBJECT_REFUSALS = ['forbidden', 'anonymous_account', 'team_not_found'] as const;
const STRIPE_REFUSALS = ['billing_unavailable', 'busy'] as const;
const CHANGE_REFUSALS = [
  ...SUBJECT_REFUSALS,
  ...STRIPE_REFUSALS,
  'auth_unavailable',
  'subscription_not_found',
] as const;
const PLAN_REFUSALS = [
  'plan_not_found',
  'plan_is_free',
  'plan_not_for_subject',
  'interval_not_offered',
  'currency_not_offered',
  'price_not_available',
  'subscription_ending',
  'invoice_unpaid',
  'plan_change_planned',
  'change_not_plannable',
] as const;

const team = teamIdSchema.optional().describe('The team whose subscription it is; the caller by default.');
const teamQuery = z.strictObject({ team });
const teamBody = z.strictObject({ team });

const planChange = z.strictObject({
  team,
  plan: z.string().describe('Slug of the new plan.'),
  interval: intervalSchema.optional(),
  when: z
    .enum(['now', 'period_end'])
    .meta({ id: 'ChangeTime' })
    .default('now')
    .describe(
      '`now` charges or credits the difference immediately; `period_end` changes nothing before then.',
    ),
});

const getSubscriptionRoute = route({
  ...common,
  id: 'getSubscription',
  method: 'get',
  path: SUBSCRIPTION,
  summary: 'Get the subscription',
  description:
    'The running subscription that pays for the plan of the caller or of a team, as Stripe has it now.',
  query: teamQuery,
  answers: { 200: json('The subscription.', managedSubscriptionView) },
  refusals: [...SUBJECT_REFUSALS, ...STRIPE_REFUSALS, 'subscription_not_found'],
  handler: async ({ backend, caller, query }) => ({
    status: 200,
    body: await getSubscription(backend, await authorizeSubject(backend, caller, query.team)),
  }),
});

const previewPlanChangeRoute = route({
  ...common,
  id: 'previewPlanChange',
  method: 'post',
  path: `${SUBSCRIPTION}/preview`,
  summary: 'Preview a change of plan',
  description: 'The invoice that a change of plan would make. Changes nothing.',
  body: planChange,
  answers: { 200: json('The invoice.', changePreviewView) },
  refusals: [...SUBJECT_REFUSALS, ...STRIPE_REFUSALS, ...PLAN_REFUSALS, 'subscription_not_found'],
  handler: async ({ backend, caller, body: { team: teamId, ...change } }) => ({
    status: 200,
    body: await previewChange(backend, await authorizeSubject(backend, caller, teamId), change),
  }),
});

const changePlanRoute = route({
  ...common,
  limits: [...common.limits, { limit: RATE_LIMITS.subscriptionChanges, by: 'user' }],
  id: 'changePlan',
  method: 'post',
  path: `${SUBSCRIPTION}/change`,
  summary: 'Change the plan',
  description:
    'Changes the plan of the running subscription, now or at the end of the paid period. If a payment is needed and fails, the plan stays, and `payment` has the invoice whose payment makes the change.',
  body: planChange.extend({ prorationDate: prorationDateSchema }),
  answers: { 200: json('The subscription after the change.', managedSubscriptionView) },
  refusals: [...CHANGE_REFUSALS, ...PLAN_REFUSALS, 'preview_expired', 'payment_failed'],
  handler: async ({ backend, caller, body: { team: teamId, ...wanted } }) => ({
    status: 200,
    body: await changePlan(backend, await authorizeSubject(backend, caller, teamId), wanted),
  }),
});

const cancelSubscriptionRoute = route({
  ...common,
  id: 'cancelSubscription',
  method: 'post',
  path: `${SUBSCRIPTION}/cancel`,
  summary: 'Cancel the subscription',
  description:
    'Ends the subscription at the end of the paid period, or immediately if it is unpaid or paused. A planned change is discarded.',
  body: teamBody
    .extend({
      reason: z.enum(CANCEL_REASONS).meta({ id: 'CancelReason' }).optional(),
      comment: z.string().trim().min(1).max(500).optional(),
    })
    .meta({ id: 'Cancellation' }),
  answers: { 200: json('The subscription after the change.', managedSubscriptionView) },
  refusals: CHANGE_REFUSALS,
  handler: async ({ backend, caller, body: { team: teamId, ...cancellation } }) => ({
    status: 200,
    body: await cancelPlanSubscription(
      backend,
      await authorizeSubject(backend, caller, teamId),
      cancellation,
    ),
  }),
});

const resumeSubscriptionRoute = route({
  ...common,
  id: 'resumeSubscription',
  method: 'post',
  path: `${SUBSCRIPTION}/resume`,
  summary: 'Resume the subscription',
  description:
    'Takes back a cancellation before the subscription has ended, and discards a planned change of plan.',
  body: teamBody,
  answers: { 200: json('The subscription after the change.', managedSubscriptionView) },
  refusals: [...CHANGE_REFUSALS, 'plan_change_planned'],
  handler: async ({ backend, caller, body }) => ({
    status: 200,
    body: await resumeSubscription(backend, await authorizeSubject(backend, caller, body.team)),
  }),
});

const listInvoicesRoute = route({
  ...common,
  id: 'listInvoices',
  method: 'get',
  path: '/api/auth/invoices',
  summary: 'List invoices',
  description: 'The invoices of the caller or of a team, latest first, with links to the page and the PDF.',
  query: teamQuery.extend({
    cursor: z
      .string()
      .regex(/^in_[A-Za-z0-9_]{1,250}$/, 'is not a cursor of this list')
      .optional(),
  }),
  answers: { 200: json('One page.', invoicePageView) },
  refusals: [...SUBJECT_REFUSALS, ...STRIPE_REFUSALS],
  handler: async ({ backend, caller, query }) => ({
    status: 200,
    body: await listInvoices(backend, await authorizeSubject(backend, caller, query.team), query.cursor),
  }),
});

export const subscriptionRoutes: readonly Route[] = [
  getSubscriptionRoute,
  previewPlanChangeRoute,
  changePlanRoute,
  cancelSubscriptionRoute,
  resumeSubscriptionRoute,
  listInvoicesRoute,
];
