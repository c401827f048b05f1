import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { sweepInterruptedDeletions } from '../../functions/src/teams/sweep.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { passAtStripe } from '../support/clock.ts';
import { METERS } from '../support/extras.ts';
import { adminAuth, adminFirestore, beginDeletion, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, errorOf } from '../support/requests.ts';
import { addMember, castOf, mailTo } from '../support/teams.ts';

/** Pro costs 12 dollars and 5 cents a call. */
const metered = [{ meter: 'calls', lookupKey: 'pro_calls', unitAmount: 5 }];
const plans = plansWith({ pro: { prices: { month: priceOf('pro_m', 1_200, { metered }) } } });

const MINUTE = 60;
const DAY = 86_400;

/** A new one for each test, because the tests move Stripe's clock. */
let app: AppUnderTest;
beforeEach(async () => {
  app = await serveApp({ config: { plans, extras: METERS, mailReceipt: true } });
  return () => app[Symbol.asyncDispose]();
});

const pass = (seconds: number) => passAtStripe(app, seconds);

const remove = (person: Person, path: string) =>
  call('DELETE', `${app.url}/api/auth/${path}`, { headers: person.bearer });

const fail = (method: string, path: string, more: object) =>
  call('POST', `${app.stripe.url}/_emulator/fail`, { json: { method, path, ...more } });

const exists = async (path: string) => (await adminFirestore().doc(path).get()).exists;

/** All invoices of a Stripe customer, the latest one first. */
async function invoicesOf(stripeId: string) {
  const { data } = await stripeOf(app).invoices.list({ customer: stripeId });
  return data.map(({ status, total, amount_paid: paid }) => ({ status, total, paid }));
}

/** The events that were not accepted. */
async function undelivered() {
  const response = await call('GET', `${app.stripe.url}/_emulator/deliveries`);
  const { deliveries } = (await response.json()) as { deliveries: { type: string; delivered: boolean }[] };
  expect(deliveries.map(({ type }) => type)).toContain('invoice.paid');
  return deliveries.filter(({ delivered }) => !delivered);
}

const FIRST = { status: 'paid', total: 1_200, paid: 1_200 };
const FINAL = { status: 'paid', total: 500, paid: 500 };

/** A customer of Pro with 100 calls that Stripe does not have yet. Stripe's clock is a minute later. */
async function callerOfApi() {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id, customer } = await subscriptionOf(app, person.uid);
  const json = { meter: 'calls', value: 100, key: randomUUID() };
  const reported = await call('POST', `${app.url}/api/usage`, { headers: person.bearer, json });
  expect(reported.status).toBe(200);
  await pass(MINUTE);
  return { person, id, stripeId: customer as string };
}

/** A team with 8 members more than at the purchase of a year. The difference waits for the next invoice. */
async function grownTeam() {
  const { owner, teamId } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}&interval=year`);
  const { customer } = await subscriptionOf(app, teamId);
  const more = await Promise.all(Array.from({ length: 8 }, () => signUp()));
  for (const person of more) await addMember(teamId, person, 'member');
  await app.backend.enqueueSeatSync(teamId);
  await settled(app);
  const { data } = await stripeOf(app).invoiceItems.list({ customer: customer as string, pending: true });
  const owed = data.reduce((sum, { amount }) => sum + amount, 0);
  expect(owed).toBeGreaterThan(0);
  return { owner, teamId, owed, stripeId: customer as string };
}

test('usage that was not sent is charged after the account is deleted, and its events are ignored', async () => {
  const { person, stripeId } = await callerOfApi();
  expect((await remove(person, 'user')).status).toBe(204);
  expect(await invoicesOf(stripeId)).toEqual([{ status: 'draft', total: 500, paid: 0 }, FIRST]);
  await pass(2 * 60 * MINUTE);
  expect(await invoicesOf(stripeId)).toEqual([FINAL, FIRST]);
  await reconcileBilling(app.backend);
  await pass(60 * DAY);
  expect(await invoicesOf(stripeId)).toHaveLength(2);

  // The events of the final invoice were accepted, and brought nothing back.
  expect(await undelivered()).toEqual([]);
  expect([await exists(`customers/${person.uid}`), await exists(`users/${person.uid}`)]).toEqual([
    false,
    false,
  ]);
  expect(await mailTo(person.email)).toMatchObject([{ subject: expect.stringMatching(/deleted/) as string }]);
  expect(await stripeOf(app).customers.retrieve(stripeId)).toMatchObject({ email: person.email });
});

test('seats that were added are charged after the team is deleted', async () => {
  const { owner, teamId, owed, stripeId } = await grownTeam();
  expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(204);
  await pass(2 * 60 * MINUTE);
  expect(await invoicesOf(stripeId)).toMatchObject([{ status: 'paid', total: owed, paid: owed }, {}]);
});

test('a customer who owes nothing gets no final invoice', async () => {
  const { owner, teamId } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}&interval=year`);
  const { customer } = await subscriptionOf(app, teamId);
  expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(204);
  await pass(DAY);
  expect(await invoicesOf(customer as string)).toHaveLength(1);
});

