import { Timestamp, type QueryDocumentSnapshot } from 'firebase-admin/firestore';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { HOUR_MS } from '../../functions/src/common/durations.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  buyOnce,
  claimsOf,
  subscriptionCopiesOf,
  orderOnce,
  pay,
  purchasePage,
  purchasesOf,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { CREDITS } from '../support/extras.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { PRO_SOLD_ONCE, plansWith, priceOf } from '../support/plans.ts';
import { call, errorOf, visit } from '../support/requests.ts';
import { addMember, castOf } from '../support/teams.ts';

const plans = PRO_SOLD_ONCE;
const extras = CREDITS;

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp({ config: { plans, extras } });
});
afterAll(() => app[Symbol.asyncDispose]());

async function balanceOf(customerId: string): Promise<unknown> {
  return (await adminFirestore().doc(`credits/${customerId}`).get()).get('balance');
}

async function sessionPlanOf(person: Person): Promise<unknown> {
  const response = await call('GET', `${app.url}/api/auth/session`, { headers: person.bearer });
  return ((await response.json()) as { plan: unknown }).plan;
}

describe('a plan for one payment', () => {
  test('is possible after an error of Stripe that Stripe repeats for a day', async () => {
    const person = await signUp();
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/checkout/sessions', status: 500, when: 'during' },
    });
    expect((await orderOnce(app, person, { item: 'pro' })).status).toBe(503);
    await buyOnce(app, person, { item: 'pro' });
    expect(await sessionPlanOf(person)).toBe('pro');
  });

  test('is given without an end, with the claims', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'pro' });
    expect(await purchasesOf(person.uid)).toMatchObject([
      { status: 'paid', item: 'pro', credits: null, amount: 19_900, checkAt: null },
    ]);
    expect(await claimsOf(person)).toEqual({ plan: 'pro', stripeRole: 'pro' });
    expect(await sessionPlanOf(person)).toBe('pro');
    expect(await subscriptionCopiesOf(person.uid)).toEqual([]);
  });

  test('gives a team its limits', async () => {
    const { teamId, owner } = await castOf(app.url);
    await buyOnce(app, owner, { item: 'pro', team: teamId });
    const team = await adminFirestore().doc(`teams/${teamId}`).get();
    expect(team.data()).toMatchObject({ plan: 'pro', seatLimit: 10, billingDependsOnMembers: false });
  });

  test('stays when a higher subscription ends', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'pro' });
    await buy(app, person, 'business');
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
    await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
    await settled(app);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });

  test('ends a subscription to the same plan at the end of its period', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await buyOnce(app, person, { item: 'pro' });
    expect(await subscriptionOf(app, person.uid)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    });
  });

  test('ends such a subscription after an error that Stripe repeats for a day', async () => {
    const person = await signUp();
    await buy(app, person, 'pro');
    await call('POST', `${app.stripe.url}/_emulator/fail`, {
      json: { method: 'POST', path: '/v1/subscriptions/:id', status: 500, when: 'during' },
    });
    await buyOnce(app, person, { item: 'pro' });
    await settled(app);
    expect(await subscriptionOf(app, person.uid)).toMatchObject({ cancel_at_period_end: true });
  });

  test('lets a subscription to a higher plan run on', async () => {
    const person = await signUp();
    await buy(app, person, 'business');
    await buyOnce(app, person, { item: 'pro' });
    expect(await subscriptionOf(app, person.uid)).toMatchObject({ cancel_at_period_end: false });
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
  });

  test('is sold once only, also under many concurrent clicks', async () => {
    const person = await signUp();
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => purchasePage(app, person, { item: 'pro' })),
    );
    expect(new Set(pages.map(String)).size).toBe(1);
    await pay(app, pages[0] as URL);
    expect(await errorOf(await orderOnce(app, person, { item: 'pro' }))).toMatchObject({
      status: 409,
      code: 'already_owned',
    });
    expect(await purchasesOf(person.uid)).toHaveLength(1);
  });

  test('is there after the return from the page, before the webhook', async () => {
    await using quiet = await serveApp({ config: { plans, extras }, webhooks: false });
    const person = await signUp();
    const paid = await pay(quiet, await purchasePage(quiet, person, { item: 'pro' }));
    const { pathname, search } = new URL(paid.headers.get('location') ?? '');
    const response = await visit(quiet.url + pathname + search);
    expect(response.headers.get('location')).toContain(quiet.config.checkoutSuccessPath);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
  });
});

