import Stripe from 'stripe';
import { expect } from 'vitest';
import { updateLocalPortal } from '../../scripts/local-catalogue.ts';
import type { AppUnderTest } from './app.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } from './config.ts';
import { adminAuth, adminFirestore, type Person } from './people.ts';
import { call, locationOf, visit } from './requests.ts';

/** A client of the Stripe that an app works with. */
export function stripeOf({ stripe }: Pick<AppUnderTest, 'stripe'>): Stripe {
  return new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: stripe.port, protocol: 'http' });
}

/** Configures the portal as `npm run setup` does. Before, it has the defaults of Stripe. */
export async function setUpPortal(app: AppUnderTest): Promise<void> {
  await updateLocalPortal(stripeOf(app), app.config);
}

/**
 * Changes a subscription to another price in the portal, and waits until all events and tasks are processed.
 *
 * @returns the status of the answer: 303 after the change, 400 for a price that the portal does not offer
 */
export async function changeInPortal(
  app: AppUnderTest,
  { id, customer }: Stripe.Subscription,
  lookupKey: string,
): Promise<number> {
  const stripe = stripeOf(app);
  const { url } = await stripe.billingPortal.sessions.create({ customer: customer as string });
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data;
  const body = new URLSearchParams({ price: price?.id ?? '' });
  const page = `${url}/subscriptions/${id}/update`;
  const { status } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  await settled(app);
  return status;
}

/** Requests a checkout as a browser does: for the caller, or with `?team=` for a team. */
export function checkout(app: AppUnderTest, person: Person, slugAndQuery: string): Promise<Response> {
  return visit(`${app.url}/api/auth/checkout/${slugAndQuery}`, person.bearer);
}

/** Pays on the hosted page, and waits until all events and tasks are processed. */
export async function pay(app: AppUnderTest, page: URL): Promise<Response> {
  const response = await fetch(page, { method: 'POST', redirect: 'manual' });
  await settled(app);
  return response;
}

/** Resolves when every event is delivered and every task is done. */
export async function settled(app: AppUnderTest): Promise<void> {
  await app.stripe.idle();
  await app.seatQueue.idle();
  await app.contactQueue.idle();
  await app.reconciliationQueue.idle();
  await app.stripe.idle();
}

/**
 * Makes a payment fail: begins a new period with a card that declines. Waits until the event is processed.
 *
 * @returns the event
 */
export async function failPayment(
  app: AppUnderTest,
  customerId: string,
): Promise<Stripe.InvoicePaymentFailedEvent> {
  const stripe = stripeOf(app);
  const { id, customer } = await subscriptionOf(app, customerId);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update(id, {
    default_payment_method: card.id,
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'none',
  });
  await settled(app);
  const { data } = await stripe.events.list({ type: 'invoice.payment_failed', limit: 1 });
  return data[0] as Stripe.InvoicePaymentFailedEvent;
}

/** Stripe's test accounts: debits of the first one succeed after some days, and those of the second one fail. */
const PAYING_IBAN = 'DE89370400440532013000';
export const FAILING_IBAN = 'DE62370400440532013001';

/** From now on Stripe debits a bank account by SEPA for a subscription. */
export async function payByBankDebit(
  app: AppUnderTest,
  customerId: string,
  iban = PAYING_IBAN,
): Promise<void> {
  const { id, customer } = await subscriptionOf(app, customerId);
  const account = await attachBankAccount(app, customer as string, iban);
  await stripeOf(app).subscriptions.update(id, { default_payment_method: account });
  await settled(app);
}

/** @returns the id of a payment method of the Stripe customer */
export async function attachBankAccount(
  app: AppUnderTest,
  customer: string,
  iban = PAYING_IBAN,
): Promise<string> {
  const { paymentMethods } = stripeOf(app);
  const { id } = await paymentMethods.create({
    type: 'sepa_debit',
    sepa_debit: { iban },
    billing_details: { name: 'Ada Lovelace', email: 'ada@example.com' },
  });
  await paymentMethods.attach(id, { customer });
  return id;
}

/** The URL of an invoice's page without its token, which differs in each answer of Stripe. */
export function withoutToken(url: string): string {
  return url.replace(/\?s=.*$/, '');
}

/** Pays an invoice with a card that is accepted, and waits until all events and tasks are processed. */
export async function payInvoice(app: AppUnderTest, { id, customer }: Stripe.Invoice): Promise<void> {
  const stripe = stripeOf(app);
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer as string });
  await stripe.invoices.pay(id, { payment_method: card.id });
  await settled(app);
}

