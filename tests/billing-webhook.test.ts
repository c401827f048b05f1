import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { pay, planInSession } from './support/billing.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } from './support/config.ts';
import { signUp, type Person } from './support/people.ts';
import { call, errorOf, locationOf, visit } from './support/requests.ts';

let app: AppUnderTest;
let stripe: Stripe;
beforeAll(async () => {
  app = await serveApp();
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: app.stripe.port, protocol: 'http' });
});
afterAll(() => app[Symbol.asyncDispose]());

const checkout = (person: Person, slug: string) =>
  visit(`${app.url}/api/auth/checkout/${slug}`, person.bearer);

async function customersOf(person: Person): Promise<Stripe.Customer[]> {
  const all = await stripe.customers.list({ email: person.email, limit: 100 });
  return all.data;
}

describe('POST /api/webhooks/stripe', () => {
  const post = (payload: string, signature?: string) =>
    call('POST', `${app.url}/api/webhooks/stripe`, {
      headers: { 'Content-Type': 'application/json', ...(signature && { 'Stripe-Signature': signature }) },
      body: payload,
    });
  const sign = (payload: string, secret = STRIPE_WEBHOOK_SECRET, timestamp?: number) =>
    stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });

  const event = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'charge.refunded',
    data: { object: {} },
  });

  test.each([
    ['no signature', undefined],
    ['another secret', signWith('whsec_other')],
    ['the empty secret', signWith('')],
    ['an old signature', signWith(STRIPE_WEBHOOK_SECRET, 1_000_000_000)],
    ['a signature of other bytes', () => sign(`${event} `)],
  ])('answers 400 to %s', async (_what, signature) => {
    const response = await post(event, signature?.());
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'invalid_signature' });
  });

  test('answers 200 to an event that it ignores', async () => {
    expect((await post(event, sign(event))).status).toBe(200);
  });

  test('answers 5xx when Stripe does not answer, so that Stripe repeats the event, and then processes it', async () => {
    const person = await signUp();
    await pay(app, locationOf(await checkout(person, 'pro')));
    const [customer] = await customersOf(person);
    const [subscription] = (await stripe.subscriptions.list({ customer: customer?.id ?? '' })).data;
    const payload = JSON.stringify({
      id: `evt_again_${person.uid}`,
      object: 'event',
      type: 'customer.subscription.updated',
      data: { object: { object: 'subscription', id: subscription?.id, customer: customer?.id } },
    });
    const fail = {
      method: 'GET',
      path: `/v1/subscriptions/${subscription?.id ?? ''}`,
      times: 3,
      status: 500,
    };
    await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fail });
    expect((await post(payload, sign(payload))).status).toBe(503);
    expect((await post(payload, sign(payload))).status).toBe(200);
    expect((await post(payload, sign(payload))).status).toBe(200);
  });

  test('stores the current state when events arrive late and out of order', async () => {
    const person = await signUp();
    await pay(app, locationOf(await checkout(person, 'pro')));
    const [customer] = await customersOf(person);
    const [subscription] = (await stripe.subscriptions.list({ customer: customer?.id ?? '' })).data;
    await stripe.subscriptions.cancel(subscription?.id ?? '');
    await app.stripe.idle();

    const late = JSON.stringify({
      id: `evt_late_${person.uid}`,
      object: 'event',
      type: 'customer.subscription.created',
      data: { object: subscription },
    });
    expect((await post(late, sign(late))).status).toBe(200);
    expect(await planInSession(app, person)).toBe('free');
  });

  function signWith(secret: string, timestamp?: number): () => string {
    return () => sign(event, secret, timestamp);
  }
});
