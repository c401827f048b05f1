import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncOneTimePurchase } from '../../functions/src/billing/purchases/sync-purchase.service.ts';
import { HOUR_MS } from '../../functions/src/common/durations.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  buyOnce,
  checkout,
  claimsOf,
  deliver,
  pay,
  purchasePage,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { PRO_SOLD_ONCE } from '../support/plans.ts';
import { call, locationOf, visit } from '../support/requests.ts';

const plans = PRO_SOLD_ONCE;

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { plans } });
});
afterAll(() => app[Symbol.asyncDispose]());

describe('a plan that is bought once ends a subscription with a planned change', () => {
  async function planChange(on: AppUnderTest, { bearer: headers }: Person): Promise<void> {
    const json = { plan: 'business', when: 'period_end' };
    const planned = await call('POST', `${on.url}/api/auth/subscription/change`, { headers, json });
    expect(planned.status).toBe(200);
  }

  test('at the end of its period, and the planned change is discarded', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await planChange(app, person);
    await buyOnce(app, person, { item: 'pro' });
    expect(await subscriptionOf(app, person.uid)).toMatchObject({
      cancel_at_period_end: true,
      schedule: null,
    });
  });

  test('but a change that was planned after the purchase stays, also if an event comes again', async () => {
    const earlier = new Date(Date.now() - HOUR_MS);
    await using before = await serveApp({ config: { plans }, backend: { now: () => earlier } });
    const person = await signUp();
    await buy(before, person, 'pro');
    await buyOnce(before, person, { item: 'pro' });
    const { bearer: headers } = person;
    const resumed = await call('POST', `${before.url}/api/auth/subscription/resume`, { headers, json: {} });
    expect(resumed.status).toBe(200);
    await planChange(before, person);
    const { docs } = await adminFirestore().collection(`customers/${person.uid}/purchases`).get();
    await syncOneTimePurchase(before.backend, { customerId: person.uid, purchaseId: docs[0]?.id ?? '' });
    expect(await subscriptionOf(before, person.uid)).toMatchObject({
      cancel_at_period_end: false,
      schedule: expect.any(String) as string,
    });
  });
});

describe('the open page of a subscription', () => {
  test('expires when the customer buys its plan once', async () => {
    const person = await signUp();
    const monthly = locationOf(await checkout(app, person, 'pro'));
    await buyOnce(app, person, { item: 'pro' });
    expect((await pay(app, monthly)).status).toBe(410);
    expect(await subscriptionsOf(person)).toEqual([]);
  });

  test('to a higher plan can still be paid', async () => {
    const person = await signUp();
    const monthly = locationOf(await checkout(app, person, 'business'));
    await buyOnce(app, person, { item: 'pro' });
    expect((await pay(app, monthly)).status).toBe(303);
    expect(await subscriptionsOf(person)).toMatchObject([{ cancel_at_period_end: false }]);
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
  });

  test('is paid at the same moment, and the subscription ends with its period', async () => {
    await using late = await serveApp({ config: { plans }, webhooks: false });
    const person = await signUp();
    const monthly = locationOf(await checkout(late, person, 'pro'));
    const once = await purchasePage(late, person, { item: 'pro' });
    await pay(late, monthly);
    await pay(late, once);
    // The event of the purchase comes before the events of the subscription.
    const { data: events } = await stripeOf(late).events.list({ type: 'checkout.session.completed' });
    for (const event of events) await deliver(late, event);
    await settled(late);
    expect(await subscriptionsOf(person, late)).toMatchObject([
      { status: 'active', cancel_at_period_end: true },
    ]);
  });
});

test('a payment link for an owned plan is paid, and the subscription ends with its period', async () => {
  const person = await signUp();
  await adminAuth().updateUser(person.uid, { emailVerified: true });
  await buyOnce(app, person, { item: 'pro' });
  const line = { price: 'price_hearth_pro_month', quantity: 1 };
  const link = await stripeOf(app).paymentLinks.create({ line_items: [line] });
  const query = { client_reference_id: person.uid, locked_prefilled_email: person.email };
  const url = `${link.url}?${new URLSearchParams(query).toString()}`;
  expect((await pay(app, locationOf(await fetch(url, { redirect: 'manual' })))).status).toBe(303);
  const { data } = await stripeOf(app).checkout.sessions.list({ payment_link: link.id });
  const back = `${app.url}/api/auth/checkout/return?session_id=${data[0]?.id ?? ''}`;
  expect((await visit(back, person.bearer)).status).toBe(303);
  expect(await subscriptionsOf(person)).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
});

async function subscriptionsOf({ uid }: Person, on = app): Promise<Stripe.Subscription[]> {
  const customer = (await adminFirestore().doc(`customers/${uid}`).get()).get('stripeId') as string;
  return (await stripeOf(on).subscriptions.list({ customer, status: 'all' })).data;
}