/** Pays an open invoice by a payment of each amount. */
export async function payInParts(
  stripe: Stripe,
  { id, customer, currency }: Stripe.Invoice,
  amounts: readonly number[],
): Promise<void> {
  const payer = customer as string;
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: payer });
  const payment = { currency, customer: payer, payment_method: card.id, confirm: true };
  for (const amount of amounts) {
    const intent = await stripe.paymentIntents.create({ ...payment, amount });
    await stripe.invoices.attachPayment(id, { payment_intent: intent.id });
  }
}

/** Buys a plan. */
export async function buy(app: AppUnderTest, person: Person, slugAndQuery: string): Promise<void> {
  const response = await checkout(app, person, slugAndQuery);
  expect(response.status).toBe(303);
  expect((await pay(app, locationOf(response))).status).toBe(303);
}

/** The plan of a user, as the API answers it. */
export async function planInSession(app: AppUnderTest, { bearer }: Pick<Person, 'bearer'>): Promise<string> {
  const session = await call('GET', `${app.url}/api/auth/session`, { headers: bearer });
  return ((await session.json()) as { plan: string }).plan;
}

/** The `return_url` of a portal session. */
export function returnLinkOf(portalPage: string): string | undefined {
  return /<a [^>]*href="([^"]*)"[^>]*>Return<\/a>/.exec(portalPage)?.[1]?.replaceAll('&amp;', '&');
}

export interface SubscriptionCopy {
  id: string;
  status: string;
  role: string | null;
  quantity: number | null;
}

/** Our copies of the subscriptions of a user or team. */
export async function subscriptionCopiesOf(customerId: string): Promise<SubscriptionCopy[]> {
  const { docs } = await adminFirestore().collection(`customers/${customerId}/subscriptions`).get();
  return docs.map((document) => ({ id: document.id, ...document.data() }) as SubscriptionCopy);
}

/** The one subscription of a user or team, as Stripe has it. */
export async function subscriptionOf(app: AppUnderTest, customerId: string): Promise<Stripe.Subscription> {
  const customer = await adminFirestore().doc(`customers/${customerId}`).get();
  const { data } = await stripeOf(app).subscriptions.list({
    customer: customer.get('stripeId') as string,
    status: 'all',
  });
  expect(data).toHaveLength(1);
  return data[0] as Stripe.Subscription;
}

export async function claimsOf({ uid }: Pick<Person, 'uid'>): Promise<Record<string, unknown>> {
  return (await adminAuth().getUser(uid)).customClaims ?? {};
}

/** Sends an event to the webhook, signed as Stripe does, and expects 200. */
export async function deliver(app: AppUnderTest, event: object): Promise<void> {
  const response = await call('POST', `${app.url}/api/webhooks/stripe`, signedRequest(app, event));
  expect(response.status, await response.text()).toBe(200);
}

/** Headers and body of Stripe's request with an event. */
export function signedRequest(
  app: AppUnderTest,
  event: object,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event);
  const signature = stripeOf(app).webhooks.generateTestHeaderString({
    payload: body,
    secret: STRIPE_WEBHOOK_SECRET,
  });
  return { headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature }, body };
}

/** An order for one payment: the slug of a plan or credit pack, and what the API also accepts. */
export interface OneTimeOrder {
  readonly item: string;
  readonly team?: string;
  readonly quantity?: number;
  readonly returnUrl?: string;
}

/** Requests the page of a one-time purchase, as a client does. */
export function orderOnce(app: AppUnderTest, person: Person, order: OneTimeOrder): Promise<Response> {
  return call('POST', `${app.url}/api/auth/purchases`, { headers: person.bearer, json: order });
}

/** The URL of the page of a one-time purchase. */
export async function purchasePage(app: AppUnderTest, person: Person, order: OneTimeOrder): Promise<URL> {
  const response = await orderOnce(app, person, order);
  const body = (await response.json()) as { url: string };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return new URL(body.url);
}

/** Buys something for one payment. */
export async function buyOnce(app: AppUnderTest, person: Person, order: OneTimeOrder): Promise<void> {
  expect((await pay(app, await purchasePage(app, person, order))).status).toBe(303);
}

interface Purchase {
  status: string;
  item: string;
  credits: number | null;
  amount: number | null;
}

export async function purchasesOf(customerId: string): Promise<Purchase[]> {
  const { docs } = await adminFirestore().collection(`customers/${customerId}/purchases`).get();
  return docs.map((document) => document.data() as Purchase);
}
