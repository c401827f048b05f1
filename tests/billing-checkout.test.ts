import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../functions/src/settings/config.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  buy,
  checkout,
  claimsOf,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { AppClock } from './support/clock.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { addMember, castOf, createTeam, setRole } from './support/teams.ts';

/** A Firestore of its own, because these tests move its clock. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp({
    config: { trialDays: 14, promotionCodes: true, automaticTax: true, pastDueGraceDays: 3 },
    backend: { now: clock.now },
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

const pass = (days: number) => clock.passDays(app, days);

async function sessionsOf(customerId: string): Promise<Stripe.Checkout.Session[]> {
  const customer = (await adminFirestore().doc(`customers/${customerId}`).get()).get('stripeId') as string;
  return (await stripeOf(app).checkout.sessions.list({ customer })).data;
}

const statusOf = async (customerId: string) => (await subscriptionOf(app, customerId)).status;

test('a year has the yearly price, and another interval starts another checkout', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  await buy(app, person, 'pro?interval=year');
  expect((await sessionsOf(person.uid)).map(({ status }) => status).sort()).toEqual(['complete', 'expired']);
  const { items } = await subscriptionOf(app, person.uid);
  expect(items.data[0]?.price).toMatchObject({ lookup_key: 'hearth_pro_yearly' });
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});

test('promotion codes and automatic tax are offered if they are configured', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  const [session] = await sessionsOf(person.uid);
  expect(session).toMatchObject({ allow_promotion_codes: true, automatic_tax: { enabled: true } });
});

test.each<[what: string, config: Partial<Config>, session: object, subscription: object]>([
  [
    'automatic tax',
    { automaticTax: true },
    { automatic_tax: { enabled: true, status: 'complete' }, billing_address_collection: null },
    { automatic_tax: { enabled: true } },
  ],
  [
    'collected addresses',
    { collectAddress: true },
    { automatic_tax: { enabled: false }, billing_address_collection: 'required' },
    { automatic_tax: { enabled: false } },
  ],
])("with %s the payer's address is saved with the customer", async (_what, config, paid, running) => {
  await using other = await serveApp({ config });
  const person = await signUp();
  await buy(other, person, 'pro');
  const { customer, ...subscription } = await subscriptionOf(other, person.uid);
  expect(subscription).toMatchObject({ status: 'active', ...running });
  const stripe = stripeOf(other);
  const { data } = await stripe.checkout.sessions.list({ customer: customer as string });
  expect(data).toMatchObject([paid]);
  const address = { line1: '1 Main Street', city: 'Springfield', country: 'US' };
  expect(await stripe.customers.retrieve(customer as string)).toMatchObject({ address });
});

describe('a free trial', () => {
  test('gives the plan, and is used once', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    expect(await statusOf(person.uid)).toBe('trialing');
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });

    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
    await settled(app);
    await buy(app, person, 'pro');
    expect((await subscriptionCopiesOf(person.uid)).map(({ status }) => status).sort()).toEqual([
      'active',
      'canceled',
    ]);
  });

  test('that a team has used is also used up for its owner, who creates another team', async () => {
    const owner = await signUp();
    const [first, second] = [await createTeam(app.url, owner), await createTeam(app.url, owner)];
    await buy(app, owner, `pro?team=${first}`);
    await buy(app, owner, `pro?team=${second}`);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['trialing', 'active']);
    await buy(app, owner, 'pro');
    expect(await statusOf(owner.uid)).toBe('active');
  });

  describe('that a team has used is also used up for the admin who buys it', () => {
    const cast = async () => {
      const [owner, admin] = await Promise.all([signUp(), signUp()]);
      const teamId = await createTeam(app.url, owner);
      await addMember(teamId, admin, 'admin');
      return { teamId, admin };
    };

    test('so that they get none of their own afterwards', async () => {
      const { teamId, admin } = await cast();
      await buy(app, admin, `pro?team=${teamId}`);
      // The reservation of the checkout is over by then.
      await pass(2);
      await buy(app, admin, 'pro');
      expect([await statusOf(teamId), await statusOf(admin.uid)]).toEqual(['trialing', 'active']);
    });

    test('so that they get none of their own while the page is open', async () => {
      const { teamId, admin } = await cast();
      await checkout(app, admin, `pro?team=${teamId}`);
      await buy(app, admin, 'pro');
      expect(await statusOf(admin.uid)).toBe('active');
    });

    test('so that the team gets none if they had one before', async () => {
      const { teamId, admin } = await cast();
      await buy(app, admin, 'pro');
      await buy(app, admin, `pro?team=${teamId}`);
      expect([await statusOf(admin.uid), await statusOf(teamId)]).toEqual(['trialing', 'active']);
    });
  });

  test('is given to one of two teams that start a checkout at the same time', async () => {
    const owner = await signUp();
    const teams = [await createTeam(app.url, owner), await createTeam(app.url, owner)];
    await Promise.all(teams.map((teamId) => buy(app, owner, `pro?team=${teamId}`)));
    const statuses = await Promise.all(teams.map(statusOf));
    expect(statuses.sort()).toEqual(['active', 'trialing']);
  });

  test('that did not begin is available again when its checkout is over', async () => {
    const owner = await signUp();
    const [first, second] = [await createTeam(app.url, owner), await createTeam(app.url, owner)];
    await checkout(app, owner, `pro?team=${first}`);
    await pass(1.1);
    await buy(app, owner, `pro?team=${second}`);
    expect(await statusOf(second)).toBe('trialing');
    await buy(app, owner, `pro?team=${first}`);
    expect(await statusOf(first)).toBe('active');
  });

  test('stays reserved while its page is open, although Stripe did not answer at first', async () => {
    const person = await signUp();
    const teamId = await createTeam(app.url, person);
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/checkout/sessions', times: 3, status: 'drop' },
    });
    expect((await checkout(app, person, 'pro')).status).toBe(503);
    await pass(20 / 24);
    const page = locationOf(await checkout(app, person, 'pro'));
    await pass(8 / 24);
    await buy(app, person, `pro?team=${teamId}`);
    await pay(app, page);
    expect([await statusOf(person.uid), await statusOf(teamId)]).toEqual(['trialing', 'active']);
  });

  test('stays that of the admin who began the checkout, if another admin continues it', async () => {
    const { teamId, owner, admin } = await castOf(app.url);
    await setRole(teamId, admin, 'owner');
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/checkout/sessions', times: 3, status: 'drop' },
    });
    expect((await checkout(app, admin, `pro?team=${teamId}`)).status).toBe(503);
    await pass(20 / 24);
    const page = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
    await pass(8 / 24);
    await buy(app, admin, 'pro');
    await pay(app, page);
    expect([await statusOf(admin.uid), await statusOf(teamId)]).toEqual(['active', 'trialing']);
  });

  test('is offered again if the open checkout is replaced by another one', async () => {
    const person = await signUp();
    await checkout(app, person, 'pro');
    await checkout(app, person, 'business');
    await buy(app, person, 'pro');
    expect(await statusOf(person.uid)).toBe('trialing');
  });

  test('becomes a paid subscription, or ends', async () => {
    const [payer, leaver] = [await signUp(), await signUp()];
    await buy(app, payer, 'pro');
    await buy(app, leaver, 'pro');
    const { id } = await subscriptionOf(app, leaver.uid);
    await stripeOf(app).subscriptions.update(id, { cancel_at_period_end: true });
    await pass(15);
    expect([await statusOf(payer.uid), await statusOf(leaver.uid)]).toEqual(['active', 'canceled']);
    expect([await claimsOf(payer), await claimsOf(leaver)]).toEqual([{ plan: 'pro', stripeRole: 'pro' }, {}]);
  });
});

describe('a Stripe customer that was deleted in the dashboard', () => {
  const stripeIdOf = async ({ uid }: Person) =>
    (await adminFirestore().doc(`customers/${uid}`).get()).get('stripeId') as string | undefined;

  test('loses the plan, and is created again by the next checkout', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const old = await stripeIdOf(person);
    await stripeOf(app).customers.del(old ?? '');
    await settled(app);
    expect([await stripeIdOf(person), await claimsOf(person)]).toEqual([undefined, {}]);
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
    await buy(app, person, 'pro');
    expect(await stripeIdOf(person)).not.toBe(old);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });

  test.each(['checkout/pro', 'portal'])('is created by %s with a parameter of a newsletter', async (path) => {
    const person = await signUp();
    const response = await visit(`${app.url}/api/auth/${path}?utm_source=news`, person.bearer);
    expect(response.status).toBe(303);
  });

  test.each(['checkout/pro', 'portal'])('is created again by %s, although no event arrived', async (path) => {
    const deaf = await serveApp({ webhooks: false });
    const person = await signUp();
    await visit(`${deaf.url}/api/auth/portal`, person.bearer);
    const old = await stripeIdOf(person);
    await stripeOf(deaf).customers.del(old ?? '');
    const response = await visit(`${deaf.url}/api/auth/${path}`, person.bearer);
    expect(response.status).toBe(303);
    expect(await stripeIdOf(person)).not.toBe(old);
    await deaf[Symbol.asyncDispose]();
  });
});

test.each([
  ['another one is begun', 'business', 'GET', ''],
  ['it is ended for another one', 'business', 'POST', '/expire'],
  ['it is continued', 'pro', 'GET', ''],
])('a checkout that is paid while %s leads to the portal', async (_what, slug, method, path) => {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, 'pro'));
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method, path: `/v1/checkout/sessions/:id${path}`, status: 'hold', times: 1 },
  });
  const other = checkout(app, person, slug);
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  await pay(app, page).catch(() => undefined);
  await call('POST', `${app.stripe.url}/_emulator/release`);
  expect(locationOf(await other).pathname).toMatch(/^\/p\/session\//);
  expect((await sessionsOf(person.uid)).map(({ status }) => status)).toEqual(['complete']);
});

test('a replaced page cannot be paid, also if Stripe was down when it was to be expired', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, 'pro'));
  // Three times, because the client tries again twice.
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'GET', path: '/v1/checkout/sessions/:id', status: 500, times: 3 },
  });
  expect((await checkout(app, person, 'business')).status).toBe(503);
  expect((await checkout(app, person, 'business')).status).toBe(303);
  expect((await pay(app, page)).status).toBe(410);
  const stored = await adminFirestore().doc(`customers/${person.uid}`).get();
  expect(stored.get('checkout')).not.toHaveProperty('replacedSessionIds');
});

test('a replaced page expires after a sale in the dashboard, even if the first attempt fails', async () => {
  const person = await signUp();
  const page = locationOf(await checkout(app, person, 'pro'));
  const fault = { method: 'GET', path: '/v1/checkout/sessions/:id', status: 500, times: 3 };
  await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });
  expect((await checkout(app, person, 'business')).status).toBe(503);
  const customer = (await adminFirestore().doc(`customers/${person.uid}`).get()).get('stripeId') as string;
  await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });
  const items = [{ price: 'price_hearth_pro_month' }];
  await stripeOf(app).subscriptions.create({ customer, items, trial_period_days: 30 });
  await settled(app);
  expect((await pay(app, page)).status).toBe(410);
});

test.each([
  ['the Stripe customer', '/v1/customers'],
  ['the checkout session', '/v1/checkout/sessions'],
])('an error of creating %s, which Stripe repeats for a day, stops one request only', async (_what, path) => {
  const person = await signUp();
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path, status: 500, when: 'during' },
  });
  expect((await checkout(app, person, 'pro')).status).toBe(503);
  await buy(app, person, 'pro');
  expect(await statusOf(person.uid)).toBe('trialing');
  const { data } = await stripeOf(app).customers.search({ query: `metadata['firebaseUID']:'${person.uid}'` });
  expect(data).toHaveLength(1);
});

test('a replaced page that Stripe does not know leaves no trace', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  await adminFirestore().doc(`customers/${person.uid}`).update({ 'checkout.sessionId': 'cs_test_gone' });
  expect((await checkout(app, person, 'business')).status).toBe(303);
});

test('a page that Stripe does not know any more is replaced by a new one', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  await adminFirestore().doc(`customers/${person.uid}`).update({ 'checkout.sessionId': 'cs_test_gone' });
  expect((await checkout(app, person, 'pro')).status).toBe(303);
});

test('a superseded checkout is refused, and its page cannot be paid', async () => {
  const person = await signUp();
  await visit(`${app.url}/api/auth/portal`, person.bearer);
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/checkout/sessions', status: 'hold', times: 1 },
  });
  const overtaken = checkout(app, person, 'pro');
  await call('GET', `${app.stripe.url}/_emulator/held?atLeast=1`);
  expect((await checkout(app, person, 'business')).status).toBe(303);
  await call('POST', `${app.stripe.url}/_emulator/release`);
  expect((await overtaken).status).toBe(409);
  const pages = (await sessionsOf(person.uid)).map(({ metadata, status }) => [metadata?.['plan'], status]);
  expect(pages.sort()).toEqual([
    ['business', 'open'],
    ['pro', 'expired'],
  ]);
});
