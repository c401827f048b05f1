import {
  createCheckoutSession,
  getCurrentUserPayments,
  getCurrentUserSubscription,
  getCurrentUserSubscriptions,
  getProducts,
  onCurrentUserSubscriptionUpdate,
  type SubscriptionSnapshot,
} from '@invertase/firestore-stripe-payments';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { syncPrice, syncProduct } from '../../functions/src/billing/catalogue/catalogue.service.ts';
import { createCheckoutHandler } from '../../functions/src/billing/extension/checkout-sessions.service.ts';
import { idOf } from '../../functions/src/billing/stripe/stripe-ids.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { subscriptionCopiesOf, pay, returnLinkOf, stripeOf, subscriptionOf } from '../support/billing.ts';
import { APP_URL } from '../support/config.ts';
import { CREDITS } from '../support/extras.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
import { plansWith, priceOf as priceInPlan } from '../support/plans.ts';
import { visit } from '../support/requests.ts';
import { answerCheckouts, extensionClientOf } from '../support/stripe-extension.ts';

/** An app that was written for the Stripe extension: it only uses the extension's web SDK. */
let app: AppUnderTest;
let prices: Record<string, string>;
beforeAll(async () => {
  app = await serveApp();
  const { data } = await stripeOf(app).prices.list({ limit: 100 });
  prices = Object.fromEntries(data.map(({ id, lookup_key: key }) => [key ?? '', id]));
  // The plans existed before the webhook.
  for (const price of data) {
    await syncProduct(app.backend, idOf(price.product));
    await syncPrice(app.backend, price);
  }
});
afterAll(() => app[Symbol.asyncDispose]());

const priceOf = (key: string) => prices[key] ?? `There is no price ${key}.`;

const URLS = { success_url: `${APP_URL}/paid`, cancel_url: `${APP_URL}/prices` };

/** Creates a checkout session as the SDK does, waits for its answer, and returns the document. */
async function request(person: Person, fields: object): Promise<Record<string, unknown>> {
  const session = adminFirestore().collection(`customers/${person.uid}/checkout_sessions`).doc();
  await session.create({ mode: 'subscription', ...URLS, ...fields });
  await createCheckoutHandler(app.backend)(person.uid, session.id);
  return (await session.get()).data() ?? {};
}

describe('the web SDK of the Stripe extension', () => {
  test('lists the products with their prices', async () => {
    const payments = await extensionClientOf(await signUp());
    const products = await getProducts(payments, { activeOnly: true, includePrices: true });
    const found = products.flatMap((product) => product.prices.map(({ id }) => id));
    expect(found).toEqual(
      expect.arrayContaining([priceOf('hearth_pro_monthly'), priceOf('hearth_business_yearly')]),
    );
  });

  test('buys a plan, and reads its subscription', async () => {
    const person = await signUp();
    answerCheckouts(app, person);
    const payments = await extensionClientOf(person);
    const updates: SubscriptionSnapshot[] = [];
    const { promise: bought, resolve } = Promise.withResolvers<SubscriptionSnapshot>();
    const unsubscribe = onCurrentUserSubscriptionUpdate(payments, (snapshot) => {
      updates.push(snapshot);
      if (!snapshot.empty) resolve(snapshot);
    });

    const session = await createCheckoutSession(payments, { price: priceOf('hearth_pro_monthly'), ...URLS });
    expect(session).toMatchObject({ mode: 'subscription', price: priceOf('hearth_pro_monthly'), ...URLS });
    const paid = await pay(app, new URL(session.url));
    expect(paid.headers.get('location')).toBe(URLS.success_url);

    const { id } = await subscriptionOf(app, person.uid);
    const expected = {
      id,
      status: 'active',
      price: priceOf('hearth_pro_monthly'),
      role: 'pro',
      uid: person.uid,
    };
    expect(await getCurrentUserSubscriptions(payments)).toMatchObject([expected]);
    expect(await getCurrentUserSubscriptions(payments, { status: 'canceled' })).toEqual([]);
    const subscription = await getCurrentUserSubscription(payments, id);
    expect(subscription).toMatchObject({
      ...expected,
      product: 'prod_hearth_pro',
      prices: [{ product: 'prod_hearth_pro', price: priceOf('hearth_pro_monthly') }],
      cancel_at_period_end: false,
      ended_at: null,
    });
    expect((await bought).subscriptions).toMatchObject([{ id }]);
    unsubscribe();
  });
});