const OWNED = { status: 409, code: 'already_owned' };

const orderPlan = ({ url }: AppUnderTest, { bearer: headers }: Person, order: object) =>
  call('POST', `${url}/api/auth/checkout`, { headers, json: order });

test.each([
  ['of a user', false],
  ['of a team', true],
])(
  'a subscription %s to an owned plan is refused, and one to a higher plan is sold',
  async (_whose, isTeam) => {
    const { owner, teamId } = await castOf(app.url);
    const team = isTeam ? { team: teamId } : {};
    await buyOnce(app, owner, { item: 'pro', ...team });
    expect(await errorOf(await orderPlan(app, owner, { plan: 'pro', ...team }))).toMatchObject(OWNED);
    await buy(app, owner, isTeam ? `business?team=${teamId}` : 'business');
    expect(await subscriptionOf(app, isTeam ? teamId : owner.uid)).toMatchObject({ status: 'active' });
  },
);

test('a subscription to a plan below an owned one is refused', async () => {
  const once = { prices: { month: priceOf('b_month', 4_900), once: priceOf('b_once', 9_900) } };
  const business = plansWith({ business: { ...once, perSeat: false } });
  await using other = await serveApp({ config: { plans: business } });
  const person = await signUp();
  await buyOnce(other, person, { item: 'business' });
  expect(await errorOf(await orderPlan(other, person, { plan: 'pro' }))).toMatchObject(OWNED);
});

test('a one-time purchase of a plan below an owned one is refused', async () => {
  const all = plansWith({
    pro: { prices: { once: priceOf('pro_once', 4_900) } },
    business: { prices: { once: priceOf('business_once', 9_900) }, perSeat: false },
  });
  await using other = await serveApp({ config: { plans: all } });
  const person = await signUp();
  await buyOnce(other, person, { item: 'business' });
  expect(await errorOf(await orderOnce(other, person, { item: 'pro' }))).toMatchObject(OWNED);
});

describe('credits', () => {
  test('are added once for each payment, also if its events come again', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'hundred', quantity: 3 });
    expect(await balanceOf(person.uid)).toBe(300);
    await buyOnce(app, person, { item: 'hundred' });
    expect(await balanceOf(person.uid)).toBe(400);
    const { data } = await stripeOf(app).events.list({ type: 'checkout.session.completed', limit: 1 });
    const again = [...data, ...data].map(({ id }) => id);
    const sent = await call('POST', `${app.stripe.url}/_emulator/events/deliver`, {
      json: { events: again },
    });
    expect(sent.status).toBe(204);
    await settled(app);
    expect(await balanceOf(person.uid)).toBe(400);
    expect(await claimsOf(person)).toEqual({});
  });

  test('for a team are bought by its owner, and not by a member', async () => {
    const { teamId, owner } = await castOf(app.url);
    const member = await signUp();
    await addMember(teamId, member, 'member');
    const refused = await orderOnce(app, member, { item: 'hundred', team: teamId });
    expect(await errorOf(refused)).toMatchObject({ status: 403, code: 'forbidden' });
    await buyOnce(app, owner, { item: 'hundred', team: teamId });
    expect(await balanceOf(teamId)).toBe(100);
  });
});

describe('a refund', () => {
  async function refund(customerId: string, amount?: number): Promise<void> {
    const { docs } = await adminFirestore().collection(`customers/${customerId}/purchases`).get();
    const paymentIntent = docs[0]?.get('paymentIntentId') as string;
    await stripeOf(app).refunds.create({ payment_intent: paymentIntent, ...(amount && { amount }) });
    await settled(app);
  }

  test('takes the plan back', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'pro' });
    await refund(person.uid);
    expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'refunded' }]);
    expect(await claimsOf(person)).toEqual({});
    expect(await sessionPlanOf(person)).toBe('free');
  });

  test('takes nothing back while the copy of a subscription is damaged, so that its plan stays', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'pro' });
    await buy(app, person, 'business');
    const { id } = await subscriptionOf(app, person.uid);
    const copy = adminFirestore().doc(`customers/${person.uid}/subscriptions/${id}`);
    await copy.update({ created: 'yesterday' });
    await refund(person.uid);
    expect(await claimsOf(person)).toMatchObject({ plan: 'business' });
    expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'paid' }]);
  });

  test('takes the credits back if the whole payment is refunded, and none for a part', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'hundred' });
    await refund(person.uid, 400);
    expect(await balanceOf(person.uid)).toBe(100);
    await refund(person.uid, 500);
    expect(await balanceOf(person.uid)).toBe(0);
  });
});

