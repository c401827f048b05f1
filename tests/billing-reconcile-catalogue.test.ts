import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { syncProduct } from '../functions/src/billing/catalogue/catalogue.service.ts';
import { reconcileBilling } from '../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { settled, stripeOf } from './support/billing.ts';
import { meterFirestore, type MeteredFirestore } from './support/cost.ts';
import { adminFirestore } from './support/people.ts';
import { call } from './support/requests.ts';

/** A Firestore of its own, because the reconciliation stores its position in it. */
let firestore: MeteredFirestore;
/** Gets no events from Stripe: every webhook is lost. */
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

const reconcile = async () => {
  await reconcileBilling(app.backend);
  await settled(app);
};

test('products and prices are copied as Stripe has them', async () => {
  await reconcile();
  const { docs } = await adminFirestore().collection('products').get();
  expect(docs.map((document) => document.get('name') as string).sort()).toEqual(['Business', 'Free', 'Pro']);
  const price = await adminFirestore().doc('products/prod_hearth_pro/prices/price_hearth_pro_month').get();
  expect(price.data()).toMatchObject({
    active: true,
    currency: 'usd',
    interval: 'month',
    interval_count: 1,
    lookup_key: 'hearth_pro_monthly',
    metadata: { slug: 'pro' },
    stripe_metadata_slug: 'pro',
    type: 'recurring',
    unit_amount: 1200,
  });
  await stripeOf(app).products.update('prod_hearth_pro', { name: 'Professional' });
  await reconcile();
  const product = await adminFirestore().doc('products/prod_hearth_pro').get();
  expect(product.get('name')).toBe('Professional');
});

test('a product that was deleted without an event is no longer offered', async () => {
  const { id } = await stripeOf(app).products.create({ name: 'Short-lived' });
  await reconcile();
  const document = adminFirestore().doc(`products/${id}`);
  expect((await document.get()).exists).toBe(true);
  await stripeOf(app).products.del(id);
  await reconcile();
  expect((await document.get()).exists).toBe(false);
  expect((await adminFirestore().doc('products/prod_hearth_pro').get()).exists).toBe(true);
});

describe('a price that was deleted without an event', () => {
  const pro = () => adminFirestore().doc('products/prod_hearth_pro');
  const isThere = async (path: string) => (await adminFirestore().doc(path).get()).exists;
  /** Stores a price that Stripe deleted: it has another amount, and the lookup key of a current price. */
  const storeDeleted = async (path: string) => {
    const known = (await pro().collection('prices').doc('price_hearth_pro_month').get()).data();
    await adminFirestore()
      .doc(path)
      .set({ ...known, unit_amount: 1 });
  };

  test.each(['price_0', 'price_zzz'])('is no longer offered, wherever it is in the list: %s', async (id) => {
    await reconcile();
    const paths = [`products/prod_hearth_pro/prices/${id}`, `products/prod_gone/prices/${id}x`];
    for (const path of paths) await storeDeleted(path);
    await reconcile();
    expect(await Promise.all(paths.map(isThere))).toEqual([false, false]);
    expect((await pro().collection('prices').get()).size).toBe(2);
    const { plans } = (await (await call('GET', `${app.url}/api/auth/plans`)).json()) as {
      plans: object[];
    };
    expect(plans[1]).toMatchObject({ prices: { month: { unitAmount: 1200 } } });
  });

  test('stays while the run has not seen all prices of Stripe', async () => {
    await reconcile();
    const path = 'products/prod_hearth_pro/prices/price_zzz';
    await storeDeleted(path);
    const [first] = (await stripeOf(app).prices.list({ limit: 1 })).data;
    await adminFirestore().doc('sweeps/billing').set({ list: 'prices', after: first?.id });
    await reconcile();
    expect(await isThere(path)).toBe(true);
    await reconcile();
    expect(await isThere(path)).toBe(false);
  });

  test('is deleted with its product', async () => {
    const { id } = await stripeOf(app).products.create({ name: 'Short-lived' });
    await reconcile();
    const path = `products/${id}/prices/price_below`;
    await storeDeleted(path);
    await stripeOf(app).products.del(id);
    await syncProduct(app.backend, id);
    expect([await isThere(`products/${id}`), await isThere(path)]).toEqual([false, false]);
  });
});

describe('GET /api/auth/plans', () => {
  const forgetPrices = async () => {
    const { docs } = await adminFirestore().collectionGroup('prices').get();
    await Promise.all(docs.map(({ ref }) => ref.delete()));
  };

  const plans = async (url = app.url) => {
    const response = await call('GET', `${url}/api/auth/plans`);
    return { response, ...((await response.json()) as { plans: object[] }) };
  };

  test("answers the plans with Stripe's prices, and with the configured prices before the first sync", async () => {
    await stripeOf(app).prices.create({
      product: 'prod_hearth_pro',
      currency: 'eur',
      unit_amount: 9900,
      recurring: { interval: 'year' },
      lookup_key: 'hearth_pro_yearly',
      transfer_lookup_key: true,
    });
    await forgetPrices();
    const configured = { month: { unitAmount: 1200, currency: 'usd' } };
    const before = await plans();
    expect(before.plans).toMatchObject([
      { slug: 'free', prices: null, perSeat: false },
      { slug: 'pro', prices: { ...configured, year: { unitAmount: 12_000, currency: 'usd' } } },
      { slug: 'business', perSeat: true, limits: { seats: 100 } },
    ]);
    expect(before.response.headers.get('cache-control')).toBe('public, max-age=300');

    await reconcile();
    const other = await serveApp();
    const after = await plans(other.url);
    expect(after.plans[1]).toMatchObject({
      slug: 'pro',
      prices: { ...configured, year: { unitAmount: 9_900, currency: 'eur' } },
    });
    await other[Symbol.asyncDispose]();
  });

  test('reads the prices and their products once in five minutes', async () => {
    let now = Date.now();
    await using other = await serveApp({ backend: { now: () => new Date(now) } });
    await forgetPrices();
    await reconcile();
    const ask = () => call('GET', `${other.url}/api/auth/plans`);
    await firestore.expectCost(ask, { reads: 6 });
    await firestore.expectCost(ask, {});
    now += 300_001;
    await firestore.expectCost(ask, { reads: 6 });
  });
});
