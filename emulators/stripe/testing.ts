import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BACKSTOP_MS } from '@hearth/testing/backstop';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import type { FaultOrder } from './control/faults.ts';
import type { RequestLog } from './control/request-log.ts';
import { startStripe } from './server.ts';
import type { LocalStripe, StripeOptions } from './server.ts';

export const API_KEY = 'sk_test_local';
export const WEBHOOK_SECRET = 'whsec_local';

export const PLANS = [
  { slug: 'free', name: 'Free' },
  {
    slug: 'pro',
    name: 'Pro',
    description: 'For a small team',
    prices: {
      month: { lookupKey: 'pro_monthly', unitAmount: 1200, currency: 'usd' },
      year: { lookupKey: 'pro_yearly', unitAmount: 12_000, currency: 'usd' },
    },
  },
];

export const PRO_MONTHLY = 'price_local_pro_month';
export const PRO_YEARLY = 'price_local_pro_year';

export interface TestStripe {
  local: LocalStripe;
  stripe: Stripe;
  /** Another client of the same server, such as one that retries. */
  client: (config?: { apiKey?: string; maxNetworkRetries?: number; timeout?: number }) => Stripe;
  control: (method: string, path: string, body?: unknown) => Promise<Response>;
  fail: (order: Partial<FaultOrder> & Pick<FaultOrder, 'status'>) => Promise<void>;
  requests: () => Promise<ReturnType<RequestLog['report']>>;
  /** Moves the time forward by a number of days. */
  pass: (days: number) => Promise<void>;
  /** The types of the events since the last call, in order. */
  happened: () => Promise<string[]>;
}

