import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { signUp } from '../support/people.ts';
import { call, errorOf, locationOf } from '../support/requests.ts';

/** A Firestore of its own, because all apps of a project share the products. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp({ config: { automaticTax: true } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

test('a price that was archived is neither shown nor sold', async () => {
  const stripe = stripeOf(app);
  await stripe.prices.update('price_hearth_pro_month', { active: false });
  await settled(app);
  const { plans } = (await (await call('GET', `${app.url}/api/auth/plans`)).json()) as {
    plans: { slug: string; prices: object | null }[];
  };
  expect(plans.find(({ slug }) => slug === 'pro')?.prices).toMatchObject({
    month: null,
    year: { unitAmount: 12000 },
  });

  const person = await signUp();
  const refused = await call('POST', `${app.url}/api/auth/checkout`, {
    headers: person.bearer,
    json: { plan: 'pro', interval: 'month' },
  });
  expect(await errorOf(refused)).toMatchObject({
    status: 409,
    code: 'price_not_available',
    error: 'Pro cannot be bought at the moment.',
  });
  expect((await checkout(app, person, 'pro?interval=month')).status).toBe(409);
  expect((await checkout(app, person, 'pro?interval=year')).status).toBe(303);
  await stripe.prices.update('price_hearth_pro_month', { active: true });
  expect((await checkout(app, person, 'pro?interval=month')).status).toBe(303);
});

test('a price of a product that was archived is neither shown nor sold', async () => {
  const stripe = stripeOf(app);
  await reconcileBilling(app.backend);
  await stripe.products.update('prod_hearth_pro', { active: false });
  await settled(app);
  await using other = await serveApp();
  const { plans } = (await (await call('GET', `${other.url}/api/auth/plans`)).json()) as {
    plans: { slug: string; prices: object | null; trialDays: number }[];
  };
  expect(plans.find(({ slug }) => slug === 'pro')).toMatchObject({
    prices: { month: null, year: null },
    trialDays: 0,
  });
  const person = await signUp();
  const refused = await call('POST', `${app.url}/api/auth/checkout`, {
    headers: person.bearer,
    json: { plan: 'pro', interval: 'month' },
  });
  expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'price_not_available' });
  await stripe.products.update('prod_hearth_pro', { active: true });
  expect((await checkout(app, person, 'pro?interval=month')).status).toBe(303);
});

test('with automatic tax a business enters its name and tax ID', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, 'pro'));
  expect(await (await fetch(page)).text()).toContain('name="tax_id"');
  const form = new URLSearchParams({
    tax_id: 'DE123456789',
    tax_id_type: 'eu_vat',
    business_name: 'Acme GmbH',
  });
  const paid = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  expect(paid.status).toBe(303);
  await settled(app);
  const { customer } = await subscriptionOf(app, person.uid);
  const [session] = (await stripeOf(app).checkout.sessions.list({ customer: customer as string })).data;
  expect(session?.customer_details).toMatchObject({
    name: 'Acme GmbH',
    tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }],
  });
});
