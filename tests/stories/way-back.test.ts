import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  checkout,
  subscriptionCopiesOf,
  pay,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminFirestore, signUp, type Person } from '../support/people.ts';
import { call, locationOf, visit } from '../support/requests.ts';

const PRICE = 'price_hearth_pro_month';

/** A Firestore of its own, because these tests move its clock. */
let firestore: MeteredFirestore;
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  firestore = await meterFirestore();
  app = await serveApp({
    config: { pastDueGraceDays: 7 },
    backend: { now: clock.now },
    dunning: { retryAfterDays: [3, 5, 7], then: 'unpaid' },
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await firestore[Symbol.asyncDispose]();
});

const pass = (days: number) => clock.passDays(app, days);

async function planOf(person: Person): Promise<string> {
  const session = await call('GET', `${app.url}/api/auth/session`, { headers: person.bearer });
  return ((await session.json()) as { plan: string }).plan;
}

const buysPro = (person: Person, interval = 'month') => buy(app, person, `pro?interval=${interval}`);

const update = async ({ uid }: Person, change: Stripe.SubscriptionUpdateParams) => {
  await stripeOf(app).subscriptions.update((await subscriptionOf(app, uid)).id, change);
  await settled(app);
};

const cancels = (person: Person) => update(person, { cancel_at_period_end: true });

/** Buys with a card that fails at the first renewal, and lets days go by. */
const failsToPay = async (person: Person, days: number) => {
  await buysPro(person);
  const { customer } = await subscriptionOf(app, person.uid);
  const card = await stripeOf(app).paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await update(person, { default_payment_method: card.id });
  await pass(days);
};

/** Makes a subscription as sales does in Stripe's dashboard. */
async function sells(
  person: Person,
  params: Omit<Stripe.SubscriptionCreateParams, 'customer'>,
): Promise<void> {
  await visit(`${app.url}/api/auth/portal`, person.bearer);
  const customer = await adminFirestore().doc(`customers/${person.uid}`).get();
  const stripeId = customer.get('stripeId') as string;
  await stripeOf(app).subscriptions.create({ customer: stripeId, items: [{ price: PRICE }], ...params });
  await settled(app);
}

/** The rows of the table in docs/billing.md, with the way into each state. */
const STATES: [
  state: string,
  plan: string,
  checkout: string,
  arrange: (person: Person) => Promise<unknown>,
][] = [
  ['none', 'no', 'checkout', () => Promise.resolve()],
  ['`incomplete`', 'no', 'checkout', (person) => sells(person, { payment_behavior: 'default_incomplete' })],
  [
    '`incomplete_expired`',
    'no',
    'checkout',
    async (person) => {
      await sells(person, { payment_behavior: 'default_incomplete' });
      await pass(1);
    },
  ],
  ['`trialing`', 'yes', 'portal', (person) => sells(person, { trial_period_days: 14 })],
  ['`active`', 'yes', 'portal', buysPro],
  [
    '`active`, cancelled at the end of the period',
    'yes',
    'portal',
    async (person) => {
      await buysPro(person, 'year');
      await cancels(person);
    },
  ],
  ['`past_due`, within the grace', 'yes', 'invoice', (person) => failsToPay(person, 32)],
  ['`past_due`, after the grace', 'no', 'invoice', (person) => failsToPay(person, 41)],
  [
    '`past_due`, after the grace, cancelled',
    'no',
    'checkout',
    async (person) => {
      await failsToPay(person, 32);
      await cancels(person);
      await pass(9);
    },
  ],
  ['`unpaid`', 'no', 'checkout', (person) => failsToPay(person, 48)],
  [
    '`paused`',
    'no',
    'checkout',
    async (person) => {
      const end = { missing_payment_method: 'pause' } as const;
      await sells(person, { trial_period_days: 14, trial_settings: { end_behavior: end } });
      await pass(15);
    },
  ],
  [
    '`canceled`',
    'no',
    'checkout',
    async (person) => {
      await buysPro(person);
      await stripeOf(app).subscriptions.cancel((await subscriptionOf(app, person.uid)).id);
      await settled(app);
    },
  ],
];

