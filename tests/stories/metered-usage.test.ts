import { randomUUID } from 'node:crypto';
import type { Timestamp } from 'firebase-admin/firestore';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Backend } from '../../functions/src/backend.ts';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { recordUsage } from '../../functions/src/billing/usage/report.service.ts';
import { sendUsage } from '../../functions/src/billing/usage/send.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, payByBankDebit, stripeOf, subscriptionOf } from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { METERS } from '../support/extras.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, errorOf } from '../support/requests.ts';
import { addMember, castOf } from '../support/teams.ts';

const DAY = 86_400;

/** Pro costs 12 dollars and 5 cents a call, business 49 dollars a member and half a cent a call. */
const plans = plansWith({
  pro: { prices: { month: priceOf('pro_m', 1_200, { metered: [usage('pro_calls', 5)] }) } },
  business: { prices: { month: priceOf('business_m', 4_900, { metered: [usage('business_calls', 0.5)] }) } },
});

function usage(lookupKey: string, unitAmount: number) {
  return { meter: 'calls', lookupKey, unitAmount };
}

/** A Firestore of its own: the sender handles the usage of everybody. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  clock.reset();
  app = await serveApp({
    config: { plans, extras: METERS },
    backend: { now: clock.now },
  });
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

const pass = (seconds: number) => clock.passSeconds(app, seconds);

const report = ({ bearer: headers }: Person, value: number, rest: object = {}) =>
  call('POST', `${app.url}/api/usage`, {
    headers,
    json: { meter: 'calls', value, key: randomUUID(), ...rest },
  });

/** The latest invoice of a customer: what was paid, and the quantities of its lines by their amounts. */
async function latestInvoice(
  customerId: string,
): Promise<{ paid: number; lines: [number | null, number][] }> {
  const { customer } = await subscriptionOf(app, customerId);
  const { data } = await stripeOf(app).invoices.list({ customer: customer as string, limit: 1 });
  const lines = (data[0]?.lines.data ?? []).map(({ quantity, amount }): [number | null, number] => [
    quantity,
    amount,
  ]);
  return { paid: data[0]?.amount_paid ?? 0, lines: lines.sort(([, a], [, b]) => a - b) };
}

/** A backend whose process dies after Stripe has received a meter event, before the batch is marked. */
function dyingAfterStripe(): Backend {
  const { backend } = app;
  let isDead = false;
  return {
    ...backend,
    stripe: async () => {
      isDead = true;
      return backend.stripe();
    },
    db: {
      ...backend.db,
      run: (body) => (isDead ? Promise.reject(new Error('The process died.')) : backend.db.run(body)),
    },
  };
}

test('a customer pays for each unit once, whatever is repeated or interrupted', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await Promise.all(Array.from({ length: 6 }, () => report(person, 3, { key: 'job' })));
  await Promise.all(Array.from({ length: 6 }, () => report(person, 2)));
  await recordUsage(app.backend, { customerId: person.uid, meter: 'calls', value: 5, key: 'server' });
  await sendUsage(dyingAfterStripe());
  await pass(600);
  await report(person, 3, { key: 'job' });
  await sendUsage(app.backend);
  await pass(32 * DAY);
  expect(await latestInvoice(person.uid)).toEqual({
    paid: 1_300,
    lines: [
      [20, 100],
      [1, 1_200],
    ],
  });
});

