import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { serveApp, type AppOptions, type AppUnderTest } from './app.ts';
import { deliver, stripeOf } from './billing.ts';

/** An app without webhooks, whose one-time payments arrive later than their pages are completed. */
export interface LateBank extends AsyncDisposable {
  app: AppUnderTest;
  /** The status of all payments; undefined once they have arrived. */
  intentStatus: Stripe.PaymentIntent.Status | undefined;
  /** Sends an event about the newest session, as Stripe has it now. */
  report: (type: Stripe.Event['type']) => Promise<void>;
}

/** The local Stripe has no method that pays later. Therefore its client answers as Stripe does for such a method. */
export async function serveWithLateBank(config: AppOptions['config'] = {}): Promise<LateBank> {
  const served: { client?: Stripe } = {};
  const app = await serveApp({
    config,
    webhooks: false,
    backend: { stripe: () => Promise.resolve(served.client as Stripe) },
  });
  const client = stripeOf(app);
  served.client = client;
  const { sessions } = client.checkout;
  const retrieve = sessions.retrieve.bind(sessions);
  const bank: LateBank = {
    app,
    intentStatus: 'processing',
    report: async (type) => {
      const [newest] = (await sessions.list({ limit: 1 })).data as [Stripe.Checkout.Session];
      const event = { id: `evt_${randomUUID()}`, object: 'event', type };
      await deliver(app, { ...event, data: { object: await sessions.retrieve(newest.id) } });
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
  sessions.retrieve = async (...parameters: Parameters<typeof retrieve>) => {
    const session = await retrieve(...parameters);
    const { intentStatus: status } = bank;
    const { payment_intent: intent } = session;
    if (session.status !== 'complete' || session.mode !== 'payment' || status === undefined) return session;
    const payment = typeof intent === 'string' ? intent : intent && { ...intent, status };
    return { ...session, payment_status: 'unpaid' as const, payment_intent: payment };
  };
  return bank;
}
