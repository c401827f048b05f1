import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFirestoreServer, type FirestoreServer } from '@hearth/firestore-emulator';
import { expect, inject, onTestFinished, test } from 'vitest';
import { ensureStripeCustomer } from '../functions/src/billing/customers/stripe-customer.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { userSubject } from '../functions/src/billing/subject.ts';
import { recordUsage } from '../functions/src/billing/usage/report.service.ts';
import { sendUsage } from '../functions/src/billing/usage/send.service.ts';
import { parse, runCommand } from '../scripts/admin/run.ts';
import { ROOT } from '../scripts/paths.ts';
import { serveApp, type AppOptions, type AppUnderTest } from './support/app.ts';
import { buy, buyOnce, claimsOf, deliver, settled, stripeOf, subscriptionOf } from './support/billing.ts';
import { useFirestoreAt } from './support/cost.ts';
import { CREDITS, METERS } from './support/extras.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { PRO_SOLD_ONCE } from './support/plans.ts';
import { call } from './support/requests.ts';
import { createTeam } from './support/teams.ts';

const INDEXES = join(ROOT, 'firestore.indexes.json');
const EXPORT = 'firestore_export';

/** Exports a whole database into a folder, as a backup does. */
async function exportTo(folder: string, { host, port }: FirestoreServer): Promise<void> {
  const { projectId } = inject('stack');
  const response = await fetch(`http://${host}:${port}/emulator/v1/projects/${projectId}:export`, {
    method: 'POST',
    body: JSON.stringify({
      database: `projects/${projectId}/databases/(default)`,
      export_directory: folder,
      export_name: EXPORT,
    }),
  });
  expect(response.status).toBe(200);
}

/** Starts a Firestore with a backup, or an empty one, and points this process to it. */
async function startFirestore(folder?: string): Promise<FirestoreServer> {
  const metadataFile = join(folder ?? '', EXPORT, `${EXPORT}.overall_export_metadata`);
  const seed = folder === undefined ? {} : { seed: { project: inject('stack').projectId, metadataFile } };
  const server = await startFirestoreServer({ indexes: INDEXES, ...seed });
  onTestFinished(() => server.close());
  await useFirestoreAt(`${server.host}:${server.port}`);
  return server;
}

const plans = PRO_SOLD_ONCE;

async function serve(
  backend: Partial<AppUnderTest['backend']> = {},
  options: AppOptions = {},
): Promise<AppUnderTest> {
  const app = await serveApp({ config: { plans, extras: CREDITS }, backend, ...options });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

async function planOf(app: AppUnderTest, { bearer }: Person): Promise<unknown> {
  const response = await call('GET', `${app.url}/api/auth/session`, { headers: bearer });
  return ((await response.json()) as { plan: unknown }).plan;
}

/** The Firestore that this process used, and a folder for a backup, for the time of a test. */
function useBackupFolder(): string {
  const before = process.env['FIRESTORE_EMULATOR_HOST'];
  onTestFinished(() => useFirestoreAt(before));
  const folder = mkdtempSync(join(tmpdir(), 'hearth-backup-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a restored backup works, and the reconciliation adds later changes at Stripe', async () => {
  const folder = useBackupFolder();
  const server = await startFirestore();
  const app = await serve();
  const [stays, ends, comes] = await Promise.all([signUp(), signUp(), signUp()]);
  const teamId = await createTeam(app.url, stays, 'Restored');
  await buy(app, stays, 'pro');
  await buy(app, ends, 'pro');
  await exportTo(folder, server);

  // After the backup one subscription ends, and another one begins.
  await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, ends.uid)).id);
  await buy(app, comes, 'pro');
  await settled(app);

  await startFirestore();
  const { stripe } = app.backend;
  const empty = await serve({ stripe });
  expect(await planOf(empty, stays)).toBe('free');
  expect((await adminFirestore().doc(`teams/${teamId}`).get()).exists).toBe(false);

  await startFirestore(folder);
  const restored = await serve({ stripe });
  expect(await planOf(restored, stays)).toBe('pro');
  expect(await planOf(restored, ends), 'as at the time of the backup').toBe('pro');
  expect(await planOf(restored, comes), 'unknown to the backup').toBe('free');
  const team = await call('GET', `${restored.url}/api/auth/teams/${teamId}`, { headers: stays.bearer });
  expect(await team.json()).toMatchObject({ id: teamId, name: 'Restored', role: 'owner' });

  await reconcileBilling(restored.backend);
  const plans = await Promise.all([stays, ends, comes].map((person) => planOf(restored, person)));
  expect(plans).toEqual(['pro', 'free', 'pro']);
  expect(await claimsOf(ends)).not.toHaveProperty('plan');
  expect(await claimsOf(comes)).toMatchObject({ plan: 'pro' });
});