describe('after the Stripe customer was deleted', () => {
  const deleteStripeCustomer = async ({ uid }: Person) => {
    const customer = await adminFirestore().doc(`customers/${uid}`).get();
    await stripeOf(app).customers.del(customer.get('stripeId') as string);
    await settled(app);
  };

  test('a bought plan stays, until its payment is refunded', async () => {
    const person = await signUp();
    await buyOnce(app, person, { item: 'pro' });
    await deleteStripeCustomer(person);
    expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
    expect(await errorOf(await orderOnce(app, person, { item: 'pro' }))).toMatchObject(OWNED);
    const { docs } = await adminFirestore().collection(`customers/${person.uid}/purchases`).get();
    const paymentIntent = docs[0]?.get('paymentIntentId') as string;
    await stripeOf(app).refunds.create({ payment_intent: paymentIntent });
    await settled(app);
    expect(await purchasesOf(person.uid)).toMatchObject([{ status: 'refunded' }]);
    expect(await claimsOf(person)).toEqual({});
  });

  test('the same order gets a page that can be paid', async () => {
    const person = await signUp();
    await purchasePage(app, person, { item: 'hundred' });
    await deleteStripeCustomer(person);
    await buyOnce(app, person, { item: 'hundred' });
    expect(await balanceOf(person.uid)).toBe(100);
  });
});

test('a customer for whom Stripe accepts only another currency is refused', async () => {
  const served: { client?: Stripe } = {};
  await using other = await serveApp({
    config: { plans, extras },
    backend: { stripe: () => Promise.resolve(served.client as Stripe) },
  });
  const client = stripeOf(other);
  served.client = client;
  client.checkout.sessions.create = () =>
    Promise.reject(
      new Stripe.errors.StripeInvalidRequestError({
        type: 'invalid_request_error',
        message: "The price specified only supports `usd`. This doesn't match the expected currency: `eur`.",
      }),
    );
  expect(await errorOf(await orderOnce(other, await signUp(), { item: 'pro' }))).toEqual({
    status: 400,
    code: 'currency_not_offered',
    error: 'Only EUR is possible, because there is already a subscription or an invoice in it.',
  });
});

test('a payment of which no event arrives is found by the reconciliation', async () => {
  const now = new Date();
  await using quiet = await serveApp({
    config: { plans, extras },
    webhooks: false,
    backend: { now: () => now },
  });
  const person = await signUp();
  await pay(quiet, await purchasePage(quiet, person, { item: 'hundred' }));
  expect(await balanceOf(person.uid)).toBeUndefined();
  const { docs } = await adminFirestore().collection(`customers/${person.uid}/purchases`).get();
  const [purchase] = docs as [QueryDocumentSnapshot];
  expect(purchase.get('checkAt')).toEqual(Timestamp.fromMillis(now.getTime() + HOUR_MS));
  // The clock stays, because purchases of other tests are due in an hour, too.
  await purchase.ref.update({ checkAt: now });
  await reconcileBilling(quiet.backend);
  expect(await balanceOf(person.uid)).toBe(100);
});

test.each<[what: string, order: Parameters<typeof orderOnce>[2], code: string, status: number]>([
  ['of an unknown item', { item: 'nothing' }, 'item_not_found', 404],
  ['of a plan without a price for one payment', { item: 'business' }, 'interval_not_offered', 400],
  ['of two of a plan', { item: 'pro', quantity: 2 }, 'invalid_request', 400],
])('a purchase %s is refused', async (_what, order, code, status) => {
  expect(await errorOf(await orderOnce(app, await signUp(), order))).toMatchObject({ status, code });
});
