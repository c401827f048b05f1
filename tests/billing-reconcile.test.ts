import type { Auth } from 'firebase-admin/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepDeletedAccounts } from '../functions/src/account/sweep.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { syncSubscription } from '../functions/src/billing/subscriptions/sync/sync.service.ts';
import type { Config } from '../functions/src/settings/config.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import {
  checkout,
  claimsOf,
  subscriptionCopiesOf,
  orderOnce,
  pay,
  purchasePage,
  settled,
  stripeOf,
  subscriptionOf,
} from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { CREDITS } from './support/extras.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, locationOf, visit } from './support/requests.ts';
import { addMember, castOf } from './support/teams.ts';

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
/** Gets no events from Stripe: every webhook is lost. */
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  await adminFirestore().doc('sweeps/billing').delete();
  await adminFirestore().doc('sweeps/accounts').delete();
  app = await serveApp({ webhooks: false });
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

const reconcile = async (maxCalls?: number) => {
  await reconcileBilling(app.backend, maxCalls);
  await settled(app);
};

async function buyWithoutEvents(person: Person, slugAndQuery: string): Promise<void> {
  expect((await pay(app, locationOf(await checkout(app, person, slugAndQuery)))).status).toBe(303);
}

/** Sweeps the accounts, and cleans up at most so many of them. */
const sweepAccounts = (accountSweepLimit: number) =>
  sweepDeletedAccounts({ ...app.backend, config: { ...app.backend.config, accountSweepLimit } });

async function stripeCalls(): Promise<Record<string, number>> {
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  return ((await log.json()) as { counts: Record<string, number> }).counts;
}

test('a purchase and an end without a webhook are synced, with the claims', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
  expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });

  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
  expect(await claimsOf(person)).toEqual({});
});

test.each<[what: string, damage: (person: Person) => Promise<unknown>]>([
  ['were lost', ({ uid }) => adminAuth().setCustomUserClaims(uid, {})],
  ['are of another plan', ({ uid }) => adminAuth().setCustomUserClaims(uid, { plan: 'business' })],
  [
    'have add-ons of another program',
    ({ uid }) =>
      adminAuth().setCustomUserClaims(uid, { plan: 'pro', stripeRole: 'pro', addOns: { storage: 9 } }),
  ],
])('claims that %s are repaired, and others stay', async (_what, damage) => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await reconcile();
  await damage(person);
  await reconcile();
  expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
});

test('seats are billed although their task was lost', async () => {
  const { teamId, owner, outsider } = await castOf(app.url);
  await buyWithoutEvents(owner, `business?team=${teamId}`);
  await reconcile();
  await addMember(teamId, outsider, 'member');
  await reconcile();
  expect((await subscriptionOf(app, teamId)).items.data.map(({ quantity }) => quantity)).toEqual([4]);
  await reconcile();
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ quantity: 4 }]);
});

test('a team gets the new seat limit of its plan after the plans were changed', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buyWithoutEvents(owner, `pro?team=${teamId}`);
  await reconcile();
  const team = async () => (await adminFirestore().doc(`teams/${teamId}`).get()).get('seatLimit') as number;
  expect(await team()).toBe(10);
  const [free, ...paid] = app.config.plans;
  const plans: Config['plans'] = [
    free,
    ...paid.map((plan) => ({ ...plan, limits: { ...plan.limits, seats: 42 } })),
  ];
  await reconcileBilling({ ...app.backend, config: { ...app.config, plans } });
  expect(await team()).toBe(42);
});

test('without drift a run makes one call for each list and one for our products, and writes only its position', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await reconcile();
  await stripeCalls();
  await reconcile();
  expect(await stripeCalls()).toEqual({
    'GET /v1/events': 2,
    'GET /v1/prices': 1,
    'GET /v1/products': 2,
    'GET /v1/subscriptions': 1,
  });
});

test('a run stays within its limit of calls, and later runs visit the rest', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => signUp()));
  for (const person of people) await buyWithoutEvents(person, 'pro');
  await stripeCalls();
  let runs = 0;
  const isSynced = async () =>
    (await Promise.all(people.map(({ uid }) => subscriptionCopiesOf(uid)))).every(
      ({ length }) => length === 1,
    );
  while (!(await isSynced())) {
    await reconcile(2);
    const calls = Object.values(await stripeCalls()).reduce((sum, count) => sum + count, 0);
    expect(calls).toBeLessThanOrEqual(2);
    expect(++runs).toBeLessThan(20);
  }
  expect(runs).toBeGreaterThan(1);
});

