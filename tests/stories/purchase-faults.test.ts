import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { beforeAll, expect, test, vi } from 'vitest';
import { handleAppStoreEvent } from '../../functions/src/billing/grants/app-store-event.service.ts';
import { appStoreEventSchema } from '../../functions/src/billing/grants/app-store-event.ts';
import type { AppUnderTest } from '../support/app.ts';
import { buy, buyOnce, deliver, stripeOf, subscriptionOf } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { PRO_SOLD_ONCE } from '../support/plans.ts';
import { call } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

/** The logger stores the console's functions when it is loaded, so they are replaced before that. */
const { errors } = vi.hoisted(() => {
  const errors: string[] = [];
  console.error = (line: string) => {
    errors.push(line);
  };
  return { errors };
});
const { serveApp } = await import('../support/app.ts');

const plans = PRO_SOLD_ONCE;

const resources = useResources();
let app: AppUnderTest;
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { plans, extras: CREDITS } }));
});

/** The errors in the log since the last call. */
function takeFaults(): Record<string, unknown>[] {
  return errors.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a subscription that Stripe does not cancel for an owned plan is named in the log', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'POST', path: '/v1/subscriptions/:id', status: 400 },
  });
  takeFaults();
  await buyOnce(app, person, { item: 'pro' });
  const { id, cancel_at_period_end } = await subscriptionOf(app, person.uid);
  expect(cancel_at_period_end).toBe(false);
  expect(takeFaults()).toMatchObject([
    {
      message: 'A subscription still runs although a one-time purchase covers its plan',
      customerId: person.uid,
      subscriptionId: id,
    },
  ]);
});

/** The event of the newest checkout. */
async function newestCheckout(): Promise<Stripe.Event> {
  const { data } = await stripeOf(app).events.list({ type: 'checkout.session.completed', limit: 1 });
  return data[0] as Stripe.Event;
}

const LOST = { message: 'A paid purchase gives nothing' };

test('a paid purchase is named in the log if its customer is gone, and not if it was refunded', async () => {
  const person = await signUp();
  const { uid } = person;
  await buyOnce(app, person, { item: 'hundred' });
  const { docs } = await adminFirestore().collection(`customers/${uid}/purchases`).get();
  const { id: purchaseId } = docs[0] as (typeof docs)[number];
  await adminFirestore().recursiveDelete(adminFirestore().doc(`customers/${uid}`));
  const event = { ...(await newestCheckout()), id: `evt_${randomUUID()}` };
  takeFaults();
  await deliver(app, event);
  expect(takeFaults()).toMatchObject([{ ...LOST, customerId: uid, purchaseId }]);
  await stripeOf(app).refunds.create({ payment_intent: docs[0]?.get('paymentIntentId') as string });
  await deliver(app, event);
  expect(takeFaults()).toEqual([]);
});

test('a paid purchase without document is named in the log if its item is no longer sold', async () => {
  await using without = await serveApp({ config: { plans }, backend: { stripe: app.backend.stripe } });
  const person = await signUp();
  await buyOnce(app, person, { item: 'hundred' });
  const purchases = adminFirestore().collection(`customers/${person.uid}/purchases`);
  await adminFirestore().recursiveDelete(purchases);
  takeFaults();
  await deliver(without, { ...(await newestCheckout()), id: `evt_${randomUUID()}` });
  expect(takeFaults()).toMatchObject([{ ...LOST, customerId: person.uid }]);
  expect((await purchases.get()).docs).toEqual([]);
});

/** An event of an app store about a purchase that gives no plan. */
async function buyInAppStore(type: string, change: object): Promise<{ uid: string; hasDocument: boolean }> {
  const { uid } = await signUp();
  const event = appStoreEventSchema.parse({
    id: randomUUID(),
    type,
    event_timestamp_ms: Date.now(),
    app_user_id: uid,
    product_id: 'monthly',
    original_transaction_id: randomUUID(),
    expiration_at_ms: Date.now() + 86_400_000,
    ...change,
  });
  takeFaults();
  await handleAppStoreEvent(app.backend, event);
  const { empty } = await adminFirestore().collection(`customers/${uid}/subscriptions`).get();
  return { uid, hasDocument: !empty };
}

test.each<[what: string, entitlements: string[] | null]>([
  ['of an unknown entitlement', ['unknown']],
  ['of the free plan', ['free']],
  ['without an entitlement', null],
])('a purchase in an app store %s is named in the log', async (_what, entitlements) => {
  const { uid, hasDocument } = await buyInAppStore('INITIAL_PURCHASE', { entitlement_ids: entitlements });
  expect(takeFaults()).toMatchObject([
    { message: 'A purchase in an app store is for no plan', severity: 'ERROR', uid, product: 'monthly' },
  ]);
  expect(hasDocument).toBe(false);
});

test.each<[what: string, type: string, change: object]>([
  ['has ended', 'EXPIRATION', { entitlement_ids: ['unknown'] }],
  ['can be credits of the app', 'NON_RENEWING_PURCHASE', { entitlement_ids: [], expiration_at_ms: null }],
])('a purchase in an app store for no plan is no fault if it %s', async (_what, type, change) => {
  expect((await buyInAppStore(type, change)).hasDocument).toBe(false);
  expect(takeFaults()).toEqual([]);
});
