import { randomUUID } from 'node:crypto';
import { startStripe } from '@hearth/stripe-emulator';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBackend, type Backend } from '../../functions/src/backend.ts';
import { syncSeats } from '../../functions/src/billing/subscriptions/sync/seats.service.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { FEATURE_HOOKS } from '../../functions/src/feature-hooks/registry.ts';
import type { Config } from '../../functions/src/settings/config.ts';
import { enqueueSeatSyncOrLog } from '../../functions/src/teams/enqueue-billing-syncs.ts';
import { SAMPLE_PLANS } from '../../functions/src/testing/sample-plans.ts';
import { useStack } from '../support/app.ts';
import { startCloudTasks, type CloudTasks } from '../support/cloud-tasks.ts';
import { STRIPE_SECRET_KEY, testConfig } from '../support/config.ts';
import { adminFirestore } from '../support/people.ts';

/** Changes of seats, with the Admin SDK's task queue, a Cloud Tasks that waits, and a Stripe that has its limits. */

const HOUR = 3_600_000;
const START = Date.parse('2026-01-31T12:00:00Z');

/** The time of the service, of Cloud Tasks and of Stripe. */
let time: number;
const now = () => new Date(time);

let stripeServer: Awaited<ReturnType<typeof startStripe>>;
let stripe: Stripe;
let tasks: CloudTasks;
/** The service whose function `syncSeats` is called. */
let backend: Backend;

beforeEach(() => {
  time = START;
});
beforeAll(async () => {
  time = START;
  useStack();
  stripeServer = await startStripe({
    plans: SAMPLE_PLANS,
    account: 'hearth',
    apiKey: STRIPE_SECRET_KEY,
    limits: true,
    now,
  });
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: '127.0.0.1', port: stripeServer.port, protocol: 'http' });
  tasks = await startCloudTasks(({ teamId }) => syncSeats(backend, teamId), now);
  process.env['CLOUD_TASKS_EMULATOR_HOST'] = tasks.host;
});
afterAll(async () => {
  await tasks[Symbol.asyncDispose]();
  await stripeServer.close();
});

function serve(config: Partial<Config>): void {
  backend = createBackend(testConfig(stripeServer.url, config), FEATURE_HOOKS, now);
}

/** A team of one member with a plan that is billed for each member. @returns its id, and the quantity at Stripe */
async function subscribedTeam() {
  const teamId = `team-${randomUUID()}`;
  const customer = await stripe.customers.create({ metadata: { teamId }, payment_method: 'pm_card_visa' });
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data;
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_hearth_business_month', quantity: 1 }],
    default_payment_method: method?.id ?? '',
  });
  const at = now();
  const firestore = adminFirestore();
  await firestore.doc(`teams/${teamId}`).set({
    ...{ name: 'Acme', slug: teamId, ownerId: 'owner', seatLimit: 10_000, plan: 'free', createdAt: at },
  });
  await firestore.doc(`customers/${teamId}`).set({
    ...{
      type: 'team',
      email: null,
      name: null,
      stripeId: customer.id,
      creationKey: 'key',
      creationKeyAt: at,
    },
  });
  await addMember(teamId, 'owner', 'owner');
  await syncSubscription(backend, teamId, subscription.id);
  const quantity = async () =>
    (await stripe.subscriptions.retrieve(subscription.id)).items.data[0]?.quantity ?? 0;
  return { teamId, quantity };
}

async function addMember(teamId: string, uid: string, role = 'member'): Promise<void> {
  await adminFirestore()
    .doc(`teams/${teamId}/members/${uid}`)
    .create({ uid, role, email: null, displayName: null, joinedAt: now() });
}

/** Adds a member and queues the sync, as the acceptance of an invitation does. */
async function join(teamId: string, index: number): Promise<void> {
  await addMember(teamId, `member-${index}`);
  await enqueueSeatSyncOrLog(backend, teamId, { billingDependsOnMembers: true });
}

/** Four members join at a time, evenly within a period. Due tasks run meanwhile. */
async function joinEvenly(teamId: string, count: number, withinMs: number): Promise<void> {
  const began = time;
  for (let joined = 0; joined < count; joined += 4) {
    time = began + (withinMs * joined) / count;
    await tasks.runDue(now());
    await Promise.all(Array.from({ length: 4 }, (_, offset) => join(teamId, joined + offset)));
  }
}

/** Lets the time pass until no task waits. @returns how long that took, in milliseconds */
async function finish(): Promise<number> {
  const began = time;
  for (let next = tasks.next(); next !== undefined; next = tasks.next()) {
    time = Math.max(time, next.getTime());
    await tasks.runDue(now());
  }
  return time - began;
}

/** The changes of subscriptions that Stripe has made and refused since the last call. */
async function changesAtStripe() {
  const log = `${stripeServer.url}/_emulator/requests`;
  const { recent } = (await (await fetch(log)).json()) as {
    recent: { method: string; route: string; status: number }[];
  };
  await fetch(log, { method: 'DELETE' });
  const changes = recent.filter(
    ({ method, route }) => method === 'POST' && route === '/v1/subscriptions/:id',
  );
  const refused = changes.filter(({ status }) => status === 429).length;
  return { made: changes.length - refused, refused };
}

describe('a thousand members who join', () => {
  test.each([
    ['in a minute', 'create_prorations', 60_000, 2],
    ['in an hour, when a change is billed later', 'create_prorations', HOUR, 61],
    ['in an hour, when each change makes an invoice', 'always_invoice', HOUR, 2],
  ] as const)('%s are billed with few changes', async (_, seatProration, withinMs, most) => {
    serve({ seatProration });
    const { teamId, quantity } = await subscribedTeam();
    await changesAtStripe();
    await joinEvenly(teamId, 1_000, withinMs);
    await finish();
    const { made, refused } = await changesAtStripe();
    expect(refused).toBe(0);
    expect(made).toBeLessThanOrEqual(most);
    expect(await quantity()).toBe(1_001);
  });
});

test("a change that Stripe's limits refuse is made later", async () => {
  serve({ seatProration: 'always_invoice', seatInvoiceWindowSeconds: 60 });
  const { teamId, quantity } = await subscribedTeam();
  await changesAtStripe();
  await joinEvenly(teamId, 300, HOUR / 2);
  const { refused } = await changesAtStripe();
  expect(refused).toBeGreaterThan(0);
  const took = await finish();
  expect(took).toBeGreaterThan(20 * HOUR);
  expect(took).toBeLessThan(25 * HOUR);
  expect(await quantity()).toBe(301);
});

test('a member who joins in the last moment of a window is billed by its task, even if Cloud Tasks hears of them later', async () => {
  serve({});
  const { teamId, quantity } = await subscribedTeam();
  await join(teamId, 0);
  time = START + 59_999;
  await addMember(teamId, 'last');
  await finish();
  expect(await quantity()).toBe(3);
  // The request was slow: its window is over, and Cloud Tasks refuses the id of a task that it has run.
  time = START + 59_999;
  await enqueueSeatSyncOrLog(backend, teamId, { billingDependsOnMembers: true });
  expect(tasks.next()).toBeUndefined();
});

test('members who join in different windows are billed by a task each', async () => {
  serve({});
  const { teamId, quantity } = await subscribedTeam();
  await join(teamId, 0);
  await finish();
  expect(await quantity()).toBe(2);
  await join(teamId, 1);
  await finish();
  expect(await quantity()).toBe(3);
});
