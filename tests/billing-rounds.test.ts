import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Backend } from '../functions/src/backend.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { reconcileRange, startRound } from '../functions/src/billing/reconcile/round.service.ts';
import type { ReconciliationTask } from '../functions/src/task-queues.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { stripeOf } from './support/billing.ts';
import { meterFirestore } from './support/cost.ts';
import { watchNetwork, type Network } from './support/network.ts';
import { adminFirestore } from './support/people.ts';
import { call } from './support/requests.ts';
import { useResources } from './support/resources.ts';
import { taskQueue, type TaskQueue } from './support/task-queue.ts';

/** The reconciliation of more subscriptions than one run visits. */

const COUNT = 230;
const A_DAY = 50;

/** Number of calls to Stripe that each task may make: enough to visit one page. */
const TASK_CALLS = 1;

let network: Network;
let app: AppUnderTest;
let backend: Backend;
let queue: TaskQueue<ReconciliationTask>;
const resources = useResources();
beforeAll(async () => {
  resources.use(await meterFirestore());
  network = resources.use(await watchNetwork());
  app = resources.use(await serveApp({ webhooks: false }));
  for (let index = 0; index < COUNT; index += 1) {
    if (index % A_DAY === 0)
      await call('POST', `${app.stripe.url}/_emulator/clock`, { json: { advance: 86_400 } });
    await subscribe(index);
  }
  const writer = adminFirestore().bulkWriter();
  const fields = { type: 'team', email: null, name: null, creationKey: 'key', creationKeyAt: new Date() };
  for (const [teamId, stripeId] of customers)
    void writer.set(adminFirestore().doc(`customers/${teamId}`), { ...fields, stripeId });
  await writer.close();
});
beforeEach(async () => {
  await Promise.all(['billing', 'subscriptions'].map((id) => adminFirestore().doc(`sweeps/${id}`).delete()));
  queue = taskQueue((task) => reconcileRange(backend, task, TASK_CALLS));
  backend = { ...app.backend, enqueueReconciliation: queue.enqueue };
});

/** The Stripe customers of the teams. */
const customers = new Map<string, string>();

async function subscribe(index: number): Promise<void> {
  const stripe = stripeOf(app);
  const teamId = `team-${index}`;
  const { id } = await stripe.customers.create({ metadata: { teamId } });
  customers.set(teamId, id);
  // A trial needs no payment method.
  const items = [{ price: 'price_hearth_pro_month' }];
  await stripe.subscriptions.create({ customer: id, items, trial_period_days: 300 });
}

const round = async () => (await adminFirestore().doc('sweeps/subscriptions').get()).data();

async function countCopies(): Promise<number> {
  return (await adminFirestore().collectionGroup('subscriptions').count().get()).data().count;
}

/** Runs the reconciliation from the subscriptions on, with the given number of calls to Stripe. */
async function reconcile(maxCalls: number): Promise<void> {
  await adminFirestore().doc('sweeps/billing').set({ list: 'subscriptions' });
  await reconcileBilling(backend, maxCalls);
  await queue.idle();
}

test('the subscriptions that a run cannot visit are visited by tasks that multiply', async () => {
  await reconcile(1);
  expect(await countCopies()).toBe(COUNT);
  expect(queue.enqueued.length).toBeGreaterThan(2);
  expect(new Set(queue.enqueued.map((task) => JSON.stringify(task))).size).toBe(queue.enqueued.length);
  expect(await round()).toMatchObject({ unvisited: [] });
});

test('no round begins while one is under way, unless it is lost', async () => {
  const underWay = { round: 'before', unvisited: [{ from: 0, to: 1 }], progressAt: new Date() };
  await adminFirestore().doc('sweeps/subscriptions').set(underWay);
  await reconcile(0);
  expect(queue.enqueued).toEqual([]);
  await adminFirestore()
    .doc('sweeps/subscriptions')
    .set({ ...underWay, progressAt: new Date(Date.now() - 7 * 3_600_000) });
  await reconcile(0);
  expect(queue.enqueued.length).toBeGreaterThan(1);
  expect(await round()).toMatchObject({ unvisited: [] });
});

/** A round over these subscriptions, and the tasks that it has enqueued. */
async function startAt(time: Date): Promise<ReconciliationTask[]> {
  const tasks: ReconciliationTask[] = [];
  const enqueueReconciliation = (task: ReconciliationTask) => Promise.resolve(void tasks.push(task));
  const rest = { from: 1, to: 1_000_000, after: 'sub_last' };
  await startRound({ ...backend, enqueueReconciliation, now: () => time }, rest);
  return tasks;
}

test('a round is enqueued although the answer to its commit was lost', async () => {
  let commits = 0;
  network.losesAnswer = (method) => method === 'Commit' && ++commits === 1;
  const tasks = await startAt(new Date());
  network.losesAnswer = () => false;
  expect(commits).toBeGreaterThan(0);
  expect(tasks).toHaveLength(2);
});

test('a round that no task has visited is enqueued again after an hour, with the same tasks', async () => {
  const start = Date.now();
  const tasks = await startAt(new Date(start));
  expect(tasks).toHaveLength(2);
  expect(await startAt(new Date(start + 3_540_000))).toEqual([]);
  expect(await startAt(new Date(start + 3_660_000))).toEqual(tasks);
  // A task has made progress.
  const progressAt = new Date(start + 60_000);
  await adminFirestore().doc('sweeps/subscriptions').update({ progressAt });
  expect(await startAt(new Date(start + 7_200_000))).toEqual([]);
});

test('a task that is repeated enqueues the same tasks again, whose ids Cloud Tasks refuses', async () => {
  const children: string[][] = [];
  for (let run = 0; run < 2; run += 1) {
    const enqueued: string[] = [];
    const enqueueReconciliation = (task: ReconciliationTask) => {
      enqueued.push(JSON.stringify(task));
      return Promise.resolve();
    };
    const task = { round: 'a', from: 0, to: Math.floor(Date.now() / 1_000) + 30 * 86_400 };
    await reconcileRange({ ...backend, enqueueReconciliation }, task, TASK_CALLS);
    children.push(enqueued);
  }
  expect(children[0]).toHaveLength(2);
  expect(children[1]).toEqual(children[0]);
});

test('a task that Cloud Tasks runs twice leaves the round as it was', async () => {
  const twice = async (task: ReconciliationTask) => {
    for (let run = 0; run < 2; run += 1) await reconcileRange(backend, task, TASK_CALLS);
  };
  queue = taskQueue(twice);
  backend = { ...app.backend, enqueueReconciliation: queue.enqueue };
  await reconcile(1);
  expect(await round()).toMatchObject({ unvisited: [] });
});
