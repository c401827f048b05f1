import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureStripeCustomer } from '../functions/src/billing/customers/stripe-customer.service.ts';
import { userSubject } from '../functions/src/billing/subject.ts';
import { recordUsage } from '../functions/src/billing/usage/report.service.ts';
import { sendUsage } from '../functions/src/billing/usage/send.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { stripeOf } from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { METERS } from './support/extras.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';

/** Usage of users and teams without a Stripe customer. */

const DAY_MS = 86_400_000;

/** A Firestore of its own: the sender handles the usage of everybody. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
/** The time of the backend. */
let time: Date;
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  time = new Date();
  await adminFirestore().recursiveDelete(adminFirestore().collection('usageBatches'));
  app = await serveApp({ webhooks: false, config: { extras: METERS }, backend: { now: () => time } });
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

const pass = (days: number) => {
  time = new Date(time.getTime() + days * DAY_MS);
};

/** Records a report and puts it into a batch. */
async function recordAndSend({ uid: customerId }: Person, key: string): Promise<void> {
  await recordUsage(app.backend, { customerId, meter: 'calls', value: 3, key });
  await sendUsage(app.backend);
}

async function linkToStripe({ uid, email }: Person): Promise<string> {
  return ensureStripeCustomer(
    app.backend,
    userSubject({ uid, email, emailVerified: true, displayName: undefined }),
  );
}

async function statusesOf({ uid }: Person): Promise<unknown[]> {
  const found = await adminFirestore().collection('usageBatches').where('customerId', '==', uid).get();
  return found.docs.map((batch): unknown => batch.get('status')).sort();
}

async function countedAtStripe(customer: string): Promise<number> {
  const now = Math.floor(time.getTime() / 60_000) * 60;
  const range = { customer, start_time: now - 80 * 86_400, end_time: now + 86_400 };
  const { data } = await stripeOf(app).billing.meters.listEventSummaries('mtr_hearth_calls', range);
  return data.reduce((sum, { aggregated_value: value }) => sum + value, 0);
}

test('usage waits until its customer has a Stripe customer', async () => {
  const person = await signUp();
  await recordAndSend(person, 'job');
  expect(await statusesOf(person)).toEqual(['waiting']);
  const customer = await linkToStripe(person);
  pass(1);
  await sendUsage(app.backend);
  expect(await statusesOf(person)).toEqual(['sent']);
  expect(await countedAtStripe(customer)).toBe(3);
});

test('the older usage waits, the fewer times it is looked at', async () => {
  const person = await signUp();
  await recordAndSend(person, 'job');
  const writes: number[] = [];
  for (let day = 0; day < 33; day += 1) {
    pass(1);
    const cost = await firestore.measure(() => sendUsage(app.backend));
    if (cost.writes > 0) writes.push(day + 1);
  }
  expect(writes).toEqual([1, 2, 4, 8, 16, 32]);
});

test('usage that has waited for long is sent soon after the first batch is sent', async () => {
  const person = await signUp();
  // So that the clock of the local Stripe need not move.
  pass(-9);
  await recordAndSend(person, 'old');
  // The batch is looked at after 8 days, and then after 8 more.
  for (let day = 0; day < 9; day += 1) {
    pass(1);
    await sendUsage(app.backend);
  }
  const customer = await linkToStripe(person);
  await sendUsage(app.backend);
  expect(await statusesOf(person)).toEqual(['waiting']);
  await recordAndSend(person, 'new');
  await sendUsage(app.backend);
  expect(await statusesOf(person)).toEqual(['sent', 'sent']);
  expect(await countedAtStripe(customer)).toBe(6);
});

test('a thousand batches without a Stripe customer do not delay the usage of a payer', async () => {
  const due = new Date(time.getTime() - 60_000);
  const writer = adminFirestore().bulkWriter();
  for (let index = 0; index < 1_000; index += 1) {
    void writer.create(adminFirestore().doc(`usageBatches/free-${index}`), {
      customerId: `free-${index % 100}`,
      meter: 'calls',
      value: 1,
      at: due,
      status: 'waiting',
      sendAt: due,
      triedAt: null,
      deleteAt: new Date(due.getTime() + 400 * DAY_MS),
    });
  }
  await writer.close();
  const payer = await signUp();
  await linkToStripe(payer);
  await recordAndSend(payer, 'job');
  expect(await statusesOf(payer)).toEqual(['sent']);
});
