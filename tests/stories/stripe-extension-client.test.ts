import { createCheckoutSession, getProducts } from '@invertase/firestore-stripe-payments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncPrice, syncProduct } from '../../functions/src/billing/catalogue/catalogue.service.ts';
import { createCheckoutHandler } from '../../functions/src/billing/extension/handler.ts';
import { idOf } from '../../functions/src/billing/stripe/stripe-ids.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { mirroredOf, pay, returnLinkOf, stripeOf } from '../support/billing.ts';
import { APP_URL } from '../support/config.ts';
import { adminAuth, adminFirestore, signUp, type Person } from '../support/people.ts';
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

  test('buys a plan', async () => {
    const person = await signUp();
    answerCheckouts(app, person);
    const payments = await extensionClientOf(person);
    const session = await createCheckoutSession(payments, { price: priceOf('hearth_pro_monthly'), ...URLS });
    expect(session).toMatchObject({ mode: 'subscription', price: priceOf('hearth_pro_monthly'), ...URLS });
    const paid = await pay(app, new URL(session.url));
    expect(paid.headers.get('location')).toBe(URLS.success_url);
    expect(await mirroredOf(person.uid)).toMatchObject([{ status: 'active', role: 'pro' }]);
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
    expect(await mirroredOf(person.uid)).toHaveLength(1);
  });

  test.each<[what: string, fields: object, message: RegExp]>([
    ['a price that no plan has', { price: 'price_unknown' }, /price_unknown is not on sale/],
    ['an address of another site', { price: 'any', success_url: 'https://evil.example/' }, /success_url/],
    ['a one-time payment', { price: 'any', mode: 'payment' }, /mode/],
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

  test('of a user who has none left this hour is answered with an error', async () => {
    const person = await signUp();
    const answer = createCheckoutHandler({ ...app.backend, config: { ...app.config, checkoutsPerHour: 1 } });
    const sessions = adminFirestore().collection(`customers/${person.uid}/checkout_sessions`);
    for (const id of ['one', 'two']) {
      await sessions.doc(id).create({ price: priceOf('hearth_pro_monthly'), ...URLS });
      await answer(person.uid, id);
    }
    expect((await sessions.doc('one').get()).get('url')).toBeTypeOf('string');
    expect((await sessions.doc('two').get()).get('error.message')).toMatch(/Too many requests/);
  });

  test.each<[what: string, end: (uid: string) => Promise<unknown>]>([
    ['was deleted', (uid) => adminAuth().deleteUser(uid)],
    ['is disabled', (uid) => adminAuth().updateUser(uid, { disabled: true })],
  ])('of an account that %s is removed', async (_what, end) => {
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
