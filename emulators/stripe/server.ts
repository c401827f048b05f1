import { DEFAULT_DUNNING } from './billing/dunning.ts';
import type { Dunning } from './billing/dunning.ts';
import { Clock } from './clock.ts';
import { stripeEmulator } from './emulator.ts';
import { listen } from './http/listen.ts';
import { loadPlans } from './plans.ts';
import type { Plans } from './plans.ts';
import { Webhooks } from './webhooks.ts';
import type { WebhookEndpoint } from './webhooks.ts';

export type { Dunning, Plans, WebhookEndpoint };

export interface StripeOptions {
  /** 0, the default, takes a free port. */
  port?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** The plans file, or its parsed content. */
  plans: string | Plans;
  /** The file of the extras, which are sold besides the plans. */
  extras?: string | undefined;
  /** Part of the ids of the seed: `prod_<account>_<slug>`; `local` by default. */
  account?: string;
  /** The only secret key that is accepted. By default every `sk_test_…` is accepted. */
  apiKey?: string;
  webhooks?: WebhookEndpoint[];
  /** Waits before the second, third … attempt of a webhook, in milliseconds. */
  retryDelays?: readonly number[];
  /** The source of the time. `POST /_emulator/clock` adds to it. */
  now?: () => Date;
  /** The retries of unpaid renewals. */
  dunning?: Dunning;
  /** Answers 429 beyond Stripe's limits for each subscription and customer; false by default. */
  limits?: boolean;
}

export interface LocalStripe {
  url: string;
  port: number;
  /** Resolves when every webhook has been delivered or given up. */
  idle: () => Promise<void>;
  /** Removes everything except the products and prices of the plans and extras. */
  reset: () => void;
  close: () => Promise<void>;
}

/**
 * Starts a local Stripe: the API, the hosted checkout and portal pages, and signed webhooks.
 *
 * ```ts
 * const local = await startStripe({ plans: 'functions/plans.json', apiKey: 'sk_test_local' });
 * const stripe = new Stripe('sk_test_local', { host: '127.0.0.1', port: local.port, protocol: 'http' });
 * ```
 *
 * @throws Error with a message of one line if the port is taken or the plans cannot be read
 */
export async function startStripe(options: StripeOptions): Promise<LocalStripe> {
  const { port = 0, host = '127.0.0.1', apiKey, now = () => new Date(), dunning = DEFAULT_DUNNING } = options;
  const hostname = host === '0.0.0.0' ? '127.0.0.1' : host;
  const webhooks = new Webhooks(options.webhooks ?? [], options.retryDelays);
  const extras = options.extras === undefined ? [] : await loadPlans(options.extras);
  const plans = [...(await loadPlans(options.plans)), ...extras];
  const listener = await listen(host, port);
  const url = `http://${hostname}:${listener.port}`;
  const emulator = stripeEmulator({
    plans,
    account: options.account ?? 'local',
    webhooks,
    apiKey,
    clock: new Clock(now),
    dunning,
    limits: options.limits ?? false,
    origin: url,
  });
  listener.serve(emulator.handle);
  return {
    url,
    port: listener.port,
    idle: () => webhooks.idle(),
    reset: emulator.reset,
    close: () => {
      // Requests that wait must end before the server can close.
      emulator.abort();
      return listener.close();
    },
  };
}