describe('a one-time payment by the web SDK', () => {
  const plans = plansWith({
    pro: {
      prices: {
        month: priceInPlan('hearth_pro_monthly', 1_200),
        once: priceInPlan('hearth_pro_once', 19_900),
      },
    },
  });

  /** An app that also sells a plan forever and credits. */
  async function serveShop() {
    const shop = await serveApp({ config: { plans, extras: CREDITS } });
    onTestFinished(() => shop[Symbol.asyncDispose]());
    const { data } = await stripeOf(shop).prices.list({ limit: 100 });
    for (const price of data) {
      await syncProduct(shop.backend, idOf(price.product));
      await syncPrice(shop.backend, price);
    }
    const idOfKey = (key: string) => data.find((price) => price.lookup_key === key)?.id ?? '';
    return { shop, idOfKey };
  }

  test('buys credits with a promotion code', async () => {
    const { shop, idOfKey } = await serveShop();
    const person = await signUp();
    answerCheckouts(shop, person);
    const coupon = await stripeOf(shop).coupons.create({ percent_off: 50, duration: 'once' });
    const code = await stripeOf(shop).promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
    });
    const session = await createCheckoutSession(await extensionClientOf(person), {
      mode: 'payment',
      line_items: [{ price: idOfKey('hearth_hundred'), quantity: 2 }],
      promotion_code: code.id,
      ...URLS,
    });
    expect(session.mode).toBe('payment');
    await pay(shop, new URL(session.url));
    const credits = await adminFirestore().doc(`credits/${person.uid}`).get();
    expect(credits.get('balance')).toBe(200);
    const { docs } = await adminFirestore().collection(`customers/${person.uid}/purchases`).get();
    expect(docs.map((document) => document.get('amount') as number)).toEqual([900]);
  });

  test('buys a plan forever', async () => {
    const { shop, idOfKey } = await serveShop();
    const person = await signUp();
    answerCheckouts(shop, person);
    const payments = await extensionClientOf(person);
    const once = { mode: 'payment', price: idOfKey('hearth_pro_once'), ...URLS } as const;
    const session = await createCheckoutSession(payments, once);
    await pay(shop, new URL(session.url));
    expect((await adminFirestore().doc(`customers/${person.uid}`).get()).get('plan')).toBe('pro');
    expect(await getCurrentUserPayments(payments)).toMatchObject([{ amount: 19_900, status: 'succeeded' }]);
  });
});

