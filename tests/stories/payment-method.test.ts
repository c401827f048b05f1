import type Stripe from 'stripe';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { syncPaymentMethod } from '../../functions/src/billing/subscriptions/sync/payment-method.service.ts';
import type { AppUnderTest } from '../support/app.ts';
import { buy, deliver, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { APP_URL } from '../support/config.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, visit } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { createTeam } from '../support/teams.ts';

/** A customer enters another card in Stripe's portal, which makes it the default of the Stripe customer only. */

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { errors } = vi.hoisted(() => {
  const errors: string[] = [];
  console.error = (line: string) => {
    errors.push(line);
  };
  return { errors };
});
const { serveApp } = await import('../support/app.ts');
const { meterFirestore } = await import('../support/cost.ts');

const GOOD = '5555 5555 5555 4444';

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(
    await serveApp({
      config: { pastDueGraceDays: 7 },
      backend: { now: clock.now },
      dunning: { retryAfterDays: [3, 5, 7], then: 'unpaid' },
    }),
  );
});
beforeEach(() => webhooks('send'));

const webhooks = (mode: 'send' | 'drop') =>
  call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode } });

const pass = (days: number) => clock.passDays(app, days);

interface Payer extends Person {
  customerId: string;
  stripeId: string;
}

/** A subscriber to pro whose card fails from the first renewal on. */
async function payer(card = 'pm_card_chargeCustomerFail'): Promise<Payer> {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id, customer } = await subscriptionOf(app, person.uid);
  const stripeId = customer as string;
  const own = await attach(stripeId, card);
  await stripeOf(app).subscriptions.update(id, { default_payment_method: own });
  await settled(app);
  return { ...person, customerId: person.uid, stripeId };
}

async function attach(customer: string, card: string): Promise<string> {
  return (await stripeOf(app).paymentMethods.attach(card, { customer })).id;
}

const setDefault = (stripeId: string, method: string) =>
  stripeOf(app).customers.update(stripeId, { invoice_settings: { default_payment_method: method } });

async function defaultOf(stripeId: string): Promise<string | null> {
  const customer = (await stripeOf(app).customers.retrieve(stripeId)) as Stripe.Customer;
  return customer.invoice_settings.default_payment_method as string | null;
}

async function methodOf({ customerId }: Pick<Payer, 'customerId'>): Promise<string | null> {
  return (await subscriptionOf(app, customerId)).default_payment_method as string | null;
}

/** Changes the card in the portal's form. @returns the URL to which the form leads back */
async function changeCard({ bearer }: Person, body: object = {}): Promise<string> {
  const json = { flow: 'payment_method', ...body };
  const opened = await call('POST', `${app.url}/api/auth/portal`, { headers: bearer, json });
  const { url } = (await opened.json()) as { url: string };
  const form = new URLSearchParams({ card_number: GOOD });
  const saved = await fetch(`${url}/payment-method`, { method: 'POST', body: form, redirect: 'manual' });
  expect(saved.status).toBe(303);
  await settled(app);
  return saved.headers.get('location') ?? '';
}

const open = (url: string) => visit(url.replace(APP_URL, app.url));

/** Counts the calls to Stripe by route. */
async function callsDuring(act: () => Promise<unknown>): Promise<Record<string, number>> {
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await act();
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  return ((await log.json()) as { counts: Record<string, number> }).counts;
}

async function newest(type: string): Promise<Stripe.Event> {
  const { data } = await stripeOf(app).events.list({ type, limit: 1 });
  return data[0] as Stripe.Event;
}

describe('the new card of a customer', () => {
  test('pays the next renewal', async () => {
    const ada = await payer();
    await changeCard(ada);
    expect(await methodOf(ada)).toBe(await defaultOf(ada.stripeId));
    await pass(32);
    expect(await subscriptionOf(app, ada.uid)).toMatchObject({ status: 'active' });
  });

  test("pays the open invoice at Stripe's next attempt", async () => {
    const ada = await payer();
    await pass(32);
    expect(await subscriptionOf(app, ada.uid)).toMatchObject({ status: 'past_due' });
    await changeCard(ada);
    expect(await subscriptionOf(app, ada.uid)).toMatchObject({ status: 'past_due' });
    await pass(4);
    expect(await subscriptionOf(app, ada.uid)).toMatchObject({ status: 'active' });
  });

  test('pays for the plan of a team', async () => {
    const owner = await signUp();
    const teamId = await createTeam(app.url, owner);
    await buy(app, owner, `business?team=${teamId}`);
    const { customer } = await subscriptionOf(app, teamId);
    await changeCard(owner, { team: teamId });
    expect(await methodOf({ customerId: teamId })).toBe(await defaultOf(customer as string));
  });

  test('pays after the return from the form, before the event arrives', async () => {
    const ada = await payer();
    await webhooks('drop');
    const back = await changeCard(ada, { returnUrl: `${APP_URL}/billing` });
    expect(await methodOf(ada)).not.toBe(await defaultOf(ada.stripeId));
    expect((await open(back)).headers.get('location')).toBe(`${APP_URL}/billing?portal=done`);
    expect(await methodOf(ada)).toBe(await defaultOf(ada.stripeId));
  });
});

