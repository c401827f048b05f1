import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Backend } from '../functions/src/backend.ts';
import { ensureStripeCustomer } from '../functions/src/billing/customers/stripe-customer.service.ts';
import { userSubject } from '../functions/src/billing/subject.ts';
import { recordUsage, recordUsageIn } from '../functions/src/billing/usage/report.service.ts';
import { sendUsage } from '../functions/src/billing/usage/send.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { stripeOf } from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { METERS } from './support/extras.ts';
import { adminAuth, adminFirestore, signUp, type Person } from './support/people.ts';
import { call, errorOf } from './support/requests.ts';
import { addMember, castOf } from './support/teams.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A Firestore of its own: the sender handles the usage of everybody. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
/** Milliseconds that the clock of the backend is ahead. */
let ahead = 0;
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  ahead = 0;
  app = await serveApp({
    webhooks: false,
    config: { extras: METERS },
    backend: { now: () => new Date(Date.now() + ahead) },
  });
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

interface Report {
  meter?: string;
  value?: number;
  key?: string;
  team?: string;
}

const report = ({ bearer: headers }: Person, change: Report = {}) =>
  call('POST', `${app.url}/api/usage`, {
    headers,
    json: { meter: 'calls', value: 1, key: randomUUID(), ...change },
  });

async function usageOf({ bearer: headers }: Person, query = ''): Promise<Record<string, number>> {
  const response = await call('GET', `${app.url}/api/usage${query}`, { headers });
  const { meters } = (await response.json()) as { meters: { slug: string; value: number }[] };
  return Object.fromEntries(meters.map(({ slug, value }) => [slug, value]));
}

/** Creates the Stripe customer of a person. */
async function linkToStripe({ uid, email }: Person): Promise<string> {
  return ensureStripeCustomer(
    app.backend,
    userSubject({ uid, email, emailVerified: true, displayName: undefined }),
  );
}

/** The units that Stripe has counted for a customer. */
async function countedAtStripe(customer: string, meter = 'mtr_hearth_calls'): Promise<number> {
  const now = Math.floor(Date.now() / 60_000) * 60;
  const range = { customer, start_time: now - 40 * 86_400, end_time: now + 40 * 86_400 };
  const { data } = await stripeOf(app).billing.meters.listEventSummaries(meter, range);
  return data.reduce((sum, { aggregated_value: value }) => sum + value, 0);
}

interface Batch {
  status: string;
  value: number;
}

async function batchesOf(customerId: string): Promise<Batch[]> {
  const found = await adminFirestore().collection('usageBatches').where('customerId', '==', customerId).get();
  return found.docs.map((batch) => batch.data() as Batch);
}

async function fail(order: object): Promise<void> {
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/billing/meter_events', ...order },
  });
}

async function eventsSent(): Promise<number> {
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  const { counts } = (await log.json()) as { counts: Record<string, number> };
  return counts['POST /v1/billing/meter_events'] ?? 0;
}

