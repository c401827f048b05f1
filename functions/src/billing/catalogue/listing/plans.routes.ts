import * as z from 'zod';
import { oncePer } from '../../../common/lazy.ts';
import { json } from '../../../http/answer.ts';
import { route, type Route } from '../../../http/route.ts';
import { planView } from './plan.view.ts';
import { LISTING_MAX_AGE_SECONDS, plansReader } from './plans.service.ts';

const readerOf = oncePer(plansReader);

const listPlansRoute = route({
  id: 'listPlans',
  method: 'get',
  path: '/api/auth/plans',
  tag: 'Billing',
  summary: 'List plans',
  description: 'Lists the plans with their prices, cheapest first, for example for a pricing page.',
  access: 'public',
  appCheck: false,
  answers: { 200: json('All plans.', z.strictObject({ plans: z.array(planView) })) },
  refusals: ['busy'],
  handler: async ({ backend }) => ({
    status: 200,
    body: { plans: await readerOf(backend)() },
    headers: { 'Cache-Control': `public, max-age=${LISTING_MAX_AGE_SECONDS}` },
  }),
});

export const plansRoutes: readonly Route[] = [listPlansRoute];
