import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import type { Express } from 'express';
import { inject } from 'vitest';
import { startStripe } from '../../emulators/stripe/server.ts';
import { createApp } from '../../functions/src/app.ts';
import { parseConfig, type Config } from '../../functions/src/config.ts';
import { createServices, type Services } from '../../functions/src/services.ts';
import plans from '../../functions/plans.json' with { type: 'json' };

export const APP_URL = 'http://localhost:5000';
export const STRIPE_SECRET_KEY = 'sk_test_in_process';
export const STRIPE_WEBHOOK_SECRET = 'whsec_in_process';

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;

export interface AppUnderTest extends AsyncDisposable {
  /** Where it listens; what it believes its public address to be is APP_URL. */
  url: string;
  config: Config;
  services: Services;
  stripe: StripeStandIn;
}

export interface AppOptions {
  config?: Partial<Config>;
  services?: Partial<Services>;
}

/** Points the Admin SDK of this process at the running stack. */
export function useStack(): void {
  const { env, projectId } = inject('stack');
  Object.assign(process.env, env, {
    FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket: `${projectId}.firebasestorage.app` }),
  });
}

export function testConfig(stripeApiUrl: string, overrides: Partial<Config> = {}): Config {
  return parseConfig({
    appUrl: APP_URL,
    signInPath: '/auth/sign-in',
    dashboardPath: '/dashboard',
    checkoutSuccessPath: '/billing/success',
    checkoutCancelPath: '/billing',
    portalReturnPath: '/billing',
    sessionDays: 5,
    invitationDays: 7,
    uploadRequiresAuth: true,
    uploadMaxBytes: 1024 * 1024,
    stripeApiUrl,
    stripeSecretKey: STRIPE_SECRET_KEY,
    stripeWebhookSecret: STRIPE_WEBHOOK_SECRET,
    plans,
    ...overrides,
  });
}

/**
 * Serves the app from this one process inside Google's functions framework, as Cloud Functions does with many requests at
 * once in one instance, against the emulators of the running stack and a Stripe of its own.
 */
export async function serveApp(options: AppOptions = {}): Promise<AppUnderTest> {
  useStack();
  const name = `api-${randomUUID()}`;
  const served: { app?: Express } = {};
  http(name, (request, response) => {
    served.app?.(request, response);
  });
  const server = getTestServer(name).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stripe = await startStripe({
    plans: plans,
    apiKey: STRIPE_SECRET_KEY,
    webhooks: [{ url: `${url}/api/webhooks/stripe`, secret: STRIPE_WEBHOOK_SECRET }],
  });
  const config = testConfig(stripe.url, options.config);
  const services = { ...createServices(config), ...options.services };
  served.app = createApp(config, services);
  return {
    url,
    config,
    services,
    stripe,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await stripe.close();
    },
  };
}
