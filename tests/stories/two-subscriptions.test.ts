import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { endDuplicates } from '../../functions/src/billing/subscriptions/overlap/duplicate.service.ts';
import { syncAndResolveOverlaps } from '../../functions/src/billing/subscriptions/overlap/overlap.service.ts';
import { endReplaced } from '../../functions/src/billing/subscriptions/overlap/replaced.service.ts';
import type { SyncResult } from '../../functions/src/billing/subscriptions/sync/sync-shapes.ts';
import { syncSubscription } from '../../functions/src/billing/subscriptions/sync/sync.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { checkout, deliver, subscriptionCopiesOf, stripeOf } from '../support/billing.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminAuth, adminFirestore, signUp } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { castOf } from '../support/teams.ts';
import {
  accountOf,
  BUSINESS,
  BUSINESS_KEPT,
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

/** The logger uses the functions that the console has when it is loaded, so they are watched before. */
const { lines } = vi.hoisted(() => {
  const lines: string[] = [];
  console.warn = console.error = (line: string) => {
    lines.push(line);
  };
  return { lines };
});

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

interface Entry {
  severity: string;
  message: string;
}

const log = {
  errors: () => entries().filter(({ severity }) => severity === 'ERROR'),
  messages: () => entries().map(({ message }) => message),
  clear: () => {
    lines.length = 0;
  },
};

const entries = () => lines.map((line) => JSON.parse(line) as Entry);

const reconcile = () => reconcileBilling(app.backend);

/** Expects that two passes of the reconciliation log the same error. */
async function expectOnEveryPass(error: string): Promise<void> {
  for (const pass of ['first', 'second']) {
    log.clear();
    await reconcile();
    expect(
      log.errors().map(({ message }) => message),
      pass,
    ).toContain(error);
  }
}

describe('a customer who pays on a page for a plan that sales has just sold them', () => {
  test('is charged once, also if Stripe rejects the first cancellation', async () => {
    const { person, sold } = await payBesideSales(app, PRO, 'pro');
    await failAtStripe(app, { method: 'DELETE', path: '/v1/subscriptions/:id', status: 400 });
    await reconcile().catch(() => undefined);
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, 'active: paid 1200, refunded 1200']);
    expect(await duplicatesOf(person.uid)).toHaveLength(1);
    await reconcile();
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, REFUNDED]);
    expect(await duplicatesOf(person.uid)).toBeUndefined();
  });

  test('gets the money back, and keeps the plan of sales', async () => {
    const { person, sold } = await payBesideSales(app, PRO, 'pro');
    await reconcile();
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, REFUNDED]);
    const statuses = (await subscriptionCopiesOf(person.uid)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['active', 'canceled']);
    const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
    expect([customer.get('plan'), customer.get('markedDuplicates')]).toEqual(['pro', undefined]);
    expect(log.messages()).toContainEqual(
      expect.stringMatching(/^The duplicate subscription sub_\w+ was ended/),
    );
    log.clear();
    await reconcile();
    expect(log.messages()).toEqual([]);
  });

  test('gets the money back after an error of the refund that Stripe repeats for a day', async () => {
    const { sold } = await payBesideSales(app, PRO, 'pro');
    await failAtStripe(app, { method: 'POST', path: '/v1/refunds', status: 500, when: 'during' });
    await reconcile();
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, PRO_KEPT]);
    await reconcile();
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, REFUNDED]);
  });

  test('is named in the log if Stripe rejects the refund, and events do not fail because of it', async () => {
    const { person, sold } = await payBesideSales(app, PRO, 'pro');
    await failAtStripe(app, { method: 'POST', path: '/v1/refunds', status: 400, times: 10 });
    log.clear();
    const { data } = await stripeOf(app).events.list({ type: 'customer.subscription.created' });
    for (const event of data) await deliver(app, event);
    const [paymentIntentId, subscriptionId] = [/^pi_/, /^sub_/].map(
      (id) => expect.stringMatching(id) as string,
    );
    expect(log.errors()).toMatchObject([
      {
        message: 'A duplicate payment could not be refunded',
        customerId: person.uid,
        subscriptionId,
        paymentIntentId,
      },
    ]);
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, 'canceled: paid 1200, refunded 0']);
    expect(await duplicatesOf(person.uid)).toBeUndefined();
  });

  test('keeps the better plan of sales as well', async () => {
    const { sold } = await payBesideSales(app, BUSINESS, 'pro');
    await reconcile();
    expect(await accountOf(app, sold)).toEqual([BUSINESS_KEPT, REFUNDED]);
  });

  test('keeps both if the bought plan is better, and every pass names them', async () => {
    const { person, sold } = await payBesideSales(app, PRO, 'business');
    for (const pass of ['first', 'second']) {
      log.clear();
      await reconcile();
      expect(log.errors(), pass).toContainEqual(
        expect.objectContaining({ message: 'A customer pays for two plans', customerId: person.uid }),
      );
    }
    expect(await accountOf(app, sold)).toEqual([PRO_KEPT, BUSINESS_KEPT]);
  });
});

