import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, settled, stripeOf } from '../support/billing.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp());
});

const stripeIdOf = async (customerId: string) =>
  (await adminFirestore().doc(`customers/${customerId}`).get()).get('stripeId') as string;

const statusOf = async ({ id }: Stripe.Subscription) =>
  (await stripeOf(app).subscriptions.retrieve(id)).status;

/** Makes a subscription to the plan pro as sales does in Stripe's dashboard. */
async function sell(customerId: string): Promise<Stripe.Subscription> {
  const customer = await stripeIdOf(customerId);
  const card = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer });
  return stripeOf(app).subscriptions.create({
    customer,
    items: [{ price: 'price_hearth_pro_month' }],
    default_payment_method: card.id,
  });
}

test('an open checkout page expires when sales sells a plan', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, 'pro'));
  const sold = await sell(person.uid);
  await settled(app);
  expect((await fetch(page, { method: 'POST', redirect: 'manual' })).status).toBe(410);
  expect(await statusOf(sold)).toBe('active');
});

test('a checkout whose page is being made when sales sells a plan is refused', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/checkout/sessions', status: 'hold' },
  });
  const begun = checkout(app, person, 'pro?interval=year');
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  const sold = await sell(person.uid);
  await app.stripe.idle();
  await call('POST', `${app.stripe.url}/_emulator/release`);
  expect((await begun).status).toBe(409);
  const customer = await stripeIdOf(person.uid);
  const { data } = await stripeOf(app).checkout.sessions.list({ customer });
  expect(data.map(({ status }) => status)).toEqual(['expired', 'expired']);
  expect(await statusOf(sold)).toBe('active');
});
