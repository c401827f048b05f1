import { once } from 'node:events';
import type { HttpFunction } from '@google-cloud/functions-framework';
import { startStripe, type Dunning } from '@hearth/stripe-emulator';
import type { Express } from 'express';
import { createApp } from '../../functions/src/app.ts';
import { createBackend, type Backend } from '../../functions/src/backend.ts';
import { syncContact } from '../../functions/src/billing/customers/contacts/contact.service.ts';
import { reconcileRange } from '../../functions/src/billing/reconcile/round.service.ts';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { FEATURE_HOOKS } from '../../functions/src/feature-hooks/registry.ts';
import type { Config } from '../../functions/src/settings/config.ts';
import { extrasSchema, pricedExtras } from '../../functions/src/settings/extras.ts';
import type { ReconciliationTask } from '../../functions/src/task-queues.ts';
import { SAMPLE_PLANS } from '../../functions/src/testing/sample-plans.ts';
import { adminFirestore, useStack } from './admin.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, testConfig } from './config.ts';
import { createContract, type Contract } from './contract.ts';
import { dbOn } from './database.ts';
import { listen } from './listen.ts';
import { taskQueue, type TaskQueue } from './task-queue.ts';

export { useStack };

const NO_EXTRAS = extrasSchema.parse({});

const WEBHOOK_PATH = '/api/webhooks/stripe';

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;

export interface AppUnderTest extends AsyncDisposable {
  /** The URL at which the app listens. Its configured public URL is APP_URL. */
  url: string;
  config: Config;
  backend: Backend;
  stripe: StripeStandIn;
  /** Compares all answers with the OpenAPI document; disposing of the app fails if they differ. */
  contract: Contract;
  seatQueue: TaskQueue<string>;
  contactQueue: TaskQueue<string>;
  reconciliationQueue: TaskQueue<ReconciliationTask>;
}

export interface AppOptions {
  config?: Partial<Config>;
  backend?: Partial<Backend>;
  /** True for an app that a browser visits: its public URL is the URL at which it listens. */
  isVisited?: boolean;
  /** False for an app that receives no events from Stripe. */
  webhooks?: boolean;
  /** `last`: an event from Stripe waits until no other request is under way, so that costs do not depend on it. */
  events?: 'last';
  /** The treatment of renewals that are not paid. */
  dunning?: Dunning;
}

/**
 * Serves the app from this one process, as Cloud Functions does with many concurrent requests in one instance, against
 * the emulators of the running stack and a Stripe of its own.
 */
export async function serveApp(options: AppOptions = {}): Promise<AppUnderTest> {
  useStack();
  const served: { app?: Express } = {};
  const contract = createContract();
  const handle: HttpFunction = (request, response) => {
    served.app?.(request, response);
  };
  const server = await listen(contract.watch(options.events === 'last' ? eventsLast(handle) : handle));
  const extras = options.config?.extras ?? NO_EXTRAS;
  const stripe = await startStripe({
    plans: [...(options.config?.plans ?? SAMPLE_PLANS), ...pricedExtras(extras), ...extras.meters],
    account: 'hearth',
    apiKey: STRIPE_SECRET_KEY,
    ...(options.dunning && { dunning: options.dunning }),
    webhooks:
      options.webhooks === false ? [] : [{ url: server.url + WEBHOOK_PATH, secret: STRIPE_WEBHOOK_SECRET }],
  });
  const config = testConfig(stripe.url, {
    ...(options.isVisited === true && { appUrl: server.url }),
    ...options.config,
  });
  const queue = taskQueue((teamId: string) => syncSeats(backend, teamId));
  const contactQueue = taskQueue((customerId: string) => syncContact(backend, customerId));
  const reconciliationQueue = taskQueue((task: ReconciliationTask) => reconcileRange(backend, task));
  const backend: Backend = {
    ...createBackend(config, FEATURE_HOOKS),
    db: dbOn(() => Promise.resolve(adminFirestore()), {}, config.auditDays),
    enqueueSeatSync: queue.enqueue,
    enqueueContactSync: contactQueue.enqueue,
    enqueueReconciliation: reconciliationQueue.enqueue,
    ...options.backend,
  };
  served.app = createApp(backend);
  return {
    url: server.url,
    config,
    backend,
    stripe,
    contract,
    seatQueue: queue,
    contactQueue,
    reconciliationQueue,
    [Symbol.asyncDispose]: async () => {
      for (const each of [queue, contactQueue, reconciliationQueue]) each[Symbol.dispose]();
      server.close();
      await stripe.close();
      if (contract.violations.length > 0) {
        throw new Error(`Answers are not as described (openapi/):\n${contract.violations.join('\n')}`);
      }
    },
  };
}

/** Handles an event from Stripe when all other requests have ended. */
function eventsLast(handle: HttpFunction): HttpFunction {
  const underWay = new Set<Promise<unknown>>();
  return async (request, response) => {
    if (request.path === WEBHOOK_PATH) {
      while (underWay.size > 0) await Promise.all(underWay);
    } else {
      const ended = once(response, 'close').finally(() => underWay.delete(ended));
      underWay.add(ended);
    }
    handle(request, response);
  };
}