test('a customer who is deleted during a sync is not reported to pay for two plans', async () => {
  const { person, sold } = await payBesideSales(app, PRO, 'business');
  await reconcile();
  const customer = adminFirestore().doc(`customers/${person.uid}`);
  // The first transaction syncs the subscription, the second one the other subscription.
  const { backend, runs } = withStep(app, 2, () => adminFirestore().recursiveDelete(customer));
  log.clear();
  await syncAndResolveOverlaps(backend, person.uid, sold.id);
  expect([runs(), log.errors()]).toEqual([2, []]);
});

test.each(['pro', 'business'])(
  'a subscription that has ended unheard is no second plan beside %s',
  async (bought) => {
    const person = await signUp();
    await payUnheard(locationOf(await checkout(app, person, 'pro')));
    await reconcile();
    const runningId = async () => {
      const { data } = await stripeOf(app).subscriptions.list({ customer: await stripeIdOf(person.uid) });
      return data[0]?.id ?? '';
    };
    await stripeOf(app).subscriptions.cancel(await runningId());
    await payUnheard(locationOf(await checkout(app, person, bought)));
    log.clear();
    await syncAndResolveOverlaps(app.backend, person.uid, await runningId());
    expect(log.errors()).toEqual([]);
    const copies = await subscriptionCopiesOf(person.uid);
    expect(copies.map(({ status }) => status).sort()).toEqual(['active', 'canceled']);
  },
);

test('a second subscription that sales makes is never ended, and every pass names it', async () => {
  const person = await signUp();
  await payUnheard(locationOf(await checkout(app, person, 'pro')));
  await call('POST', `${app.stripe.url}/_emulator/clock`, { json: { advance: 60 } });
  const sold = await sell(app, person.uid, PRO);
  await expectOnEveryPass('A customer pays for two plans');
  expect(await accountOf(app, sold)).toEqual([PRO_KEPT, PRO_KEPT]);
});

test('a team reads once in its audit log that a duplicate was ended, however often that is tried at the same time', async () => {
  const { teamId, owner } = await castOf(app.url);
  const page = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
  const sold = await sell(app, teamId, PRO);
  await payUnheard(page);
  const customer = await stripeIdOf(teamId);
  const { data } = await stripeOf(app).subscriptions.list({ customer });
  const ids = data.map(({ id }) => id);
  await syncAndResolveOverlaps(app.backend, teamId, sold.id);
  const tries = [...ids, ...ids].map((id) => syncAndResolveOverlaps(app.backend, teamId, id));
  await Promise.allSettled(tries);
  await reconcile();
  expect(await accountOf(app, sold)).toEqual([PRO_KEPT, REFUNDED]);
  const entries = await adminFirestore().collection('auditLog').where('teamId', '==', teamId).get();
  const ended = entries.docs.filter((entry) => entry.get('action') === 'billing.duplicate_ended');
  const duplicate = ids.find((id) => id !== sold.id);
  expect(ended.map((entry) => entry.get('details') as unknown)).toEqual([
    { subscription: duplicate, kept: sold.id },
  ]);
});

test('a decision that is stored after another call has ended the duplicate is dropped', async () => {
  const { teamId, owner } = await castOf(app.url);
  const page = locationOf(await checkout(app, owner, `pro?team=${teamId}`));
  const sold = await sell(app, teamId, PRO);
  await payUnheard(page);
  const { data } = await stripeOf(app).subscriptions.list({ customer: await stripeIdOf(teamId) });
  const bought = data.find(({ id }) => id !== sold.id)?.id ?? '';
  await syncSubscription(app.backend, teamId, sold.id);
  const synced = await syncSubscription(app.backend, teamId, bought);
  expect(synced).toBeDefined();
  // The first two transactions sync the subscriptions, the third one stores the decision.
  const { backend, runs } = withStep(app, 3, () => syncAndResolveOverlaps(app.backend, teamId, bought));
  await endDuplicates(backend, (synced as SyncResult).customer);
  expect(runs()).toBeGreaterThanOrEqual(3);
  expect(await accountOf(app, sold)).toEqual([PRO_KEPT, REFUNDED]);
  const entries = await adminFirestore().collection('auditLog').where('teamId', '==', teamId).get();
  const ended = entries.docs.filter((entry) => entry.get('action') === 'billing.duplicate_ended');
  expect(ended).toHaveLength(1);
  expect(await duplicatesOf(teamId)).toBeUndefined();
});

