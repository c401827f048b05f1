import type { Backend } from '../../../backend.ts';
import { cachedFor, oncePer } from '../../../common/lazy.ts';
import { json } from '../../../http/answer.ts';
import { route, type Route } from '../../../http/route.ts';
import { readExtras } from './extras.service.ts';
import { extrasView } from './extras.view.ts';
import { LISTING_MAX_AGE_SECONDS } from './plans.service.ts';

const readerOf = oncePer((backend: Backend) =>
  cachedFor(LISTING_MAX_AGE_SECONDS, backend.now, () => readExtras(backend)),
);

const listExtrasRoute = route({
  id: 'listExtras',
  method: 'get',
  path: '/api/auth/extras',
  tag: 'Billing',
  summary: 'List extras',
  description: 'Lists what is sold besides the plans, such as credit packs, with prices.',
  access: 'public',
  appCheck: false,
  answers: { 200: json('All extras.', extrasView) },
  refusals: ['busy'],
  handler: async ({ backend }) => ({
    status: 200,
    body: await readerOf(backend)(),
    headers: { 'Cache-Control': `public, max-age=${LISTING_MAX_AGE_SECONDS}` },
  }),
});

export const extrasRoutes: readonly Route[] = [listExtrasRoute];