describe('a report', () => {
  test('counts once for a key, also in parallel', async () => {
    const person = await signUp();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => report(person, { value: 3, key })));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { isRepeated: boolean }[];
    expect(bodies.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
    expect(await usageOf(person)).toEqual({ calls: 3, tokens: 0 });
  });

  test.each([{ value: 4 }, { meter: 'tokens' }])(
    'with the key of another one is refused: %j',
    async (change) => {
      const { uid: customerId } = await signUp();
      const usage = { customerId, meter: 'calls', value: 3, key: 'job' };
      await recordUsage(app.backend, usage);
      await expect(recordUsage(app.backend, { ...usage, ...change })).rejects.toMatchObject({
        code: 'key_reused',
      });
    },
  );

  test('with the key of another customer counts', async () => {
    const people = await Promise.all([signUp(), signUp()]);
    for (const person of people) expect((await report(person, { key: 'job' })).status).toBe(200);
    for (const person of people) expect(await usageOf(person)).toMatchObject({ calls: 1 });
  });

  test('by a member counts for the team', async () => {
    const { teamId, outsider: member } = await castOf(app.url);
    expect(await errorOf(await report(member, { team: teamId }))).toMatchObject({ code: 'team_not_found' });
    await addMember(teamId, member, 'member');
    expect((await report(member, { team: teamId, value: 5 })).status).toBe(200);
    expect(await usageOf(member, `?team=${teamId}`)).toMatchObject({ calls: 5 });
    expect(await usageOf(member)).toMatchObject({ calls: 0 });
  });

  test.each<[what: string, change: object, code: string, status: number]>([
    ['to an unknown meter', { meter: 'nothing' }, 'meter_not_found', 404],
    ['to a meter of our own code', { meter: 'tokens' }, 'meter_closed_to_clients', 403],
    ['of nothing', { value: 0 }, 'invalid_request', 400],
    ['of a part of a unit', { value: 1.5 }, 'invalid_request', 400],
    ['of less than nothing', { value: -1 }, 'invalid_request', 400],
    ['of too much', { value: 1_000_000_001 }, 'invalid_request', 400],
    ['without a key', { key: '' }, 'invalid_request', 400],
    ['with another field', { at: '2026-01-01' }, 'invalid_request', 400],
    ['for an unknown team', { team: 'nobody' }, 'team_not_found', 404],
  ])('%s is refused', async (_what, change, code, status) => {
    expect(await errorOf(await report(await signUp(), change))).toMatchObject({ status, code });
  });

  test('is limited for each user', async () => {
    await using limited = await serveApp({ config: { extras: METERS, usageReportsPerMinute: 2 } });
    const { bearer: headers } = await signUp();
    const statuses: number[] = [];
    for (const key of ['a', 'b', 'c']) {
      const json = { meter: 'calls', value: 1, key };
      statuses.push((await call('POST', `${limited.url}/api/usage`, { headers, json })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('and the document that used the units are written together or not at all', async () => {
    const { uid: customerId } = await signUp();
    const work = app.backend.db.run(async (tx) => {
      await recordUsageIn(app.backend, tx, { customerId, meter: 'tokens', value: 1, key: 'job' });
      throw new Error('The work could not be stored.');
    });
    await expect(work).rejects.toThrow('could not be stored');
    const reports = await adminFirestore()
      .collection('usageReports')
      .where('customerId', '==', customerId)
      .get();
    expect(reports.size).toBe(0);
  });
});

describe('recorded usage', () => {
  test('is sent to Stripe once, as one event for many reports', async () => {
    const person = await signUp();
    const customer = await linkToStripe(person);
    for (let index = 0; index < 5; index++) await report(person, { value: 2 });
    await recordUsage(app.backend, { customerId: person.uid, meter: 'tokens', value: 7, key: 'job' });
    // A window of five minutes may end between two reports.
    await Promise.all([sendUsage(app.backend), sendUsage(app.backend)]);
    await sendUsage(app.backend);
    expect(await countedAtStripe(customer)).toBe(10);
    expect(await countedAtStripe(customer, 'mtr_hearth_tokens')).toBe(7);
    expect(await eventsSent()).toBeLessThanOrEqual(3);
    expect(await usageOf(person)).toEqual({ calls: 10, tokens: 7 });
  });

  test('is counted once if another run has collected it meanwhile, together with an earlier report', async () => {
    const person = await signUp();
    const customer = await linkToStripe(person);
    const middleOfWindow = Math.floor(Date.now() / 300_000) * 300_000 - 150_000;
    const reportAt = (at: number, value: number) =>
      recordUsage(
        { ...app.backend, now: () => new Date(at) },
        { customerId: person.uid, meter: 'calls', value, key: randomUUID() },
      );
    await reportAt(middleOfWindow, 3);
    const { db } = app.backend;
    let isFirst = true;
    const run: Backend['db']['run'] = async (body) => {
      if (isFirst) {
        isFirst = false;
        await reportAt(middleOfWindow - 1_000, 2);
        await sendUsage(app.backend);
      }
      return db.run(body);
    };
    await sendUsage({ ...app.backend, db: { ...db, run } });
    expect((await batchesOf(person.uid)).map(({ value }) => value)).toEqual([5]);
    expect(await countedAtStripe(customer)).toBe(5);
  });

  test('is counted once if the process dies after Stripe has received it', async () => {
    const person = await signUp();
    const customer = await linkToStripe(person);
    await report(person, { value: 3 });
    await sendUsage(dyingAfterStripe());
    expect(await countedAtStripe(customer)).toBe(3);
    expect(await batchesOf(person.uid)).toMatchObject([{ status: 'waiting' }]);
    ahead = 10 * 60_000;
    await sendUsage(app.backend);
    expect(await batchesOf(person.uid)).toMatchObject([{ status: 'sent', value: 3, sendAt: null }]);
    expect(await countedAtStripe(customer)).toBe(3);
  });

  test('is sent by the next run if Stripe does not answer', async () => {
    const person = await signUp();
    const customer = await linkToStripe(person);
    await report(person, { value: 3 });
    await fail({ status: 500, times: 9 });
    await sendUsage(app.backend);
    expect(await countedAtStripe(customer)).toBe(0);
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    ahead = 10 * 60_000;
    await sendUsage(app.backend);
    expect(await countedAtStripe(customer)).toBe(3);
  });

  test('is not sent again when a day has passed since an attempt without an answer', async () => {
    const person = await signUp();
    const customer = await linkToStripe(person);
    await report(person, { value: 3 });
    await sendUsage(dyingAfterStripe());
    ahead = DAY_MS;
    await sendUsage(app.backend);
    expect(await batchesOf(person.uid)).toMatchObject([{ status: 'unclear', sendAt: null }]);
    expect(await eventsSent()).toBe(1);
    expect(await countedAtStripe(customer)).toBe(3);
  });

  test('expires before Stripe would refuse it for its age', async () => {
    const person = await signUp();
    await report(person, { value: 3 });
    await sendUsage(app.backend);
    ahead = 35 * DAY_MS;
    await linkToStripe(person);
    await sendUsage(app.backend);
    expect(await batchesOf(person.uid)).toMatchObject([{ status: 'expired', sendAt: null }]);
    expect(await eventsSent()).toBe(0);
  });

  test('waits if its Stripe customer was deleted, and does not block that of others', async () => {
    const [refused, other] = await Promise.all([signUp(), signUp()]);
    const [gone, customer] = await Promise.all([linkToStripe(refused), linkToStripe(other)]);
    for (const person of [refused, other]) await report(person, { value: 3 });
    await stripeOf(app).customers.del(gone);
    await sendUsage(app.backend);
    expect(await batchesOf(refused.uid)).toMatchObject([{ status: 'waiting', triedAt: null }]);
    expect([await countedAtStripe(customer), await eventsSent()]).toEqual([3, 1]);
  });

  test('is removed with the account', async () => {
    const person = await signUp();
    await report(person);
    await sendUsage(app.backend);
    await report(person);
    const response = await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer });
    expect(response.status).toBe(204);
    await expect(adminAuth().getUser(person.uid)).rejects.toMatchObject({ code: 'auth/user-not-found' });
    for (const name of ['usageReports', 'usageBatches']) {
      const left = await adminFirestore().collection(name).where('customerId', '==', person.uid).get();
      expect(left.size, name).toBe(0);
    }
  });
});

describe('the cost', () => {
  test('is bounded for a report, and for reading the usage', async () => {
    const { teamId, owner } = await castOf(app.url);
    const { bearer: headers } = owner;
    const read = (query: string) => () => call('GET', `${app.url}/api/usage${query}`, { headers });
    await firestore.expectCost(() => report(owner), { reads: 2, writes: 2 });
    await firestore.expectCost(() => report(owner, { team: teamId }), { reads: 4, writes: 2 });
    await firestore.expectCost(read(''), { reads: 5 });
    await firestore.expectCost(read(`?team=${teamId}`), { reads: 7 });
  });

  test('is bounded for sending three reports, and for a run with nothing to do', async () => {
    const person = await signUp();
    await linkToStripe(person);
    await sendUsage(app.backend);
    await adminFirestore().recursiveDelete(adminFirestore().collection('usageBatches'));
    // At one moment, so that they are in one window.
    const at = new Date();
    const still = { ...app.backend, now: () => at };
    for (const key of ['a', 'b', 'c']) {
      await recordUsage(still, { customerId: person.uid, meter: 'calls', value: 1, key });
    }
    const run = () => sendUsage(still);
    expect(await firestore.measure(run)).toEqual({ reads: 3 + 3 + 1 + 5, writes: 3 + 3, deletes: 0 });
    expect(await firestore.measure(run)).toEqual({ reads: 2, writes: 0, deletes: 0 });
  });
});

test('without a subscription the period is the calendar month', async () => {
  const person = await signUp();
  const { bearer: headers } = person;
  await report(person, { value: 3 });
  const { period } = (await (await call('GET', `${app.url}/api/usage`, { headers })).json()) as {
    period: { start: string; end: string };
  };
  expect(period.start).toMatch(/-01T00:00:00\.000Z$/);
  expect(new Date(period.end) > new Date()).toBe(true);
  ahead = 32 * DAY_MS;
  expect(await usageOf(person)).toMatchObject({ calls: 0 });
});

/** A backend whose process dies after Stripe has received a meter event, before the batch is marked. */
function dyingAfterStripe(): Backend {
  const { backend } = app;
  let isDead = false;
  return {
    ...backend,
    stripe: async () => {
      const stripe = await backend.stripe();
      isDead = true;
      return stripe;
    },
    db: {
      ...backend.db,
      run: (body) => (isDead ? Promise.reject(new Error('The process died.')) : backend.db.run(body)),
    },
  };
}