test.each([
  { method: 'POST', path: '/v1/refunds' },
  { method: 'DELETE', path: '/v1/subscriptions/:id' },
])(
  'an end that is interrupted at $method $path is finished, although the other subscription has ended since',
  async (interrupted) => {
    const { sold } = await payBesideSales(app, PRO, 'pro');
    // The client of Stripe repeats a call twice. Both subscriptions are synced at the same time.
    await failAtStripe(app, { ...interrupted, status: 500, when: 'after', times: 6 });
    await reconcile();
    await call('DELETE', `${app.stripe.url}/_emulator/fail`);
    await stripeOf(app).subscriptions.cancel(sold.id);
    await reconcile();
    expect(await accountOf(app, sold)).toEqual(['canceled: paid 1200, refunded 0', REFUNDED]);
  },
);

test('a subscription that was to be replaced stays if it was paid meanwhile, and later steps see it', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  const sold = await sell(app, person.uid, PRO);
  const { customer: synced } = (await syncSubscription(app.backend, person.uid, sold.id)) as SyncResult;
  const [paid] = synced.runningCopies;
  if (paid === undefined) throw new Error('The subscription is not running.');
  const outdated = { ...paid, data: { ...paid.data, status: 'unpaid' as const } };
  const newer = { id: 'sub_newer', data: { ...paid.data, metadata: { replaces: sold.id } } };
  const result = await endReplaced(app.backend, { ...synced, runningCopies: [outdated, newer] });
  expect(result.runningCopies).toEqual(synced.runningCopies);
  expect(await accountOf(app, sold)).toEqual([PRO_KEPT]);
});

test('the refund of a duplicate is not reported as that of a subscription that goes on', async () => {
  await payBesideSales(app, PRO, 'pro');
  await reconcile();
  const { data } = await stripeOf(app).events.list({ type: 'charge.refunded' });
  expect(data).toHaveLength(1);
  log.clear();
  await deliver(app, data[0] as Stripe.Event);
  expect(log.messages().filter((message) => message.includes('goes on'))).toEqual([]);
});

test('a subscription to a price of no plan is named in every pass', async () => {
  const person = await signUp();
  await checkout(app, person, 'pro');
  const product = await stripeOf(app).products.create({ name: 'Special' });
  const recurring = { interval: 'month' } as const;
  const price = await stripeOf(app).prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 900,
    recurring,
  });
  await sell(app, person.uid, price.id);
  await expectOnEveryPass('A subscription has no price of a configured plan');
});

test('a subscription whose Stripe customer names an unknown team is named in every pass', async () => {
  const { id } = await stripeOf(app).customers.create({ metadata: { teamId: 'elsewhere' } });
  await stripeOf(app).subscriptions.create({ customer: id, items: [{ price: PRO }], trial_period_days: 300 });
  await expectOnEveryPass('A subscription names a user or team that does not exist');
  expect(log.messages()).not.toContain('A subscription belongs to nobody');
});

describe('a payment link that was paid without an event', () => {
  async function payByLink(metadata: Record<string, string>, query = ''): Promise<void> {
    const line = { price: PRO, quantity: 1 };
    const link = await stripeOf(app).paymentLinks.create({ line_items: [line], metadata });
    const page = locationOf(await fetch(link.url + query, { redirect: 'manual' }));
    const body = new URLSearchParams({ email: 'payer@example.com' });
    expect((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
  }

  test('gives the plan to the account that its metadata name', async () => {
    const person = await signUp();
    await payByLink({ firebaseUID: person.uid });
    await reconcile();
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
  });

  test('is named in every pass if its metadata name nobody', async () => {
    await payByLink({ firebaseUID: 'nobody' });
    await expectOnEveryPass('A subscription belongs to nobody');
  });

  test('is named in every pass if only its URL names an account', async () => {
    const person = await signUp();
    await adminAuth().updateUser(person.uid, { emailVerified: true });
    const query = { client_reference_id: person.uid, locked_prefilled_email: person.email };
    await payByLink({}, `?${new URLSearchParams(query).toString()}`);
    await expectOnEveryPass('A subscription belongs to nobody');
    expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
  });
});
