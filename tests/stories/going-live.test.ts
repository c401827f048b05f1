import type { Timestamp } from 'firebase-admin/firestore';
import { beforeEach, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { visitOutdatedCopies } from '../../functions/src/billing/reconcile/subscriptions.service.ts';
import { Run, type Position } from '../../functions/src/billing/reconcile/visit.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  claimsOf,
  settled,
  stripeOf,
  subscriptionCopiesOf,
  subscriptionOf,
} from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { castOf } from '../support/teams.ts';

/** A business tries Hearth with keys of test mode, and then sets the keys of live mode in the same project. */

const DAY = 86_400_000;

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let testMode: AppUnderTest;
let liveMode: AppUnderTest;
/** Milliseconds by which the time of the apps is ahead. */
let ahead = 0;
beforeEach(async () => {
  ahead = 0;
  resources.use(await meterFirestore());
  const backend = { now: () => new Date(Date.now() + ahead) };
  testMode = resources.use(await serveApp({ backend }));
  liveMode = resources.use(await serveApp({ backend }));
});

async function reconcile(): Promise<void> {
  await reconcileBilling(liveMode.backend);
  await settled(liveMode);
}

const copiesOf = (customerId: string) => adminFirestore().collection(`customers/${customerId}/subscriptions`);
const isStored = async (customerId: string, id: string) => (await copiesOf(customerId).doc(id).get()).exists;

/** Changes the only copy of a customer. */
async function changeCopy({ uid }: Person, fields: object): Promise<void> {
  const [copy] = (await copiesOf(uid).get()).docs;
  await copy?.ref.update({ ...fields });
}

/** When the period of the only copy of a customer ends, in milliseconds since 1970. */
async function endOfPeriod({ uid }: Person): Promise<number> {
  const [copy] = (await copiesOf(uid).get()).docs;
  return (copy?.get('current_period_end') as Timestamp).toMillis();
}

const LIVE = { stripeLink: 'https://dashboard.stripe.com/subscriptions/sub_1' };

test('plans that were bought in test mode end some days after their paid period', async () => {
  const person = await signUp();
  const { owner, teamId } = await castOf(testMode.url);
  await buy(testMode, person, 'pro');
  await buy(testMode, owner, `business?team=${teamId}`);
  const team = async () => (await adminFirestore().doc(`teams/${teamId}`).get()).data();

  const end = await endOfPeriod(person);
  ahead = end - Date.now() + 2 * DAY;
  await reconcile();
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  expect(await team()).toMatchObject({ plan: 'business', hasRunningSubscription: true });

  ahead = end - Date.now() + 4 * DAY;
  await reconcile();
  expect(await claimsOf(person)).toEqual({});
  expect(await team()).toMatchObject({ plan: 'free', hasRunningSubscription: false });
  for (const id of [person.uid, teamId]) expect(await subscriptionCopiesOf(id)).toEqual([]);
  expect((await stripeOf(liveMode).subscriptions.list({ status: 'all' })).data).toEqual([]);
});

test('an unknown subscription of live mode keeps its plan, and does not block the others', async () => {
  const [paying, trying] = await Promise.all([signUp(), signUp()]);
  for (const person of [paying, trying]) await buy(testMode, person, 'pro');
  await changeCopy(paying, { ...LIVE, current_period_end: new Date(Date.now() - 50 * DAY) });
  await changeCopy(trying, { current_period_end: new Date(Date.now() - 40 * DAY) });
  await reconcile();
  await reconcile();
  expect(await claimsOf(paying)).toMatchObject({ plan: 'pro' });
  expect(await subscriptionCopiesOf(paying.uid)).toHaveLength(1);
  expect(await claimsOf(trying)).toEqual({});
});

test('an outdated copy of a subscription that Stripe has is corrected, also if it is damaged', async () => {
  const [one, other] = await Promise.all([signUp(), signUp()]);
  for (const person of [one, other]) await buy(testMode, person, 'pro');
  const outdated = { current_period_end: new Date(0) };
  await changeCopy(one, outdated);
  await changeCopy(other, { ...outdated, created: 'damaged' });
  await visitAll();
  for (const person of [one, other]) {
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active' }]);
    expect(await endOfPeriod(person)).toBeGreaterThan(Date.now());
  }
});

/** Visits all outdated copies at the Stripe of test mode. */
async function visitAll(position: Position = {}, maxCalls = 1_000): Promise<Position> {
  const run = new Run(position, { maxCalls, isTimeUp: () => false });
  await visitOutdatedCopies(testMode.backend, run);
  return run.position;
}

