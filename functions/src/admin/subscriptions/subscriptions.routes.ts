import * as z from 'zod';
import { empty, json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { adminSubscriptionView } from '../admin.view.ts';
import { operatorOf } from '../operator.service.ts';
import { describeSubscription, syncSubscriptionAsOperator } from './subscriptions.service.ts';

const tag = 'Admin';
const path = '/api/admin/subscriptions/{id}';
// Not every text: `search` is another path of Stripe's API.
const idSchema = z.string().regex(/^sub_\w{1,100}$/, 'is not the id of a subscription');
const params = z.object({ id: idSchema.meta({ examples: ['sub_1'] }) });

const adminGetSubscriptionRoute = route({
  id: 'adminGetSubscription',
  method: 'get',
  path,
  tag,
  summary: 'Describe a subscription',
  description: 'Returns the state of a subscription at Stripe, with our copy and its customer.',
  operatorsOnly: true,
  params,
  answers: { 200: json('The subscription.', adminSubscriptionView) },
  refusals: ['subscription_not_found', 'billing_unavailable'],
  handler: async ({ backend, params: { id } }) => ({
    status: 200,
    body: await describeSubscription(backend, id),
  }),
});

const adminSyncSubscriptionRoute = route({
  id: 'adminSyncSubscription',
  method: 'post',
  path: `${path}/sync`,
  tag,
  summary: 'Sync a subscription',
  description:
    'Copies a subscription from Stripe now, as an event would, with everything that follows from it.',
  operatorsOnly: true,
  params,
  answers: { 204: empty('The copy is current.') },
  refusals: ['subscription_not_found', 'billing_unavailable'],
  handler: async ({ backend, caller, params: { id } }) => {
    await syncSubscriptionAsOperator(backend, operatorOf(caller), id);
    return { status: 204 };
  },
});

export const adminSubscriptionRoutes: readonly Route[] = [
  adminGetSubscriptionRoute,
  adminSyncSubscriptionRoute,
];
