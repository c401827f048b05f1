/**
 * Simulates the jobs that visit everything, against the local Firestore and the local Stripe:
 * `node bench/jobs.ts [profiles] [subscriptions] [stored]`, 100,000, 10,000 and 0 by default. Firebase Auth is replaced
 * by a function that answers after 120 ms, as from another region. `stored` adds subscriptions that are stored before
 * the last measurement, while Firebase Auth answers immediately. Prints how many items a second each job visits, and
 * the time for a million.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer } from '@hearth/firestore-emulator/bench/server-process';
import { initializeApp } from 'firebase-admin/app';
import type { Auth } from 'firebase-admin/auth';
import { getFirestore } from 'firebase-admin/firestore';
// Its pages are JSX, which Node loads by this hook.
import '@hearth/stripe-emulator/tsx';
import { sweepDeletedAccounts } from '../functions/src/account/sweep.service.ts';
import { createBackend, type Backend } from '../functions/src/backend.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { reconcileRange } from '../functions/src/billing/reconcile/round.service.ts';
import { FEATURE_HOOKS } from '../functions/src/feature-hooks/registry.ts';
import type { ReconciliationTask } from '../functions/src/task-queues.ts';
import { SAMPLE_PLANS } from '../functions/src/testing/sample-plans.ts';
import { STRIPE_SECRET_KEY, testConfig } from '../tests/support/config.ts';

const [profiles = 100_000, subscriptions = 10_000, stored = 0] = process.argv.slice(2).map(Number);
/** The latency of Firebase Auth in milliseconds. */
let authMs = 120;
/** Tasks that the queue runs at the same time, see `functions/src/index.ts`. Here they share one process. */
const TASKS_AT_ONCE = 10;
/** Subscriptions that are created at the same time. */
const AT_ONCE = 20;

const uidOf = (index: number) => `user-${String(index).padStart(9, '0')}`;

const firestoreProgram = fileURLToPath(import.meta.resolve('@hearth/firestore-emulator/main'));
const firestoreServer = await startServer(firestoreProgram, '--port', '0');
process.env['FIRESTORE_EMULATOR_HOST'] = firestoreServer.address;
process.env['GCLOUD_PROJECT'] = 'demo-bench';
process.env['METADATA_SERVER_DETECTION'] = 'none';
initializeApp();
const { startStripe } = await import('@hearth/stripe-emulator');
const stripeServer = await startStripe({ plans: SAMPLE_PLANS, apiKey: STRIPE_SECRET_KEY, webhooks: [] });

/** All users exist. The custom claims are kept in memory. */
const claims = new Map<string, object>();
const userOf = (uid: string) => ({ uid, customClaims: claims.get(uid) ?? {} });
const auth = {
  getUsers: async (identifiers: readonly { uid: string }[]) => {
    await sleep(authMs);
    return { users: identifiers.map(({ uid }) => userOf(uid)), notFound: [] };
  },
  getUser: async (uid: string) => {
    await sleep(authMs);
    return userOf(uid);
  },
  setCustomUserClaims: async (uid: string, changed: object) => {
    await sleep(authMs);
    claims.set(uid, changed);
  },
} as unknown as Auth;

/** The queue of the tasks that visit the items that one run does not reach. */
let tasks: ReconciliationTask[] = [];
const backend: Backend = {
  ...createBackend(testConfig(stripeServer.url), FEATURE_HOOKS),
  auth,
  enqueueReconciliation: (task) => {
    tasks.push(task);
    return Promise.resolve();
  },
};

/** Creates documents, 500 in a commit. */
async function fill(collection: string, count: number, data: (index: number) => object): Promise<void> {
  const firestore = getFirestore();
  for (let start = 0; start < count; start += 500) {
    const batch = firestore.batch();
    for (let index = start; index < Math.min(start + 500, count); index++) {
      batch.create(firestore.doc(`${collection}/${uidOf(index)}`), data(index));
    }
    await batch.commit();
  }
}

/** Runs a job until its stored position is at the start again. */
async function round(sweep: string, run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  do await run();
  while (await isUnderWay(sweep));
  return (performance.now() - began) / 1_000;
}

async function isUnderWay(sweep: string): Promise<boolean> {
  const position = await backend.db.sweeps.get(sweep);
  return position?.list !== undefined || typeof position?.after === 'string';
}

function report(name: string, count: number, seconds: number): void {
  const rate = count / seconds;
  console.log(
    `| ${name} | ${count} | ${seconds.toFixed(1)} | ${rate.toFixed(0)} | ${(1e6 / rate / 3_600).toFixed(1)} |`,
  );
}

const stripe = await backend.stripe();
const [price] = (await stripe.prices.list({ lookup_keys: ['hearth_pro_monthly'] })).data;

async function subscribe(index: number): Promise<void> {
  const uid = uidOf(index);
  const customer = await stripe.customers.create({ metadata: { firebaseUID: uid } });
  // A trial needs no payment method.
  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price?.id ?? '' }],
    trial_period_days: 300,
  });
  await getFirestore().doc(`customers/${uid}`).set({ email: null, stripeId: customer.id });
}

console.log('| job | items | seconds | items a second | hours for a million |');
console.log('| --- | --- | --- | --- | --- |');
await fill('users', profiles, () => ({ createdAt: new Date() }));
report('sweepAccounts', profiles, await round('accounts', () => sweepDeletedAccounts(backend)));

/** Creates subscriptions in Stripe, with the numbers from `from` to before `to`. */
async function subscribeAll(from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, to - start);
    await Promise.all(Array.from({ length: count }, (_, offset) => subscribe(start + offset)));
  }
}

await subscribeAll(0, subscriptions);
async function reconcile(): Promise<void> {
  await reconcileBilling(backend);
  while (tasks.length > 0) {
    const next = tasks.slice(0, TASKS_AT_ONCE);
    tasks = tasks.slice(TASKS_AT_ONCE);
    await Promise.all(next.map((task) => reconcileRange(backend, task)));
  }
}

report('reconcileBilling, nothing is stored yet', subscriptions, await round('billing', reconcile));
authMs = 0;
await subscribeAll(subscriptions, subscriptions + stored);
if (stored > 0) await round('billing', reconcile);
authMs = 120;
report('reconcileBilling, no difference', subscriptions + stored, await round('billing', reconcile));

await stripeServer.close();
await firestoreServer.stop();
process.exit(0);
