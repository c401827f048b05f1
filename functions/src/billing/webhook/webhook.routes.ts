import type Stripe from 'stripe';
import * as z from 'zod';
import type { Backend } from '../../backend.ts';
import { json } from '../../http/answer.ts';
import { MAX_EVENT_BYTES } from '../../http/body.ts';
import { route, type Route, type RouteContext } from '../../http/route.ts';
import { refusal } from '../../refusals/refusals.ts';
import { handleEvent } from './webhook.service.ts';

/** If handling fails, the answer is 5xx, and Stripe sends the event again. https://docs.stripe.com/webhooks */
const receiveStripeEventRoute = route({
  id: 'receiveStripeEvent',
  method: 'post',
  path: '/api/webhooks/stripe',
  tag: 'Billing',
  summary: 'Receive a Stripe event',
  description: 'Called by Stripe. The header `Stripe-Signature` over the raw body authenticates the request.',
  access: 'public',
  appCheck: false,
  maxBytes: () => MAX_EVENT_BYTES,
  rawBody: z.looseObject({ id: z.string(), type: z.string() }),
  answers: { 200: json('The event is processed.', z.strictObject({ received: z.literal(true) })) },
  refusals: ['invalid_signature', 'billing_unavailable', 'auth_unavailable', 'busy'],
  handler: async ({ backend, request }) => {
    await handleEvent(backend, await verifyEvent(backend, request));
    return { status: 200, body: { received: true as const } };
  },
});

async function verifyEvent(backend: Backend, request: RouteContext['request']): Promise<Stripe.Event> {
  const { webhooks } = await backend.stripe();
  const signature = request.get('Stripe-Signature') ?? '';
  try {
    return webhooks.constructEvent(request.rawBody ?? '', signature, backend.config.stripeWebhookSecret);
  } catch (error) {
    throw refusal('invalid_signature', {}, { cause: error });
  }
}

export const webhookRoutes: readonly Route[] = [receiveStripeEventRoute];
