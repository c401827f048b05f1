import * as z from 'zod';
import { json } from '../../../http/answer.ts';
import { route, type Route } from '../../../http/route.ts';
import { RATE_LIMITS } from '../../../settings/rate-limits.ts';
import { teamIdSchema } from '../../../teams/team.schema.ts';
import { authorizeSubject } from '../../authorize-subject.service.ts';
import {
  changePreviewView,
  managedSubscriptionView,
  prorationDateSchema,
} from '../manage/subscription.view.ts';
import { ADD_ON_REFUSALS, unitsSchema } from './add-ons.schema.ts';
import { previewAddOn, setAddOn } from './add-ons.service.ts';

const PATH = '/api/auth/subscription/add-ons';

const common = { tag: 'Billing', limits: [{ limit: RATE_LIMITS.checkouts, by: 'user' }] } as const;

const body = z.strictObject({
  team: teamIdSchema.optional().describe('The team whose subscription it is; the caller by default.'),
  addOn: z.string().describe('Slug of the add-on.'),
  quantity: unitsSchema.describe('The units afterwards. 0 removes the add-on.'),
});

const REFUSALS = [
  ...ADD_ON_REFUSALS,
  'forbidden',
  'anonymous_account',
  'team_not_found',
  'subscription_not_found',
  'subscription_ending',
  'invoice_unpaid',
  'plan_change_planned',
  'interval_not_offered',
  'price_not_available',
  'billing_unavailable',
  'busy',
] as const;

const setAddOnRoute = route({
  ...common,
  limits: [...common.limits, { limit: RATE_LIMITS.subscriptionChanges, by: 'user' }],
  id: 'setAddOn',
  method: 'post',
  path: PATH,
  summary: 'Add, change or remove an add-on',
  description:
    'Sets the units of an add-on on the running subscription, and charges or credits the difference immediately. If the payment fails, nothing changes, and `payment` has the invoice whose payment makes the change.',
  body: body.extend({
    prorationDate: prorationDateSchema,
  }),
  answers: { 200: json('The subscription after the change.', managedSubscriptionView) },
  refusals: [...REFUSALS, 'preview_expired', 'payment_failed', 'auth_unavailable'],
  handler: async ({ backend, caller, body: { team, addOn: slug, ...change } }) => ({
    status: 200,
    body: await setAddOn(backend, await authorizeSubject(backend, caller, team), { slug, ...change }),
  }),
});

const previewAddOnRoute = route({
  ...common,
  id: 'previewAddOn',
  method: 'post',
  path: `${PATH}/preview`,
  summary: 'Preview a change of an add-on',
  description: 'The invoice that a change of an add-on would make. Changes nothing.',
  body,
  answers: { 200: json('The invoice.', changePreviewView) },
  refusals: REFUSALS,
  handler: async ({ backend, caller, body: { team, addOn: slug, quantity } }) => ({
    status: 200,
    body: await previewAddOn(backend, await authorizeSubject(backend, caller, team), { slug, quantity }),
  }),
});

export const addOnRoutes: readonly Route[] = [setAddOnRoute, previewAddOnRoute];