test('a subscription that Stripe does not return does not block the others', async () => {
  const [behind, broken] = [await signUp(), await signUp()];
  await buyWithoutEvents(behind, 'pro');
  await buyWithoutEvents(broken, 'pro');
  await reconcile();
  const { id } = await subscriptionOf(app, broken.uid);
  await stripeOf(app).subscriptions.cancel(id);
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, behind.uid)).id);
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'GET', path: `/v1/subscriptions/${id}`, times: 3, status: 500 },
  });
  await reconcile();
  expect(await subscriptionCopiesOf(behind.uid)).toMatchObject([{ status: 'canceled' }]);
  expect(await subscriptionCopiesOf(broken.uid)).toMatchObject([{ status: 'active' }]);
  await reconcile();
  expect(await subscriptionCopiesOf(broken.uid)).toMatchObject([{ status: 'canceled' }]);
});

describe('a repair from the list', () => {
  test('asks Stripe again only about a copy that differs', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => signUp()));
    for (const person of people) await buyWithoutEvents(person, 'pro');
    await stripeCalls();
    await reconcile();
    for (const { uid } of people)
      expect(await subscriptionCopiesOf(uid)).toMatchObject([{ status: 'active' }]);
    expect(await stripeCalls()).toMatchObject({ 'GET /v1/subscriptions': 1 });
    expect(await stripeCalls()).not.toHaveProperty('GET /v1/subscriptions/:id');
    for (const { uid } of people)
      await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, uid)).id);
    await stripeCalls();
    await reconcile();
    for (const { uid } of people)
      expect(await subscriptionCopiesOf(uid)).toMatchObject([{ status: 'canceled' }]);
    expect(await stripeCalls()).toMatchObject({ 'GET /v1/subscriptions/:id': 3 });
  });

  test('does not write a listed state over the state of a later event', async () => {
    const person = await signUp();
    await buyWithoutEvents(person, 'pro');
    const subscription = await subscriptionOf(app, person.uid);
    await stripeOf(app).subscriptions.cancel(subscription.id);
    await syncSubscription(app.backend, person.uid, subscription.id);
    await syncSubscription(app.backend, person.uid, subscription.id, { listed: subscription });
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
    expect(await claimsOf(person)).toEqual({});
  });
});

test('a change that was taken back after it was listed is not stored', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await reconcile();
  const listed = { ...(await subscriptionOf(app, person.uid)), cancel_at_period_end: true };
  const inAnHour = () => new Date(Date.now() + 3_600_000);
  await syncSubscription({ ...app.backend, now: inAnHour }, person.uid, listed.id, { listed });
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ cancel_at_period_end: false }]);
});

test('every list is visited, however long the list before it is', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  for (let run = 0; run < 12; run += 1) await reconcile(2);
  expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
  expect((await adminFirestore().doc('products/prod_hearth_pro').get()).exists).toBe(true);
});

test('restarts from the first page if the saved position no longer exists', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await adminFirestore().doc('sweeps/billing').set({ list: 'subscriptions', after: 'sub_gone' });
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
});

test('a run fails while Stripe is down, and later runs do its work', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'GET', path: '/v1/subscriptions', times: 3, status: 500 },
  });
  await expect(reconcile()).rejects.toMatchObject({ status: 503 });
  await reconcile();
  expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
});

test('a user whose claims cannot be written does not block the others', async () => {
  const [behind, full] = [await signUp(), await signUp()];
  await buyWithoutEvents(behind, 'pro');
  await buyWithoutEvents(full, 'pro');
  await adminAuth().setCustomUserClaims(full.uid, { other: 'x'.repeat(980) });
  await reconcile();
  expect(await subscriptionCopiesOf(behind.uid)).toHaveLength(1);
  expect(await claimsOf(behind)).toMatchObject({ plan: 'pro' });
  expect(await subscriptionCopiesOf(full.uid)).toHaveLength(1);
});

test('a user for whom Firebase Auth fails does not stop the run for the others', async () => {
  const [behind, failing] = [await signUp(), await signUp()];
  await buyWithoutEvents(behind, 'pro');
  await buyWithoutEvents(failing, 'pro');
  const { auth } = app.backend;
  const partial = Object.assign(Object.create(auth) as Auth, {
    getUser: (uid: string) => (uid === failing.uid ? Promise.reject(new Error('down')) : auth.getUser(uid)),
  });
  await reconcileBilling({ ...app.backend, auth: partial });
  expect(await claimsOf(behind)).toMatchObject({ plan: 'pro' });
  await reconcile();
  expect(await claimsOf(failing)).toMatchObject({ plan: 'pro' });
});