describe('a subscription keeps its payment method', () => {
  test('after a return from the portal without a change of the default', async () => {
    const ada = await payer();
    await webhooks('drop');
    const back = new URL(await changeCard(ada));
    back.searchParams.delete('changed');
    const before = await methodOf(ada);
    expect((await open(back.href)).status).toBe(303);
    expect(await methodOf(ada)).toBe(before);
  });

  test('if Stripe sends its invoices', async () => {
    const ada = await payer();
    const { id } = await subscriptionOf(app, ada.uid);
    const sent = { collection_method: 'send_invoice', days_until_due: 30 } as const;
    await stripeOf(app).subscriptions.update(id, sent);
    const before = await methodOf(ada);
    await changeCard(ada);
    expect(await methodOf(ada)).toBe(before);
  });

  test('if it pays for no plan', async () => {
    const person = await signUp();
    await visit(`${app.url}/api/auth/portal`, person.bearer);
    const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
    const stripeId = customer.get('stripeId') as string;
    const stripe = stripeOf(app);
    const { id: product } = await stripe.products.create({ name: 'Consulting' });
    const price = await stripe.prices.create({
      product,
      unit_amount: 100,
      currency: 'usd',
      recurring: { interval: 'month' },
    });
    const own = await attach(stripeId, 'pm_card_visa');
    const items = [{ price: price.id }];
    await stripe.subscriptions.create({ customer: stripeId, items, default_payment_method: own });
    await changeCard(person);
    expect(await methodOf({ customerId: person.uid })).toBe(own);
  });

  test('if the default was removed', async () => {
    const ada = await payer();
    const method = await attach(ada.stripeId, 'pm_card_mastercard');
    await setDefault(ada.stripeId, method);
    await settled(app);
    const { id } = await subscriptionOf(app, ada.uid);
    const other = await attach(ada.stripeId, 'pm_card_visa');
    await stripeOf(app).subscriptions.update(id, { default_payment_method: other });
    await settled(app);
    const calls = await callsDuring(async () => {
      await stripeOf(app).paymentMethods.detach(method);
      await settled(app);
    });
    expect([await defaultOf(ada.stripeId), await methodOf(ada)]).toEqual([null, other]);
    expect(calls).toEqual({ 'POST /v1/payment_methods/:id/detach': 1 });
  });
});

describe('an event of the Stripe customer', () => {
  test('costs nothing if something else has changed, such as by our contact sync', async () => {
    const ada = await payer();
    await setDefault(ada.stripeId, await attach(ada.stripeId, 'pm_card_visa'));
    await settled(app);
    const calls = await callsDuring(async () => {
      await stripeOf(app).customers.update(ada.stripeId, { name: 'Ada Lovelace' });
      await settled(app);
    });
    expect(calls).toEqual({ 'POST /v1/customers/:id': 1 });
  });

  test('costs one call to Stripe if the subscriptions are right', async () => {
    const ada = await payer();
    await changeCard(ada);
    const event = await newest('customer.updated');
    expect(await callsDuring(() => deliver(app, event))).toEqual({ 'GET /v1/subscriptions': 1 });
  });

  test('that comes late sets the present payment method', async () => {
    const ada = await payer();
    await webhooks('drop');
    await setDefault(ada.stripeId, await attach(ada.stripeId, 'pm_card_visa'));
    const first = await newest('customer.updated');
    const latest = await attach(ada.stripeId, 'pm_card_mastercard');
    await setDefault(ada.stripeId, latest);
    await deliver(app, await newest('customer.updated'));
    await deliver(app, first);
    expect(await methodOf(ada)).toBe(latest);
  });

  test('costs nothing if the Stripe customer is not ours', async () => {
    const { id } = await stripeOf(app).customers.create();
    const method = await attach(id, 'pm_card_visa');
    expect(
      await callsDuring(async () => {
        await setDefault(id, method);
        await settled(app);
      }),
    ).toEqual({ 'POST /v1/customers/:id': 1 });
  });
});

const fail = (json: object) => call('POST', `${app.stripe.url}/_emulator/fail`, { json });
const UPDATE = { method: 'POST', path: '/v1/subscriptions/:id' };

test('a payment method that changes during the sync is set too', async () => {
  const ada = await payer();
  await webhooks('drop');
  await setDefault(ada.stripeId, await attach(ada.stripeId, 'pm_card_visa'));
  const latest = await attach(ada.stripeId, 'pm_card_mastercard');
  await fail({ ...UPDATE, status: 'hold' });
  const syncing = syncPaymentMethod(app.backend, { customerId: ada.uid, stripeCustomerId: ada.stripeId });
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  await setDefault(ada.stripeId, latest);
  await call('POST', `${app.stripe.url}/_emulator/release`);
  await syncing;
  expect(await methodOf(ada)).toBe(latest);
});

test('a change that Stripe rejects is logged, and the customer comes back to the app', async () => {
  const ada = await payer();
  await webhooks('drop');
  const back = await changeCard(ada);
  await fail({ ...UPDATE, status: 400, times: 3 });
  errors.length = 0;
  expect((await open(back)).status).toBe(303);
  const { id } = await subscriptionOf(app, ada.uid);
  expect(errors.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      message: 'A subscription does not pay with the new payment method',
      customerId: ada.uid,
      subscriptionIds: id,
    },
  ]);
});
