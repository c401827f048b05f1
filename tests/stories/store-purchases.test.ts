import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buy, claimsOf, planInSession, settled, stripeOf, subscriptionOf } from '../support/billing.ts';
import { meterFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';

const DAY = 86_400_000;
const TOKEN = 'b51b0f5e3c';
const storeTokenHash = createHash('sha256').update(TOKEN).digest('hex');

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
/** Milliseconds by which the time of the app is ahead. */
let ahead = 0;
beforeAll(async () => {
  resources.use(await meterFirestore());
});
beforeEach(async () => {
  ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  app = await serveApp({ config: { storeTokenHash }, backend: { now } });
  return () => app[Symbol.asyncDispose]();
});

const send = (event: object, token = TOKEN) =>
  call('POST', `${app.url}/api/webhooks/stores`, {
    headers: { Authorization: `Bearer ${token}` },
    json: { api_version: '1.0', event },
  });

/** Sends an event, and expects that it is processed. */
async function deliver(event: object): Promise<void> {
  const response = await send(event);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
}

/** Events about one purchase of a month, each an hour after the one before. */
function purchaseOf(person: Pick<Person, 'uid'>) {
  const transaction = randomUUID();
  let at = Date.now() - 10 * 3_600_000;
  return (type: string, change: object = {}) => ({
    id: randomUUID(),
    type,
    event_timestamp_ms: (at += 3_600_000),
    environment: 'PRODUCTION',
    store: 'APP_STORE',
    app_user_id: person.uid,
    aliases: [],
    entitlement_ids: ['pro'],
    product_id: 'com.example.pro.monthly',
    transaction_id: transaction,
    original_transaction_id: transaction,
    expiration_at_ms: Date.now() + 30 * DAY,
    ...change,
  });
}

const transferOf = (from: Person, to: Person, at: number) => ({
  id: randomUUID(),
  type: 'TRANSFER',
  event_timestamp_ms: at,
  environment: 'PRODUCTION',
  store: 'APP_STORE',
  transferred_from: ['$RCAnonymousID:1', from.uid],
  transferred_to: [to.uid, '$RCAnonymousID:2'],
});

const planOf = (person: Person) => planInSession(app, person);

const grantsOf = async ({ uid }: Person) => {
  const { docs } = await adminFirestore().collection(`customers/${uid}/subscriptions`).get();
  return docs.map((document) => document.data());
};

describe('a purchase in an app store', () => {
  test('gives the plan to the session and the claims, without a customer at Stripe', async () => {
    const person = await signUp();
    await deliver(purchaseOf(person)('INITIAL_PURCHASE'));
    expect(await planOf(person)).toBe('pro');
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro', stripeRole: 'pro' });
    const customer = (await adminFirestore().doc(`customers/${person.uid}`).get()).data();
    expect(customer).toMatchObject({ type: 'user', email: person.email, plan: 'pro' });
    expect(customer).not.toHaveProperty('stripeId');
  });

  test('stays when it is cancelled, paused or not paid, and ends when it has expired', async () => {
    const person = await signUp();
    const next = purchaseOf(person);
    await deliver(next('INITIAL_PURCHASE'));
    await deliver(next('CANCELLATION', { cancel_reason: 'UNSUBSCRIBE' }));
    expect(await grantsOf(person)).toMatchObject([{ cancel_at_period_end: true }]);
    await deliver(next('UNCANCELLATION'));
    expect(await grantsOf(person)).toMatchObject([{ cancel_at_period_end: false }]);
    await deliver(next('BILLING_ISSUE'));
    await deliver(next('SUBSCRIPTION_PAUSED'));
    expect(await planOf(person)).toBe('pro');
    await deliver(next('EXPIRATION', { expiration_at_ms: Date.now() }));
    expect(await planOf(person)).toBe('free');
    expect(await claimsOf(person)).not.toHaveProperty('plan');
  });

  test('ends immediately when it is refunded', async () => {
    const person = await signUp();
    const next = purchaseOf(person);
    await deliver(next('INITIAL_PURCHASE'));
    await deliver(next('CANCELLATION', { cancel_reason: 'CUSTOMER_SUPPORT' }));
    expect(await planOf(person)).toBe('free');
  });

  test('changes its plan with the renewal after a change of product', async () => {
    const person = await signUp();
    const next = purchaseOf(person);
    await deliver(next('INITIAL_PURCHASE'));
    await deliver(next('PRODUCT_CHANGE', { new_product_id: 'com.example.business.monthly' }));
    expect(await planOf(person)).toBe('pro');
    await deliver(next('RENEWAL', { entitlement_ids: ['pro', 'business'] }));
    expect(await planOf(person)).toBe('business');
    expect(await grantsOf(person)).toHaveLength(1);
  });

  test('without an end stays forever', async () => {
    const person = await signUp();
    await deliver(purchaseOf(person)('NON_RENEWING_PURCHASE', { expiration_at_ms: null }));
    ahead = 1_000 * DAY;
    await reconcileBilling(app.backend);
    expect(await planOf(person)).toBe('pro');
  });

  test('belongs to the user of an alias if it was made before signing in', async () => {
    const person = await signUp();
    const anonymous = { app_user_id: '$RCAnonymousID:1', aliases: ['$RCAnonymousID:1', person.uid] };
    await deliver(purchaseOf(person)('INITIAL_PURCHASE', anonymous));
    expect(await planOf(person)).toBe('pro');
  });
});

describe('the reconciliation', () => {
  test('leaves a purchase, and ends it a day after its end if no event has come', async () => {
    const person = await signUp();
    await deliver(purchaseOf(person)('INITIAL_PURCHASE'));
    ahead = 30.5 * DAY;
    await reconcileBilling(app.backend);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    ahead = 31.5 * DAY;
    await reconcileBilling(app.backend);
    expect(await claimsOf(person)).not.toHaveProperty('plan');
    expect(await planOf(person)).toBe('free');
    expect(await grantsOf(person)).toMatchObject([{ grace_until: null }]);
  });

  test('ends it with the claims although the customer was deleted', async () => {
    const person = await signUp();
    await deliver(purchaseOf(person)('INITIAL_PURCHASE'));
    await adminFirestore().doc(`customers/${person.uid}`).delete();
    ahead = 40 * DAY;
    await reconcileBilling(app.backend);
    expect(await claimsOf(person)).toEqual({});
  });

  test('leaves it when a subscription of Stripe ends', async () => {
    const person = await signUp();
    await deliver(purchaseOf(person)('INITIAL_PURCHASE'));
    await buy(app, person, 'business');
    expect(await planOf(person)).toBe('business');
    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
    await settled(app);
    await reconcileBilling(app.backend);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });
});

/** All orders of a list. */
function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

describe('events in any order, each twice', () => {
  test('end with the state after the latest one', async () => {
    for (const order of ordersOf([0, 1, 2, 3])) {
      const person = await signUp();
      const next = purchaseOf(person);
      const events = ['INITIAL_PURCHASE', 'RENEWAL', 'CANCELLATION', 'EXPIRATION'].map((type) => next(type));
      for (const index of [...order, ...order]) await deliver(events[index] ?? {});
      expect([order, await planOf(person)]).toEqual([order, 'free']);
      expect(await claimsOf(person)).not.toHaveProperty('plan');
    }
  });

  test('leave a transferred purchase with the user who has it', async () => {
    for (const order of ordersOf([0, 1, 2, 3])) {
      const [first, second] = await Promise.all([signUp(), signUp()]);
      const next = purchaseOf(first);
      const bought = next('INITIAL_PURCHASE');
      const renewed = next('RENEWAL');
      const transfer = transferOf(first, second, renewed.event_timestamp_ms + 1);
      const later = next('RENEWAL', { app_user_id: second.uid });
      const events = [bought, renewed, transfer, later];
      for (const index of [...order, ...order]) await deliver(events[index] ?? {});
      expect([order, await planOf(first), await planOf(second)]).toEqual([order, 'free', 'pro']);
      expect(await claimsOf(first)).not.toHaveProperty('plan');
      expect(await claimsOf(second)).toMatchObject({ plan: 'pro' });
    }
  });

  test('follow a purchase that is transferred there, back, and there again', async () => {
    for (const order of ordersOf([0, 1, 2, 3])) {
      const [first, second] = await Promise.all([signUp(), signUp()]);
      const bought = purchaseOf(first)('INITIAL_PURCHASE');
      const at = bought.event_timestamp_ms;
      const there = [transferOf(first, second, at + 1), transferOf(first, second, at + 3)];
      const events = [bought, ...there, transferOf(second, first, at + 2)];
      for (const index of [...order, ...order]) await deliver(events[index] ?? {});
      expect([order, await planOf(first), await planOf(second)]).toEqual([order, 'free', 'pro']);
    }
  });
});

describe('a transfer', () => {
  const inPlay = { store: 'PLAY_STORE' };

  test('leaves the purchases in other stores, also when a late event comes', async () => {
    const [ada, mallory] = await Promise.all([signUp(), signUp()]);
    const next = purchaseOf(ada);
    await deliver(next('INITIAL_PURCHASE', { ...inPlay, entitlement_ids: ['business'] }));
    const late = next('RENEWAL', { ...inPlay, entitlement_ids: ['business'] });
    const cheap = { ...purchaseOf(ada)('INITIAL_PURCHASE'), event_timestamp_ms: late.event_timestamp_ms + 1 };
    await deliver(cheap);
    await deliver(transferOf(ada, mallory, cheap.event_timestamp_ms + 1));
    await deliver(late);
    expect([await planOf(ada), await planOf(mallory)]).toEqual(['business', 'pro']);
  });

  test('that names no store moves the purchases in all stores', async () => {
    const [first, second] = await Promise.all([signUp(), signUp()]);
    const bought = purchaseOf(first)('INITIAL_PURCHASE', inPlay);
    await deliver(bought);
    await deliver({ ...transferOf(first, second, bought.event_timestamp_ms + 1), store: null });
    expect([await planOf(first), await planOf(second)]).toEqual(['free', 'pro']);
  });
});

describe('an event without effect', () => {
  test.each([
    ['of nobody', { app_user_id: 'nobody' }],
    ['of an unknown type', { type: 'NEW_TYPE' }],
    ['of another entitlement', { entitlement_ids: ['stickers'] }],
    ['of a test purchase', { environment: 'SANDBOX' }],
  ])('is answered with 200: %s', async (_what, change) => {
    const person = await signUp();
    await deliver(purchaseOf(person)('INITIAL_PURCHASE', change));
    expect(await planOf(person)).toBe('free');
    expect(await grantsOf(person)).toEqual([]);
  });

  test('has an effect as a test purchase if the setting allows it', async () => {
    const person = await signUp();
    await using sandbox = await serveApp({ config: { storeTokenHash, storeSandbox: true } });
    const event = purchaseOf(person)('INITIAL_PURCHASE', { environment: 'SANDBOX' });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    await call('POST', `${sandbox.url}/api/webhooks/stores`, { headers, json: { event } });
    expect(await planOf(person)).toBe('pro');
  });
});

describe('an event is refused', () => {
  test.each(['', 'wrong', storeTokenHash])('with the token %j', async (token) => {
    const person = await signUp();
    const answer = await send(purchaseOf(person)('INITIAL_PURCHASE'), token);
    expect(await errorOf(answer)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await planOf(person)).toBe('free');
  });

  test('without the right token before its shape is checked', async () => {
    expect(await errorOf(await send({ aliases: [0] }, 'wrong'))).toMatchObject({ status: 401 });
  });

  test('while no token is set', async () => {
    await using off = await serveApp();
    const answer = await call('POST', `${off.url}/api/webhooks/stores`, {
      headers: { Authorization: 'Bearer none' },
      json: { event: purchaseOf({ uid: 'u' })('RENEWAL') },
    });
    expect(await errorOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('if it has no time', async () => {
    const answer = await send({ id: '1', type: 'RENEWAL' });
    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

test('a deleted user leaves no trace of a transfer to them', async () => {
  const [first, second] = await Promise.all([signUp(), signUp()]);
  const bought = purchaseOf(first)('INITIAL_PURCHASE');
  await deliver(bought);
  await deliver(transferOf(first, second, bought.event_timestamp_ms + 1));
  const stored = async () =>
    (await adminFirestore().doc(`customers/${first.uid}`).get()).get('storeTransfer') as unknown;
  expect(await stored()).toMatchObject({ to: second.uid });
  const deleted = await call('DELETE', `${app.url}/api/auth/user`, { headers: second.bearer });
  expect(deleted.status).toBe(204);
  expect(await stored()).toBeUndefined();
  expect(await grantsOf(second)).toEqual([]);
});