test('an older invoice that is open is no longer collected', async () => {
  const { person, id, stripeId } = await callerOfApi();
  const { paymentMethods, subscriptions } = stripeOf(app);
  const declined = await paymentMethods.attach('pm_card_chargeCustomerFail', { customer: stripeId });
  await subscriptions.update(id, { default_payment_method: declined.id });
  await pass(32 * DAY);
  const working = await paymentMethods.attach('pm_card_visa', { customer: stripeId });
  await subscriptions.update(id, { default_payment_method: working.id });
  await settled(app);
  expect((await remove(person, 'user')).status).toBe(204);
  await pass(30 * DAY);
  const nothing = { status: 'paid', total: 0, paid: 0 };
  expect(await invoicesOf(stripeId)).toEqual([nothing, { status: 'open', total: 1_200, paid: 0 }, FIRST]);
});

describe('a deletion that is interrupted', () => {
  test.each([
    ['before Stripe has the usage', 'POST', '/v1/billing/meter_events', 'before'],
    ['after Stripe has received the usage', 'POST', '/v1/billing/meter_events', 'after'],
    ['after the subscription ended', 'DELETE', '/v1/subscriptions/:id', 'after'],
    ['before the collection was turned on', 'POST', '/v1/invoices/:id', 'before'],
  ])('%s charges everything once when it is repeated', async (_when, method, path, when) => {
    const { person, stripeId } = await callerOfApi();
    await fail(method, path, { status: 500, times: 3, when });
    const code = 'billing_unavailable';
    expect(await errorOf(await remove(person, 'user'))).toMatchObject({ status: 503, code });
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    expect((await remove(person, 'user')).status).toBe(204);
    await pass(2 * 60 * MINUTE);
    expect(await invoicesOf(stripeId)).toEqual([FINAL, FIRST]);
  });

  test('charges everything when the sweep finishes it', async () => {
    const { owner, teamId, owed, stripeId } = await grownTeam();
    await fail('POST', '/v1/invoices/:id', { status: 500, times: 3 });
    expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(503);
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    await sweepInterruptedDeletions({ ...app.backend, now: () => new Date(Date.now() + 60 * MINUTE * 1000) });
    expect(await exists(`teams/${teamId}`)).toBe(false);
    await pass(2 * 60 * MINUTE);
    expect(await invoicesOf(stripeId)).toMatchObject([{ status: 'paid', total: owed }, {}]);
  });
});

test('an answer that was lost once does not keep the final invoice from being collected', async () => {
  const { person, stripeId } = await callerOfApi();
  await fail('DELETE', '/v1/subscriptions/:id', { status: 500, times: 1, when: 'after' });
  expect((await remove(person, 'user')).status).toBe(204);
  await pass(2 * 60 * MINUTE);
  expect(await invoicesOf(stripeId)).toEqual([FINAL, FIRST]);
});

test('a user who was deleted in Firebase Auth is charged, also if an event comes before the clean-up', async () => {
  const { person, id, stripeId } = await callerOfApi();
  await adminAuth().deleteUser(person.uid);
  await beginDeletion(person.uid);
  await syncSubscription(app.backend, person.uid, id);
  await pass(2 * 60 * MINUTE);
  expect(await invoicesOf(stripeId)).toEqual([FINAL, FIRST]);
});

