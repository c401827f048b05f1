import { createHash } from 'node:crypto';
import type { Request } from 'express';
import * as z from 'zod';
import { areEqualTexts } from '../../common/equal-texts.ts';
import { json } from '../../http/answer.ts';
import { route, type Route } from '../../http/route.ts';
import { refusal } from '../../refusals/refusals.ts';
import type { Config } from '../../settings/config.ts';
import { handleAppStoreEvent } from './app-store-event.service.ts';
import { appStoreEventSchema } from './app-store-event.ts';

/** RevenueCat repeats an event that is not answered with 200, five times within three hours. */
const receiveAppStoreEventRoute = route({
  id: 'receiveAppStoreEvent',
  method: 'post',
  path: '/api/webhooks/stores',
  tag: 'Billing',
  summary: 'Receive an event of an app store',
  description:
    'Called by RevenueCat, or by a service of your own with the same events. The header `Authorization: Bearer` with the token of `STORE_TOKEN_HASH` authenticates the request. Events may come twice and in any order.',
  access: 'public',
  appCheck: false,
  requireSender: requireStoreToken,
  body: z.looseObject({ event: appStoreEventSchema }),
  answers: { 200: json('The event is processed.', z.strictObject({ received: z.literal(true) })) },
  refusals: ['not_found', 'unauthenticated', 'customer_closed', 'auth_unavailable', 'busy'],
  handler: async ({ backend, body }) => {
    await handleAppStoreEvent(backend, body.event);
    return { status: 200, body: { received: true as const } };
  },
});

/** @throws Refusal `not_found` if the setting is off, `store_token_invalid` */
function requireStoreToken({ storeTokenHash: hash }: Config, request: Request): void {
  if (hash === 'none') throw refusal('not_found');
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  const sent = createHash('sha256').update(token).digest('hex');
  if (!areEqualTexts(sent, hash.toLowerCase())) throw refusal('store_token_invalid');
}

export const appStoreRoutes: readonly Route[] = [receiveAppStoreEventRoute];
