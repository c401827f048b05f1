import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { endDuplicates } from '../../functions/src/billing/subscriptions/overlap/duplicate.service.ts';
import { syncAndResolveOverlaps } from '../../functions/src/billing/subscriptions/overlap/overlap.service.ts';
import type { SyncResult } from '../../functions/src/billing/subscriptions/sync/sync-shapes.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, deliver, stripeOf, subscriptionCopiesOf } from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminFirestore } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { castOf } from '../support/teams.ts';
import {
  accountOf,
  duplicatesOf,
  failAtStripe,
  payBesideSales,
  payUnheard,
  PRO,
  PRO_KEPT,
  REFUNDED,
  sell,
  stripeIdOf,
  withStep,
} from '../support/two-subscriptions.ts';

/** Ends of a duplicate subscription that stop before Stripe has made the refund. */

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
/** Gets no events from Stripe, so that a page can be paid before any is processed. */
let app: AppUnderTest;
beforeAll(async () => {
  firestore = await meterFirestore();
});
beforeEach(async () => {
  await adminFirestore().doc('sweeps/billing').delete();
  app = await serveApp({ webhooks: false });
  return () => app[Symbol.asyncDispose]();
});
afterAll(() => firestore[Symbol.asyncDispose]());

const reconcile = () => reconcileBilling(app.backend);

const failRefunds = () => failAtStripe(app, { method: 'POST', path: '/v1/refunds', status: 500, times: 100 });

test('a decision that another call has stored meanwhile is recorded once, and carried out', async () => {
  const { teamId, owner } = await castOf(app.url);
  const page = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
  const sold = await sell(app, teamId, PRO);
  await payUnheard(page);
  const { data } = await stripeOf(app).subscriptions.list({ customer: await stripeIdOf(teamId) });
  const bought = data.find(({ id }) => id !== sold.id)?.id ?? '';
  await syncSubscription(app.backend, teamId, sold.id);
  const synced = await syncSubscription(app.backend, teamId, bought);
  const dieBeforeRefund = async () => {
    await failRefunds();
    await syncAndResolveOverlaps(app.backend, teamId, bought).catch(() => undefined);
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    expect(await duplicatesOf(teamId)).toEqual([bought]);
  };
  const { backend } = withStep(app, 3, dieBeforeRefund);
  await endDuplicates(backend, (synced as SyncResult).customer);
  expect(await accountOf(app, sold)).toEqual([PRO_KEPT, REFUNDED]);
  const entries = await adminFirestore().collection('auditLog').where('teamId', '==', teamId).get();
  const ended = entries.docs.filter((entry) => entry.get('action') === 'billing.duplicate_ended');
  expect(ended).toHaveLength(1);
});

test('an interrupted end is finished by the reconciliation, although both subscriptions are copied', async () => {
  const { person, sold } = await payBesideSales(app, PRO, 'pro');
  await failRefunds();
  await reconcile();
  await stripeOf(app).subscriptions.cancel(sold.id);
  await reconcile();
  const statuses = (await subscriptionCopiesOf(person.uid)).map(({ status }) => status);
  expect(statuses.sort()).toEqual(['active', 'canceled']);
  await call('DELETE', `${app.stripe.url}/_emulator/fail`);
  await reconcile();
  expect(await accountOf(app, sold)).toEqual(['canceled: paid 1200, refunded 0', REFUNDED]);
});

test.each<[state: string, change: (id: string, uid: string) => Promise<unknown>]>([
  ['still runs', () => Promise.resolve()],
  ['has ended', (id) => stripeOf(app).subscriptions.cancel(id)],
  [
    'is marked in a damaged document',
    (_id, uid) => adminFirestore().doc(`customers/${uid}`).update({ type: 7 }),
  ],
])(
  'a duplicate that %s is refunded once if the account is deleted before Stripe accepts the refund',
  async (_state, change) => {
    const { person, sold } = await payBesideSales(app, PRO, 'pro');
    await failRefunds();
    await reconcile();
    const [duplicate] = (await duplicatesOf(person.uid)) as [string];
    await change(duplicate, person.uid);
    const remove = async () =>
      (await call('DELETE', `${app.url}/api/auth/user`, { headers: person.bearer })).status;
    expect(await remove()).toBe(503);
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    expect(await remove()).toBe(204);
    const { data } = await stripeOf(app).events.list({ type: 'customer.subscription.created' });
    for (const event of data) await deliver(app, event);
    expect(await accountOf(app, sold)).toEqual(['canceled: paid 1200, refunded 0', REFUNDED]);
    expect((await stripeOf(app).refunds.list()).data).toHaveLength(1);
  },
);
