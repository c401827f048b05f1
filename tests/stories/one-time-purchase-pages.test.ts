import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backend } from '../../functions/src/backend.ts';
import { requireOneTimeItem } from '../../functions/src/billing/checkout/purchases/purchasable.ts';
import { beginPurchase } from '../../functions/src/billing/checkout/purchases/purchase.service.ts';
import { reservePurchase } from '../../functions/src/billing/checkout/purchases/purchase.store.ts';
import { userSubject } from '../../functions/src/billing/subject.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import { buyOnce, orderOnce, pay, purchasePage, purchasesOf, stripeOf } from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { plansWith, priceOf } from '../support/plans.ts';
import { call, visit } from '../support/requests.ts';
import { castOf } from '../support/teams.ts';

const plans = plansWith({ pro: { prices: { once: priceOf('hearth_pro_once', 19_900) } } });
const extras = CREDITS;

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { plans, extras } });
});
afterAll(() => app[Symbol.asyncDispose]());

test('an order gets a new page if Stripe does not know the stored one', async () => {
  const person = await signUp();
  await purchasePage(app, person, { item: 'hundred' });
  const { docs } = await adminFirestore().collection(`customers/${person.uid}/purchases`).get();
  await docs[0]?.ref.update({ sessionId: 'cs_test_of_another_account' });
  await buyOnce(app, person, { item: 'hundred' });
  expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid', credits: 100 }]);
});

test('an order of a dead process gets a new page if its page has expired', async () => {
  const person = await signUp();
  await purchasePage(app, person, { item: 'hundred' });
  const { docs } = await adminFirestore().collection(`customers/${person.uid}/purchases`).get();
  const sessionId = docs[0]?.get('sessionId') as string;
  await docs[0]?.ref.update({ sessionId: null });
  await stripeOf(app).checkout.sessions.expire(sessionId);
  await buyOnce(app, person, { item: 'hundred' });
  expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid', credits: 100 }]);
});

/** Runs `before` before the first call that creates a session. */
async function beforeSession(backend: Backend, before: () => Promise<unknown>): Promise<Backend> {
  const stripe = await backend.stripe();
  const pending = [before];
  const sessions = Object.create(stripe.checkout.sessions, {
    create: {
      value: async (...args: Parameters<typeof stripe.checkout.sessions.create>) => {
        await pending.pop()?.();
        return stripe.checkout.sessions.create(...args);
      },
    },
  }) as typeof stripe.checkout.sessions;
  const checkout = Object.create(stripe.checkout, {
    sessions: { value: sessions },
  }) as typeof stripe.checkout;
  const changed = Object.create(stripe, { checkout: { value: checkout } }) as typeof stripe;
  return { ...backend, stripe: () => Promise.resolve(changed) };
}

test('instances with other settings, as during a deployment, give the customer one page', async () => {
  const person = await signUp();
  const { uid, email } = person;
  const subject = userSubject({ uid, email, emailVerified: true, displayName: undefined });
  const stripeReturnUrls = { success: `${app.url}/success`, cancel: `${app.url}/cancel` };
  const choice = { item: 'pro', quantity: 1, stripeReturnUrls };
  const pages: string[] = [];
  const { config } = app.backend;
  // The former instance stores its session while the new one asks Stripe with other parameters for the same purchase.
  const backend = await beforeSession(
    { ...app.backend, config: { ...config, promotionCodes: !config.promotionCodes } },
    async () => pages.push((await beginPurchase(app.backend, subject, choice)).id),
  );
  pages.push((await beginPurchase(backend, subject, choice)).id);
  expect(pages).toHaveLength(2);
  expect(pages[1]).toBe(pages[0]);
  expect(await purchasesOf(person.uid)).toHaveLength(1);
});

test('an order is refused if another Stripe customer was linked since the request began', async () => {
  const person = await signUp();
  await purchasePage(app, person, { item: 'hundred' });
  const order = {
    subject: userSubject({
      uid: person.uid,
      email: person.email,
      emailVerified: true,
      displayName: undefined,
    }),
    stripeCustomerId: 'cus_former',
    item: requireOneTimeItem(app.config, 'hundred', 'user'),
    priceId: 'price_hearth_hundred',
    quantity: 1,
    stripeReturnUrls: { success: app.url, cancel: app.url },
  };
  await expect(reservePurchase(app.backend, order)).rejects.toMatchObject({ code: 'checkout_superseded' });
});

test('the page asks for the address and the tax ID, as the page of a subscription does', async () => {
  await using taxed = await serveApp({ config: { plans, extras, automaticTax: true } });
  const person = await signUp();
  await purchasePage(taxed, person, { item: 'hundred' });
  const { data } = await stripeOf(taxed).checkout.sessions.list({ limit: 1 });
  expect(data[0]).toMatchObject({ automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } });
});

test('another order ends the open page, so that only one can be paid', async () => {
  const person = await signUp();
  const first = await purchasePage(app, person, { item: 'hundred' });
  const second = await purchasePage(app, person, { item: 'hundred', quantity: 2 });
  expect((await pay(app, first)).status).not.toBe(303);
  expect((await pay(app, second)).status).toBe(303);
  expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid', credits: 200 }]);
});

test('a replaced page cannot be paid, also after an outage of Stripe', async () => {
  const person = await signUp();
  const first = await purchasePage(app, person, { item: 'hundred' });
  // Three times, because the client tries again twice.
  await call('POST', `${app.stripe.url}/_emulator/fail`, {
    json: { method: 'GET', path: '/v1/checkout/sessions/:id', status: 500, times: 3 },
  });
  expect((await orderOnce(app, person, { item: 'hundred', quantity: 2 })).status).toBe(503);
  const second = await purchasePage(app, person, { item: 'hundred', quantity: 2 });
  expect((await pay(app, first)).status).toBe(410);
  expect((await pay(app, second)).status).toBe(303);
  expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid', credits: 200 }]);
});

test('the page of a team leads back to the pages of the team', async () => {
  const { teamId, owner } = await castOf(app.url);
  const page = await purchasePage(app, owner, { item: 'hundred', team: teamId });
  const [{ cancel_url: left } = {}] = (await stripeOf(app).checkout.sessions.list({ limit: 1 })).data;
  expect(left).toMatch(new RegExp(`/billing\\?checkout=cancelled&team=${teamId}$`));
  const { pathname, search } = new URL((await pay(app, page)).headers.get('location') ?? '');
  const back = await visit(app.url + pathname + search);
  expect(back.headers.get('location')).toBe(`/billing/success?team=${teamId}`);
  expect(await purchasesOf(teamId)).toMatchObject([{ status: 'paid' }]);
});
