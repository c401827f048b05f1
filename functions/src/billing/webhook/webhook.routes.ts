import type { Request, Router } from 'express';
import type Stripe from 'stripe';
import type { Config } from '../../settings/config.ts';
import { refuse } from '../../refusals.ts';
import { createRouter } from '../../http/router.ts';
import type { Backend } from '../../backend.ts';
import { handleEvent } from './webhook.service.ts';

/**
 * Stripe's events, mounted at /api/webhooks. Public: the signature over the raw bytes is the authentication.
 * A failure answers 5xx, and Stripe sends the event again. https://docs.stripe.com/webhooks
 */
export function webhookRoutes(backend: Backend): Router {
  const { config } = backend;
  const router = createRouter();

  router.post('/stripe', async (request: Request & { rawBody?: Buffer }, response) => {
    const stripe = await backend.stripe();
    const event = verifyEvent(stripe, config, request.rawBody, request.get('Stripe-Signature'));
    await handleEvent(backend, event);
    response.json({ received: true });
  });

  return router;
}

function verifyEvent(
  stripe: Stripe,
  config: Config,
  body: Buffer | undefined,
  signature: string | undefined,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body ?? '', signature ?? '', config.stripeWebhookSecret);
  } catch (error) {
    throw refuse('invalid_signature', {}, { cause: error });
  }
}
