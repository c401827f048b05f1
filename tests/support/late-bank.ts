import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { serveApp, type AppOptions, type AppUnderTest } from './app.ts';
import { deliver, stripeOf } from './billing.ts';

/** An app without webhooks, whose one-time payments arrive later than their pages are completed. */
export interface LateBank extends AsyncDisposable {
  app: AppUnderTest;
  /** The status of all payments; undefined once they have arrived. */
  intentStatus: Stripe.PaymentIntent.Status | undefined;
  /** Amount of bank transfers that has arrived; undefined for another method. In the smallest unit of the currency. */
  transferred: number | undefined;
  /** Sends an event about the newest session, as Stripe has it now. */
  report: (type: Stripe.Event['type']) => Promise<void>;
  /** Sends the event that the payment of the newest session was cancelled. */
  reportCancelled: () => Promise<void>;
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
    transferred: undefined,
    report: async (type) => {
      const [newest] = (await sessions.list({ limit: 1 })).data as [Stripe.Checkout.Session];
      const event = { id: `evt_${randomUUID()}`, object: 'event', type };
      await deliver(app, { ...event, data: { object: await sessions.retrieve(newest.id) } });
    },
    reportCancelled: async () => {
      const [newest] = (await sessions.list({ limit: 1, expand: ['data.payment_intent'] })).data;
      const intent = { ...(newest?.payment_intent as Stripe.PaymentIntent), status: 'canceled' };
      const event = { id: `evt_${randomUUID()}`, object: 'event', type: 'payment_intent.canceled' };
      await deliver(app, { ...event, data: { object: intent } });
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
  sessions.retrieve = async (...parameters: Parameters<typeof retrieve>) => {
    const session = await retrieve(...parameters);
    const { intentStatus: status } = bank;
    const { payment_intent: intent } = session;
    if (session.status !== 'complete' || session.mode !== 'payment' || status === undefined) return session;
    const payment =
      typeof intent === 'string' ? intent : intent && { ...intent, status, ...transferOf(bank, intent) };
    return { ...session, payment_status: 'unpaid' as const, payment_intent: payment };
  };
  return bank;
}

/** The instructions that Stripe has for a bank transfer. Without the account, which no code reads. */
function transferOf(
  { transferred }: LateBank,
  { amount, currency }: Stripe.PaymentIntent,
): Pick<Stripe.PaymentIntent, 'next_action'> | undefined {
  if (transferred === undefined) return undefined;
  const instructions = { amount_remaining: amount - transferred, currency };
  return {
    next_action: {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions:
        instructions as Stripe.PaymentIntent.NextAction.DisplayBankTransferInstructions,
    },
  };
}