/** The batches of a customer, the first one first. */
async function batchesOf(customerId: string): Promise<{ at: Date; value: number }[]> {
  const { docs } = await adminFirestore()
    .collection('usageBatches')
    .where('customerId', '==', customerId)
    .get();
  return docs
    .map((batch) => ({ at: (batch.get('at') as Timestamp).toDate(), value: batch.get('value') as number }))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Lets time go by until the given number of seconds before the middle of a window of five minutes. */
async function passToMiddle(secondsBefore: number): Promise<void> {
  const now = clock.now().getTime() / 1_000;
  await pass((Math.floor(now / 300) + 1) * 300 + 150 - secondsBefore - now);
}

test('usage after the start of a subscription is billed, although earlier usage has nearly the same time', async () => {
  const person = await signUp();
  await passToMiddle(90);
  await report(person, 10);
  await pass(90);
  await buy(app, person, 'pro');
  const { start_date: start } = await subscriptionOf(app, person.uid);
  await report(person, 20);
  await report(person, 5);
  await sendUsage(app.backend);
  const batches = await batchesOf(person.uid);
  expect(batches.map(({ value }) => value)).toEqual([10, 25]);
  expect(batches.map(({ at }) => at.getTime() >= start * 1_000)).toEqual([false, true]);
  await pass(32 * DAY);
  expect((await latestInvoice(person.uid)).lines).toEqual([
    [25, 125],
    [1, 1_200],
  ]);
});

test.each(['has', 'has not'])(
  'usage around a renewal that Hearth %s heard of is in two events',
  async (has) => {
    const person = await signUp();
    await buy(app, person, 'pro');
    const copy = adminFirestore().collection(`customers/${person.uid}/subscriptions`);
    const [id] = (await copy.get()).docs.map((stored) => stored.id);
    await passToMiddle(30);
    await report(person, 10);
    await pass(60);
    await report(person, 20);
    const at = new Date(clock.now().getTime() - 30_000);
    const period = has === 'has' ? { current_period_start: at } : { current_period_end: at };
    await copy.doc(id ?? '').update(period);
    await sendUsage(app.backend);
    expect((await batchesOf(person.uid)).map(({ value }) => value)).toEqual([10, 20]);
  },
);

test('the last reports of a period are billed with it', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { items } = await subscriptionOf(app, person.uid);
  const end = items.data[0]?.current_period_end ?? 0;
  await pass(end - 60 - Math.floor(clock.now().getTime() / 1000));
  await report(person, 10);
  // The invoice is a draft for an hour.
  await pass(600);
  await sendUsage(app.backend);
  await pass(DAY);
  expect(await latestInvoice(person.uid)).toEqual({
    paid: 1_250,
    lines: [
      [10, 50],
      [1, 1_200],
    ],
  });
});

test('the usage is shown for the billing period, and starts at zero with the next one', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const read = async () =>
    (await (await call('GET', `${app.url}/api/usage`, { headers: person.bearer })).json()) as object;
  await report(person, 4);
  const { items } = await subscriptionOf(app, person.uid);
  const [item] = items.data;
  const instantOf = (seconds = 0) => new Date(seconds * 1000).toISOString();
  expect(await read()).toMatchObject({
    period: { start: instantOf(item?.current_period_start), end: instantOf(item?.current_period_end) },
    meters: [{ slug: 'calls', name: 'Calls', value: 4 }, { slug: 'tokens' }],
  });
  await sendUsage(app.backend);
  expect(await read()).toMatchObject({ meters: [{ value: 4 }, {}] });
  await pass(32 * DAY);
  expect(await read()).toMatchObject({ meters: [{ value: 0 }, {}] });
});

test('a team pays for its usage beside its members, also after a change of plan', async () => {
  const { teamId, owner } = await castOf(app.url);
  await buy(app, owner, `pro?team=${teamId}`);
  const change = { plan: 'business', team: teamId };
  const changed = await call('POST', `${app.url}/api/auth/subscription/change`, {
    headers: owner.bearer,
    json: change,
  });
  expect(changed.status, await changed.text()).toBe(200);
  const { items } = await subscriptionOf(app, teamId);
  expect(items.data.map(({ price, quantity }) => [price.lookup_key, quantity])).toEqual([
    ['business_m', 3],
    ['business_calls', undefined],
  ]);
  await report(owner, 200, { team: teamId });
  await sendUsage(app.backend);
  await pass(33 * DAY);
  const { lines } = await latestInvoice(teamId);
  expect(lines).toEqual([
    [200, 100],
    [3, 14_700],
  ]);
});

const changeToBusiness = ({ bearer: headers }: Person) =>
  call('POST', `${app.url}/api/auth/subscription/change`, { headers, json: { plan: 'business' } });

test('a change that drops a price of the usage cannot be planned, and made now it bills the usage', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await report(person, 100);
  await sendUsage(app.backend);
  // Stripe counts the usage from before the second of the change.
  await pass(1);
  const ask = (action: string, when: string) =>
    call('POST', `${app.url}/api/auth/subscription/${action}`, {
      headers: person.bearer,
      json: { plan: 'business', when },
    });
  for (const action of ['preview', 'change']) {
    const refused = await ask(action, 'period_end');
    expect([refused.status, await errorOf(refused)], action).toMatchObject([
      409,
      { code: 'change_not_plannable', error: expect.stringContaining('usage') as string },
    ]);
  }
  expect((await ask('change', 'now')).status).toBe(200);
  expect((await latestInvoice(person.uid)).lines).toContainEqual([100, 500]);
});