test('an account is deleted although Stripe cannot make the final invoice', async () => {
  const { person, id, stripeId } = await callerOfApi();
  await fail('DELETE', '/v1/subscriptions/:id', { status: 400, times: 1 });
  expect((await remove(person, 'user')).status).toBe(204);
  expect(await stripeOf(app).subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  expect(await invoicesOf(stripeId)).toEqual([FIRST]);
});

test('an account is deleted although Stripe rejects its usage', async () => {
  const { person, id } = await callerOfApi();
  await fail('POST', '/v1/billing/meter_events', { status: 403, times: 1 });
  expect((await remove(person, 'user')).status).toBe(204);
  expect(await stripeOf(app).subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
});

describe('a deleted customer is not charged', () => {
  async function removedAfter(change: (id: string, person: Person) => Promise<unknown>) {
    const { person, id, stripeId } = await callerOfApi();
    await change(id, person);
    await settled(app);
    expect((await remove(person, 'user')).status).toBe(204);
    await pass(2 * DAY);
    return invoicesOf(stripeId);
  }

  const update = (id: string, params: Stripe.SubscriptionUpdateParams) =>
    stripeOf(app).subscriptions.update(id, params);

  test('for a duplicate that is being ended', async () => {
    const invoices = await removedAfter((id, { uid }) =>
      adminFirestore()
        .doc(`customers/${uid}`)
        .update({ markedDuplicates: [id] }),
    );
    expect(invoices).toEqual([FIRST]);
    const { data } = await stripeOf(app).refunds.list();
    expect(data.map(({ amount }) => amount)).toEqual([1_200]);
  });

  test('during a trial', async () => {
    const invoices = await removedAfter((id) =>
      update(id, { trial_end: Math.floor(Date.now() / 1000) + 300 * DAY, proration_behavior: 'none' }),
    );
    expect(invoices).toEqual([FIRST]);
  });

  test('while the subscription is paused', async () => {
    expect(await removedAfter((id) => stripeOf(app).subscriptions.pause(id))).toEqual([FIRST]);
  });

  test.each([
    ['keep_as_draft', 'draft'],
    ['void', 'void'],
  ] as const)('while an operator has paused the collection with %s', async (behavior, status) => {
    const invoices = await removedAfter((id) => update(id, { pause_collection: { behavior } }));
    expect(invoices).toEqual([{ status, total: 500, paid: 0 }, FIRST]);
  });
});

describe('a subscription that support has planned for later', () => {
  /** More schedules than Stripe lists on a page. */
  async function planMany(customer: string): Promise<void> {
    const { subscriptionSchedules } = stripeOf(app);
    const [price] = (await stripeOf(app).prices.list({ lookup_keys: ['pro_m'] })).data;
    const phases = [{ items: [{ price: price?.id ?? '' }], duration: { interval: 'month' as const } }];
    const start_date = Math.floor(Date.now() / 1000) + 30 * DAY;
    for (let count = 0; count < 101; count++)
      await subscriptionSchedules.create({ customer, phases, start_date });
  }

  const statusesOf = async (customer: string) => {
    const schedules = stripeOf(app).subscriptionSchedules.list({ customer, limit: 100 });
    return new Set((await Array.fromAsync(schedules)).map(({ status }) => status));
  };

  test('does not begin after the account is deleted', async () => {
    const { person, stripeId } = await callerOfApi();
    await planMany(stripeId);
    expect(await statusesOf(stripeId)).toEqual(new Set(['not_started']));
    expect((await remove(person, 'user')).status).toBe(204);
    expect(await statusesOf(stripeId)).toEqual(new Set(['canceled']));
  });

  test('does not begin after the team is deleted', async () => {
    const { owner, teamId } = await castOf(app.url);
    await buy(app, owner, `business?team=${teamId}&interval=year`);
    const customer = (await subscriptionOf(app, teamId)).customer as string;
    await planMany(customer);
    expect((await remove(owner, `teams/${teamId}?endSubscription=true`)).status).toBe(204);
    expect(await statusesOf(customer)).toEqual(new Set(['canceled']));
  });

  test('hinders no deletion if the answer to its cancellation was lost', async () => {
    const { person, stripeId } = await callerOfApi();
    await planMany(stripeId);
    await fail('POST', '/v1/subscription_schedules/:id/cancel', { status: 500, when: 'after', times: 3 });
    await remove(person, 'user');
    expect((await remove(person, 'user')).status).toBeLessThan(500);
    expect(await statusesOf(stripeId)).toEqual(new Set(['canceled']));
  });
});