test('the subscription of a user without account and profile goes on until the sweep of accounts decides', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await reconcile();
  await adminFirestore().doc(`users/${person.uid}`).delete();
  await adminAuth().deleteUsers([person.uid]);
  await reconcile();
  await reconcile();
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ status: 'active' });
  await sweepAccounts(0);
  await sweepAccounts(0);
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ status: 'active' });
  await sweepAccounts(100);
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ status: 'canceled' });
  expect((await adminFirestore().doc(`users/${person.uid}`).get()).exists).toBe(false);
});

test('the subscription of a lost account goes on until the sweep of accounts removes their data', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await reconcile();
  await adminAuth().deleteUsers([person.uid]);
  await reconcile();
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ status: 'active' });
  await sweepDeletedAccounts(app.backend);
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ status: 'canceled' });
});

test("a customer who was created again before the old one's deletion was known has no plan", async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await reconcile();
  const { customer } = await subscriptionOf(app, person.uid);
  await stripeOf(app).customers.del(customer as string);
  expect((await visit(`${app.url}/api/auth/portal`, person.bearer)).status).toBe(303);
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'canceled' }]);
  expect(await claimsOf(person)).toEqual({});
});

test('two concurrent runs have the same result as one', async () => {
  const person = await signUp();
  await buyWithoutEvents(person, 'pro');
  await Promise.all([reconcile(), reconcile()]);
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active' }]);
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});

describe('the page of a one-time purchase that other orders were to replace', () => {
  const credits = (quantity: number) => ({ item: 'hundred', quantity });
  const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);

  /** An app for which the ending of a page dies, after the transaction that stores the purchase of the new order. */
  async function selling(): Promise<
    AppUnderTest & { orderAndDie: (person: Person, quantity: number) => Promise<void> }
  > {
    const shop = await serveApp({ config: { extras: CREDITS }, webhooks: false });
    const orderAndDie = async (person: Person, quantity: number) => {
      // Three times, because the client tries again twice.
      await call('POST', `${shop.stripe.url}/_emulator/fail`, {
        json: { method: 'GET', path: '/v1/checkout/sessions/:id', status: 500, times: 3 },
      });
      expect((await orderOnce(shop, person, credits(quantity))).status).toBe(503);
    };
    return { ...shop, orderAndDie };
  }

  const statusesOf = async ({ uid }: Person): Promise<unknown[]> => {
    const { docs } = await adminFirestore().collection(`customers/${uid}/purchases`).get();
    return docs.map((document) => document.get('status') as unknown);
  };

  test.each([[[2]], [[2, 3]]])(
    'is ended by the next order after orders of %j died and were removed',
    async (dead) => {
      await using shop = await selling();
      const person = await signUp();
      const first = await purchasePage(shop, person, credits(1));
      for (const quantity of dead) await shop.orderAndDie(person, quantity);
      expect(await statusesOf(person)).toHaveLength(1 + dead.length);
      await reconcileBilling({ ...shop.backend, now: inTwoHours });
      expect(await statusesOf(person)).toEqual(['open']);
      const last = await purchasePage(shop, person, credits(4));
      expect((await pay(shop, first)).status).toBe(410);
      expect((await pay(shop, last)).status).toBe(303);
    },
  );

  test('is continued by the same order after the other one died and was removed', async () => {
    await using shop = await selling();
    const person = await signUp();
    const first = await purchasePage(shop, person, credits(1));
    await shop.orderAndDie(person, 2);
    await reconcileBilling({ ...shop.backend, now: inTwoHours });
    expect((await purchasePage(shop, person, credits(1))).href).toBe(first.href);
  });

  test('leaves no open purchase if it was paid before the other order was removed', async () => {
    await using shop = await selling();
    const person = await signUp();
    const first = await purchasePage(shop, person, credits(1));
    await shop.orderAndDie(person, 2);
    expect((await pay(shop, first)).status).toBe(303);
    await reconcileBilling({ ...shop.backend, now: inTwoHours });
    const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
    expect([await statusesOf(person), customer.get('openPurchase')]).toEqual([['paid'], undefined]);
  });
});