test('a change now bills the usage that is still waiting', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await report(person, 100);
  await pass(1);
  expect((await changeToBusiness(person)).status).toBe(200);
  expect((await latestInvoice(person.uid)).lines).toContainEqual([100, 500]);
  await report(person, 200);
  await pass(600);
  await sendUsage(app.backend);
  await pass(33 * DAY);
  expect((await latestInvoice(person.uid)).lines).toContainEqual([200, 100]);
});

test('a change waits while Stripe does not accept the usage that it would bill', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await report(person, 100);
  await recordUsage(app.backend, { customerId: person.uid, meter: 'tokens', value: 1, key: 'other' });
  await pass(1);
  const { billing } = stripeOf(app);
  const meterOf = async (eventName: string) =>
    (await billing.meters.list()).data.find(({ event_name: name }) => name === eventName)?.id ?? '';
  const [calls, tokens] = [await meterOf('hearth_calls'), await meterOf('hearth_tokens')];
  await billing.meters.deactivate(calls);
  await billing.meters.deactivate(tokens);
  const refused = await changeToBusiness(person);
  expect([refused.status, await errorOf(refused)]).toMatchObject([503, { code: 'billing_unavailable' }]);
  expect((await subscriptionOf(app, person.uid)).items.data[0]?.price.lookup_key).toBe('pro_m');

  // Usage of a meter that the plan does not bill delays no change.
  await billing.meters.reactivate(calls);
  expect((await changeToBusiness(person)).status).toBe(200);
  expect((await latestInvoice(person.uid)).lines).toContainEqual([100, 500]);
});

test('a change waits during an outage of Stripe in which the usage cannot be sent', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await report(person, 100);
  await pass(1);
  const fault = { method: 'POST', path: '/v1/billing/meter_events', status: 500, times: 3 };
  await call('POST', `${app.stripe.url}/_emulator/fail`, { json: fault });
  const refused = await changeToBusiness(person);
  expect([refused.status, await errorOf(refused)]).toMatchObject([503, { code: 'billing_unavailable' }]);
  expect((await changeToBusiness(person)).status).toBe(200);
  expect((await latestInvoice(person.uid)).lines).toContainEqual([100, 500]);
});

/** Makes the subscription pay with another card, such as `pm_card_visa`. */
async function useCard(customerId: string, token: string, stripe = stripeOf(app)): Promise<void> {
  const { id, customer } = await subscriptionOf(app, customerId);
  const card = await stripe.paymentMethods.attach(token, { customer: customer as string });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
}

test('a change that a bank debit pays takes effect, and bills the usage until then', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await payByBankDebit(app, person.uid);
  await report(person, 100);
  await sendUsage(app.backend);
  await pass(1);
  const changed = await call('POST', `${app.url}/api/auth/subscription/change`, {
    headers: person.bearer,
    json: { plan: 'business' },
  });
  expect([changed.status, await changed.json()]).toMatchObject([200, { plan: 'business', payment: null }]);
  await pass(6 * DAY);
  expect((await latestInvoice(person.uid)).lines).toContainEqual([100, 500]);
});

test('a change whose payment fails is refused, and the usage until then is billed with the period', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await report(person, 100);
  await sendUsage(app.backend);
  await pass(1);
  await useCard(person.uid, 'pm_card_chargeCustomerFail');
  const refused = await changeToBusiness(person);
  expect([refused.status, await errorOf(refused)]).toMatchObject([402, { code: 'payment_failed' }]);
  expect(await subscriptionOf(app, person.uid)).toMatchObject({ status: 'active', pending_update: null });
  await useCard(person.uid, 'pm_card_visa');
  await pass(32 * DAY);
  expect(await latestInvoice(person.uid)).toEqual({
    paid: 1_700,
    lines: [
      [100, 500],
      [1, 1_200],
    ],
  });
});

test('a seat whose payment would fail waits for the next invoice, and drops no usage', async () => {
  await app[Symbol.asyncDispose]();
  app = await serveApp({
    config: { plans, extras: METERS, seatProration: 'always_invoice' },
    backend: { now: clock.now },
  });
  const { teamId, owner, outsider } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}`);
  const { latest_invoice: first } = await subscriptionOf(app, teamId);
  await useCard(teamId, 'pm_card_chargeCustomerFail');
  await addMember(teamId, outsider, 'member');
  await syncSeats(app.backend, teamId);
  const { items, ...changed } = await subscriptionOf(app, teamId);
  expect(items.data[0]?.quantity).toBe(4);
  expect(changed).toMatchObject({ status: 'active', pending_update: null, latest_invoice: first });
});