test('granted plans and ended subscriptions are not visited', async () => {
  const { uid } = await signUp();
  const person = await signUp();
  await buy(testMode, person, 'pro');
  const [copy = {}] = await subscriptionCopiesOf(person.uid);
  await adminFirestore().doc(`customers/${uid}`).set({ type: 'user', plan: 'pro', email: null, name: null });
  const outdated = { ...copy, current_period_end: new Date(0) };
  await copiesOf(uid)
    .doc('comped')
    .set({ ...outdated, status: 'comped' });
  await copiesOf(uid)
    .doc('sub_ended')
    .set({ ...outdated, status: 'canceled' });
  await visitAll();
  for (const id of ['comped', 'sub_ended']) expect(await isStored(uid, id)).toBe(true);
});

test('a run continues behind the last visited copy, although that copy was deleted', async () => {
  const person = await signUp();
  await buy(testMode, person, 'pro');
  const [copy = {}] = await subscriptionCopiesOf(person.uid);
  const ids = ['sub_1', 'sub_2', 'sub_3'];
  for (const [index, id] of ids.entries()) {
    await copiesOf(person.uid)
      .doc(id)
      .set({ ...copy, current_period_end: new Date(index * DAY) });
  }
  await copiesOf(person.uid).doc('sub_1').update(LIVE);
  const left = async () =>
    (await copiesOf(person.uid).get()).docs.filter(({ id }) => ids.includes(id)).length;

  const position = await visitAll({}, 3);
  const visited = `1970-01-02T00:00:00.000Z customers/${person.uid}/subscriptions/sub_2`;
  expect(position).toEqual({ list: 'copiedSubscriptions', after: visited });
  expect(await left()).toBe(2);
  expect(await visitAll(position, 2)).toEqual({});
  expect(await left()).toBe(1);
});

test('all pages are visited, and a position that cannot be read counts as the start', async () => {
  const person = await signUp();
  await buy(testMode, person, 'pro');
  const [copy = {}] = await subscriptionCopiesOf(person.uid);
  const batch = adminFirestore().batch();
  const outdated = { ...copy, current_period_end: new Date(0) };
  for (let index = 0; index < 100; index++) {
    batch.set(adminFirestore().doc(`customers/gone-${index}/subscriptions/sub_gone`), outdated);
  }
  await batch.commit();
  await copiesOf(person.uid)
    .doc('sub_test')
    .set({ ...outdated, current_period_end: new Date(1) });
  expect(await visitAll({ list: 'copiedSubscriptions', after: 'unreadable' })).toEqual({});
  expect(await isStored(person.uid, 'sub_test')).toBe(false);
});

test('many copies that stay outdated delay no visit of the subscriptions, and all are visited', async () => {
  const [person, trying] = await Promise.all([signUp(), signUp()]);
  for (const each of [person, trying]) await buy(testMode, each, 'pro');
  await reconcileBilling(testMode.backend);
  const [copy = {}] = await subscriptionCopiesOf(person.uid);
  const paused = { ...copy, ...LIVE, status: 'paused', current_period_end: new Date(0) };
  const batch = adminFirestore().batch();
  for (let index = 0; index < 60; index++) {
    batch.set(adminFirestore().doc(`customers/gone-${index}/subscriptions/sub_paused`), paused);
  }
  await batch.commit();
  const last = { ...copy, status: 'paused', current_period_end: new Date(1) };
  await copiesOf(trying.uid).doc('sub_test').set(last);
  const run = () => reconcileBilling(testMode.backend, 100);

  await run();
  const { after } = (await testMode.backend.db.sweeps.get('copiedSubscriptions')) ?? {};
  expect(after).toEqual(expect.stringContaining('/sub_paused'));
  await call('POST', `${testMode.stripe.url}/_emulator/webhooks`, { json: { mode: 'drop' } });
  const { id } = await subscriptionOf(testMode, person.uid);
  await stripeOf(testMode).subscriptions.cancel(id);
  await run();
  expect((await copiesOf(person.uid).doc(id).get()).get('status')).toBe('canceled');
  expect(await isStored(trying.uid, 'sub_test')).toBe(true);
  for (let runs = 0; runs < 2; runs++) await run();
  expect(await isStored(trying.uid, 'sub_test')).toBe(false);
});