test('purchases that were paid or refunded after a backup are settled once when their events are sent again', async () => {
  const folder = useBackupFolder();
  const server = await startFirestore();
  const app = await serve();
  const [buyer, refunded] = await Promise.all([signUp(), signUp()]);
  const balanceOf = async ({ uid }: Person) =>
    (await adminFirestore().doc(`credits/${uid}`).get()).get('balance') as unknown;
  await buyOnce(app, buyer, { item: 'hundred' });
  await buyOnce(app, refunded, { item: 'hundred' });
  await exportTo(folder, server);

  // After the backup one customer buys, and the payment of another one is refunded.
  await buyOnce(app, buyer, { item: 'hundred', quantity: 3 });
  await buyOnce(app, buyer, { item: 'pro' });
  const { docs } = await adminFirestore().collection(`customers/${refunded.uid}/purchases`).get();
  await stripeOf(app).refunds.create({ payment_intent: docs[0]?.get('paymentIntentId') as string });
  await settled(app);
  const { data: events } = await stripeOf(app).events.list({
    types: ['checkout.session.completed', 'charge.refunded'],
  });
  expect(events).toHaveLength(5);

  await startFirestore(folder);
  const restored = await serve({ stripe: app.backend.stripe });
  await reconcileBilling(restored.backend);
  expect(await Promise.all([balanceOf(buyer), balanceOf(refunded)]), 'as in the backup').toEqual([100, 100]);
  expect(await planOf(restored, buyer)).toBe('free');

  for (const event of [...events, ...events]) await deliver(restored, event);
  expect(await Promise.all([balanceOf(buyer), balanceOf(refunded)])).toEqual([400, 0]);
  expect(await planOf(restored, buyer)).toBe('pro');
  const purchases = await adminFirestore().collection(`customers/${buyer.uid}/purchases`).get();
  const written = purchases.docs.map((document) => document.data());
  expect(written).toHaveLength(3);
  expect(written).toContainEqual(
    expect.objectContaining({ item: 'pro', status: 'paid', amount: 19_900, credits: null }),
  );
});

test.each<[when: string, days: number, command: string | undefined, counted: number]>([
  ['within a day', 0, undefined, 200],
  ['later, after its usage was closed', 2, 'usage close NOW --yes', 300],
])(
  'usage that was sent after the backup is not billed again by a restore %s',
  async (_when, days, command, total) => {
    const folder = useBackupFolder();
    const metered = { webhooks: false, config: { extras: METERS } };
    const server = await startFirestore();
    const app = await serve({}, metered);
    const { uid: customerId, email } = await signUp();
    const record = (key: string, { backend } = app) =>
      recordUsage(backend, { customerId, meter: 'calls', value: 100, key });
    await record('waiting');
    await sendUsage(app.backend);
    const subject = userSubject({ uid: customerId, email, emailVerified: true, displayName: undefined });
    const customer = await ensureStripeCustomer(app.backend, subject);
    await record('in no batch');
    await exportTo(folder, server);
    // Sends the new report, and then the one that waited for a Stripe customer.
    await sendUsage(app.backend);
    await sendUsage(app.backend);
    const counted = async () => {
      const now = Math.floor(Date.now() / 60_000) * 60;
      const range = { customer, start_time: now - 86_400, end_time: now + 86_400 };
      const { data } = await stripeOf(app).billing.meters.listEventSummaries('mtr_hearth_calls', range);
      return data.reduce((sum, { aggregated_value: value }) => sum + value, 0);
    };
    expect(await counted()).toBe(200);

    // After a day Stripe forgets the identifiers of the events.
    await call('POST', `${app.stripe.url}/_emulator/clock`, { json: { advance: days * 86_400 } });
    await startFirestore(folder);
    const restored = await serve({ stripe: app.backend.stripe }, metered);
    if (command !== undefined) {
      const line = command.replace('NOW', new Date().toISOString());
      await runCommand(restored.backend, { id: 'cli:test' }, parse(line.split(' ')));
      await record('after the restore', restored);
    }
    await sendUsage(restored.backend);
    await sendUsage(restored.backend);
    expect(await counted()).toBe(total);
  },
);