const PAGES: Record<string, string> = { c: 'checkout', i: 'invoice', p: 'portal' };

/** The kind of a page of Stripe. */
const kindOf = (page: URL) => PAGES[page.pathname.split('/')[1] ?? ''];

describe('a customer whose subscription is', () => {
  test.each(STATES)(
    '%s has the plan (%s), is sent to the page (%s), and can have the plan',
    async (...row) => {
      const [state, plan, kind, arrange] = row;
      const person = await signUp();
      await arrange(person);
      const status = /`(\w+)`/.exec(state)?.[1];
      expect((await subscriptionCopiesOf(person.uid)).map((one) => one.status)).toEqual(
        status ? [status] : [],
      );
      expect(await planOf(person)).toBe(plan === 'yes' ? 'pro' : 'free');
      const portal = await visit(`${app.url}/api/auth/portal`, person.bearer);
      expect(kindOf(locationOf(portal))).toBe('portal');

      const page = locationOf(await checkout(app, person, 'pro'));
      expect(kindOf(page)).toBe(kind);
      if (kind !== 'portal') expect((await pay(app, page)).status).toBe(303);
      expect(await planOf(person)).toBe('pro');
      const running = (await subscriptionCopiesOf(person.uid)).filter(
        (one) => !['canceled', 'incomplete', 'incomplete_expired'].includes(one.status),
      );
      expect(running).toHaveLength(1);
      expect(kindOf(locationOf(await checkout(app, person, 'pro')))).toBe('portal');
    },
  );
});

test('docs/billing.md has the table of states', () => {
  const page = readFileSync(new URL('../../docs/billing.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## The states of a subscription');
  const [, ...rows] = section.split('\n## ')[0]?.match(/^\| [^-].* \|$/gm) ?? [];
  const documented = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  expect(documented.map(([state, plan, kind]) => [state, plan, kind])).toEqual(
    STATES.map(([state, plan, kind]) => [state, plan, kind]),
  );
});

test('a subscription that was paid while its replacement was on offer does not end', async () => {
  const person = await signUp();
  await failsToPay(person, 48);
  const page = locationOf(await checkout(app, person, 'pro'));
  const stripe = stripeOf(app);
  const old = await subscriptionOf(app, person.uid);
  await call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode: 'hold' } });
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: old.customer as string });
  const drafts = await stripe.invoices.list({ subscription: old.id, limit: 1 });
  const [latest] = drafts.data;
  if (latest?.status === 'draft') await stripe.invoices.finalizeInvoice(latest.id);
  await stripe.invoices.pay(latest?.id as string, { payment_method: card.id });
  expect((await stripe.subscriptions.retrieve(old.id)).status).toBe('active');
  await fetch(page, { method: 'POST', redirect: 'manual' });

  const sessionId = (await adminFirestore().doc(`customers/${person.uid}`).get()).get(
    'checkout.sessionId',
  ) as string;
  const back = await visit(`${app.url}/api/auth/checkout/return?session_id=${sessionId}`, person.bearer);
  expect(back.headers.get('location')).toBe('/billing/success');
  await call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode: 'send' } });
  await settled(app);
  expect((await stripe.subscriptions.retrieve(old.id)).status).toBe('active');
});

test('a customer with a running subscription to something else than a plan can buy a plan', async () => {
  const person = await signUp();
  const product = await stripeOf(app).products.create({ name: 'Support' });
  const price = await stripeOf(app).prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval: 'month' },
  });
  await sells(person, { items: [{ price: price.id }], trial_period_days: 14 });
  expect(kindOf(locationOf(await checkout(app, person, 'pro')))).toBe('checkout');
});