describe('a checkout session of a client', () => {
  test('is continued by the next one for the same purchase, and replaced by one that returns elsewhere', async () => {
    const person = await signUp();
    const first = await request(person, { price: priceOf('hearth_pro_monthly') });
    const second = await request(person, {
      line_items: [{ price: priceOf('hearth_pro_monthly'), quantity: 1 }],
    });
    expect(second['url']).toBe(first['url']);
    const third = await request(person, {
      price: priceOf('hearth_pro_monthly'),
      success_url: `${APP_URL}/other`,
    });
    expect(third['sessionId']).not.toBe(first['sessionId']);
    expect((await fetch(first['url'] as string, { method: 'POST', redirect: 'manual' })).status).toBe(410);
  });

  test('leads a customer with a subscription to the portal, which returns to the cancel_url', async () => {
    const person = await signUp();
    const { url } = await request(person, { price: priceOf('hearth_pro_monthly') });
    await pay(app, new URL(url as string));
    const again = await request(person, { price: priceOf('hearth_business_monthly') });
    expect(again['sessionId']).toMatch(/^bps_/);
    const link = returnLinkOf(await (await fetch(again['url'] as string)).text()) ?? '';
    const back = await visit(link.replace(APP_URL, app.url));
    expect(back.headers.get('location')).toBe(`${URLS.cancel_url}?portal=done`);
    expect(await subscriptionCopiesOf(person.uid)).toHaveLength(1);
  });

  test.each<[what: string, fields: object, message: RegExp]>([
    ['a price that no plan has', { price: 'price_unknown' }, /price_unknown is not on sale/],
    ['an address of another site', { price: 'any', success_url: 'https://evil.example/' }, /success_url/],
    ['a price for one payment that is not sold', { price: 'price_unknown', mode: 'payment' }, /not on sale/],
    ['a mode that sells nothing', { price: 'any', mode: 'setup' }, /mode/],
  ])('with %s is answered with an error', async (_what, fields, message) => {
    const answered = await request(await signUp(), fields);
    expect(answered['error']).toEqual({ message: expect.stringMatching(message) as string });
    expect(answered['url']).toBeUndefined();
  });

  test('is deleted by TTL a week after its answer', async () => {
    const answered = await request(await signUp(), { price: priceOf('hearth_pro_monthly') });
    const [created, deleteAt] = [answered['created'], answered['deleteAt']] as { toMillis: () => number }[];
    expect((deleteAt?.toMillis() ?? 0) - (created?.toMillis() ?? 0)).toBeGreaterThan(6 * 86_400_000);
  });

  test('is answered once, however often its event arrives', async () => {
    const person = await signUp();
    const session = adminFirestore().collection(`customers/${person.uid}/checkout_sessions`).doc();
    await session.create({ price: priceOf('hearth_pro_monthly'), ...URLS });
    const answer = createCheckoutHandler(app.backend);
    await Promise.all(Array.from({ length: 5 }, () => answer(person.uid, session.id)));
    const answered = await session.get();
    await answer(person.uid, session.id);
    expect((await session.get()).updateTime).toEqual(answered.updateTime);
    const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
    const { data } = await stripeOf(app).checkout.sessions.list({
      customer: customer.get('stripeId') as string,
    });
    expect(data.map(({ id }) => id)).toEqual([answered.get('sessionId')]);
  });

  test('is answered with an error if the user has none left this hour', async () => {
    const person = await signUp();
    const answer = createCheckoutHandler({ ...app.backend, config: { ...app.config, checkoutsPerHour: 1 } });
    const sessions = adminFirestore().collection(`customers/${person.uid}/checkout_sessions`);
    for (const id of ['one', 'two']) {
      await sessions.doc(id).create({ price: priceOf('hearth_pro_monthly'), ...URLS });
      await answer(person.uid, id);
    }
    expect((await sessions.doc('one').get()).get('url')).toBeTypeOf('string');
    expect((await sessions.doc('two').get()).get('error.message')).toMatch(/too many requests/);
  });

  test.each<[what: string, end: (uid: string) => Promise<unknown>]>([
    ['was deleted', (uid) => adminAuth().deleteUser(uid)],
    ['is disabled', (uid) => adminAuth().updateUser(uid, { disabled: true })],
  ])('is removed if the account %s', async (_what, end) => {
    const person = await signUp();
    await end(person.uid);
    expect(await request(person, { price: priceOf('hearth_pro_monthly') })).toEqual({});
  });

  test('while Stripe is out of reach is answered with an error that says so', async () => {
    const offline = { ...app.config, stripeApiUrl: 'http://127.0.0.1:9' };
    await using away = await serveApp({ config: offline });
    const person = await signUp();
    const session = adminFirestore().collection(`customers/${person.uid}/checkout_sessions`).doc();
    await session.create({ price: priceOf('hearth_pro_monthly'), ...URLS });
    await createCheckoutHandler({ ...away.backend })(person.uid, session.id);
    expect((await session.get()).get('error.message')).toMatch(/Billing is not available/);
  });
});