/** A local Stripe on a free port for one test, closed when that test is over. */
export async function testStripe(options: Partial<StripeOptions> = {}): Promise<TestStripe> {
  const local = await startStripe({ plans: PLANS, apiKey: API_KEY, retryDelays: [1, 1], ...options });
  onTestFinished(() => local.close());
  const client: TestStripe['client'] = ({
    apiKey = API_KEY,
    maxNetworkRetries = 0,
    timeout = BACKSTOP_MS,
  } = {}) =>
    new Stripe(apiKey, { host: '127.0.0.1', port: local.port, protocol: 'http', maxNetworkRetries, timeout });
  const control: TestStripe['control'] = (method, path, body) =>
    fetch(`${local.url}/_emulator/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const stripe = client();
  let seen: string | undefined;
  return {
    local,
    client,
    stripe,
    control,
    pass: async (days) => {
      const response = await control('POST', 'clock', { advance: Math.round(days * 86_400) });
      if (!response.ok) throw new Error(await response.text());
    },
    happened: async () => {
      const { data } = await stripe.events.list({
        limit: 100,
        ...(seen !== undefined && { ending_before: seen }),
      });
      seen = data[0]?.id ?? seen;
      return data.map(({ type }) => type).reverse();
    },
    fail: async (order) => {
      const response = await control('POST', 'fail', order);
      if (!response.ok) throw new Error(await response.text());
    },
    requests: async () =>
      (await (await control('GET', 'requests')).json()) as ReturnType<RequestLog['report']>,
  };
}

/** An open checkout of the monthly Pro plan. */
export async function openCheckout(
  stripe: Stripe,
  params: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session & { url: string }> {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: PRO_MONTHLY, quantity: 1 }],
    success_url: 'http://localhost:5000/welcome?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:5000/plans',
    ...params,
  });
  if (session.url === null) throw new Error('An open session has a page');
  return Object.assign(session, { url: session.url });
}

/** A price of 30 dollars that is paid once. */
export async function oneTimePrice(stripe: Stripe, unitAmount = 3000): Promise<string> {
  const { id } = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount: unitAmount,
  });
  return id;
}

/** Sends the form of a hosted page, as a browser would, without following the redirect. */
export function submit(url: string, fields: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

/** Makes the default portal charge a change of plan immediately, as a shop with several plans needs it. */
export async function chargeChanges({ billingPortal }: Stripe): Promise<void> {
  await billingPortal.configurations.update('bpc_local', {
    features: { subscription_update: { proration_behavior: 'always_invoice' } },
  });
}

/** A paid monthly Pro subscription of a new customer. */
export async function subscribe(
  stripe: Stripe,
): Promise<{ customer: string; subscription: string; session: string }> {
  const customer = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada' });
  const { id, url } = await openCheckout(stripe, { customer: customer.id });
  const paid = await submit(url);
  if (paid.status !== 303) throw new Error(`Paying answered ${paid.status}`);
  const { subscription } = await stripe.checkout.sessions.retrieve(id);
  if (typeof subscription !== 'string') throw new Error('A paid session has a subscription');
  return { customer: customer.id, subscription, session: id };
}

/** A customer whose invoices are paid with a test card such as `pm_card_visa`. */
export async function customerWith(
  stripe: Stripe,
  card: string,
  params: Stripe.CustomerCreateParams = {},
): Promise<{ customer: string; method: string }> {
  const { id: customer } = await stripe.customers.create({
    email: 'ada@example.com',
    name: 'Ada',
    ...params,
  });
  const { id: method } = await stripe.paymentMethods.attach(card, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
  return { customer, method };
}

/** Stripe's test accounts: one pays, and one fails some days later. */
export const PAYING_IBAN = 'DE89370400440532013000';
export const FAILING_IBAN = 'DE62370400440532013001';

/** A customer whose invoices are paid by SEPA Direct Debit from a test account. */
export async function debitedCustomer(
  stripe: Stripe,
  iban: string,
  params: Stripe.CustomerCreateParams = {},
): Promise<{ customer: string; method: string }> {
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com', ...params });
  const { id: method } = await stripe.paymentMethods.create({
    type: 'sepa_debit',
    sepa_debit: { iban },
    billing_details: { name: 'Ada Lovelace', email: 'bank@example.com' },
  });
  await stripe.paymentMethods.attach(method, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
  return { customer, method };
}

/** Pays an open invoice by a payment of each amount, and returns the invoice after that. */
export async function payInParts(
  stripe: Stripe,
  { id, customer, currency }: Pick<Stripe.Invoice, 'id' | 'customer' | 'currency'>,
  amounts: readonly number[],
): Promise<Stripe.Invoice> {
  if (typeof customer !== 'string') throw new Error('The customer of the invoice was expanded');
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  for (const amount of amounts) {
    const payment = { amount, currency, customer, payment_method: card.id, confirm: true };
    const { id: intent } = await stripe.paymentIntents.create(payment);
    await stripe.invoices.attachPayment(id, { payment_intent: intent });
  }
  return stripe.invoices.retrieve(id, { expand: ['payments'] });
}

/** The SDK's error that a promise rejects with. */
export async function stripeError(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error('Expected an error of the Stripe SDK', { cause: outcome });
}

export interface Receiver {
  url: string;
  received: { payload: string; signature: string }[];
}

/** A webhook endpoint for one test; `answer` says with which status it answers its nth request, from 0. */
export async function receiver(
  answer: (nth: number) => number | Promise<number> = () => 200,
): Promise<Receiver> {
  const received: Receiver['received'] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (payload) => {
      const nth = received.push({ payload, signature: String(request.headers['stripe-signature']) }) - 1;
      response.writeHead(await answer(nth), { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`, received };
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export const HALF_WAY_START = new Date('2026-01-31T12:00:00Z');

/** A monthly Pro subscription 14 days into its period of 28; `card` is charged from now on. */
export async function halfWay(card = 'pm_card_visa') {
  const world = await testStripe({ now: () => HALF_WAY_START });
  const { customer, method } = await customerWith(world.stripe, 'pm_card_visa');
  const subscription = await world.stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  if (card !== 'pm_card_visa') {
    const { id } = await world.stripe.paymentMethods.attach(card, { customer });
    await world.stripe.subscriptions.update(subscription.id, { default_payment_method: id });
  }
  await world.pass(14);
  await world.happened();
  return { ...world, customer, method, id: subscription.id, item: subscription.items.data[0]?.id ?? '' };
}
