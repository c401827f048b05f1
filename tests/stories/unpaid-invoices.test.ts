import { Timestamp } from 'firebase-admin/firestore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileBilling } from '../../functions/src/billing/reconcile/reconcile.service.ts';
import { serveApp, type AppOptions, type AppUnderTest } from '../support/app.ts';
import {
  buy,
  checkout,
  claimsOf,
  subscriptionCopiesOf,
  settled,
  stripeOf,
  subscriptionOf,
  planInSession,
  withoutToken,
} from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore, type MeteredFirestore } from '../support/cost.ts';
import { adminFirestore, signUp } from '../support/people.ts';
import { call, locationOf } from '../support/requests.ts';
import { addMember, createTeam } from '../support/teams.ts';

const DAY = 86_400;
const GRACE_DAYS = 7;

/** A Firestore of its own, because these tests move the clock. */
let firestore: MeteredFirestore;
beforeAll(async () => {
  firestore = await meterFirestore();
});
afterAll(() => firestore[Symbol.asyncDispose]());

/** An app whose clock can be moved together with Stripe's. */
async function appWithClock(options: AppOptions) {
  await adminFirestore().doc('sweeps/billing').delete();
  const clock = new AppClock();
  const app = await serveApp({ ...options, backend: { now: clock.now } });
  const pass = async (days: number) => {
    await clock.passDays(app, days);
    await reconcileBilling(app.backend);
    await settled(app);
  };
  return { app, pass, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** From now on the card of a customer declines. */
async function breakCard(app: AppUnderTest, customerId: string): Promise<void> {
  const { id, customer } = await subscriptionOf(app, customerId);
  const card = await stripeOf(app).paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripeOf(app).subscriptions.update(id, { default_payment_method: card.id });
  await settled(app);
}

const openInvoices = async (app: AppUnderTest, customerId: string) => {
  const { id } = await subscriptionOf(app, customerId);
  return (await stripeOf(app).invoices.list({ subscription: id, status: 'open', limit: 100 })).data;
};

test('members who join while an invoice is unpaid do not prolong the grace of a team', async () => {
  await using served = await appWithClock({
    config: { pastDueGraceDays: GRACE_DAYS, seatProration: 'always_invoice' },
    dunning: { retryAfterDays: [20, 20], then: 'past_due' },
  });
  const { app, pass } = served;
  const owner = await signUp();
  const teamId = await createTeam(app.url, owner);
  await buy(app, owner, `business?team=${teamId}`);
  await breakCard(app, teamId);
  const team = async () => (await adminFirestore().doc(`teams/${teamId}`).get()).data();
  await pass(32);
  const [renewal] = await openInvoices(app, teamId);
  const paidUntil = (renewal?.created ?? 0) * 1000 + GRACE_DAYS * DAY * 1000;
  expect(await team()).toMatchObject({ plan: 'business' });

  const plans: [isOver: boolean, plan: unknown][] = [];
  for (let members = 0; members < 5; members += 1) {
    await addMember(teamId, await signUp(), 'member');
    await app.backend.enqueueSeatSync(teamId);
    await settled(app);
    await pass(3);
    plans.push([app.backend.now().getTime() >= paidUntil, (await team())?.['plan']]);
  }
  expect((await openInvoices(app, teamId)).length).toBeGreaterThan(1);
  expect(plans.map(([isOver]) => isOver)).toContain(true);
  expect(plans).toEqual(plans.map(([isOver]) => [isOver, isOver ? 'free' : 'business']));
  expect(await subscriptionCopiesOf(teamId)).toMatchObject([{ status: 'past_due', grace_until: null }]);
});

describe('if Stripe leaves unpaid subscriptions past due', () => {
  test('the plan does not come back with the next invoice, but with the payment', async () => {
    await using served = await appWithClock({
      config: { pastDueGraceDays: GRACE_DAYS },
      dunning: { retryAfterDays: [1], then: 'past_due' },
    });
    const { app, pass } = served;
    const person = await signUp();
    await buy(app, person, 'pro');
    await breakCard(app, person.uid);
    await pass(32);
    expect(await planInSession(app, person)).toBe('pro');
    const seen = new Set<string>();
    await pass(8);
    for (let week = 0; week < 10; week += 1) {
      seen.add(await planInSession(app, person));
      seen.add(((await claimsOf(person))['plan'] as string | undefined) ?? 'free');
      await pass(7);
    }
    expect([...seen]).toEqual(['free']);
    const open = await openInvoices(app, person.uid);
    expect(open.length).toBeGreaterThan(2);

    const { customer } = await subscriptionOf(app, person.uid);
    const card = await stripeOf(app).paymentMethods.attach('pm_card_visa', { customer: customer as string });
    for (const { id } of open) await stripeOf(app).invoices.pay(id, { payment_method: card.id });
    await settled(app);
    expect(await planInSession(app, person)).toBe('pro');
    expect(await subscriptionCopiesOf(person.uid)).toMatchObject([
      { status: 'active', past_due_since: null },
    ]);
  });
});

test('an invoice that Stripe sends gives the grace from its due date', async () => {
  await using served = await appWithClock({ config: { pastDueGraceDays: GRACE_DAYS } });
  const { app, pass } = served;
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id } = await subscriptionOf(app, person.uid);
  await stripeOf(app).subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 14 });
  await pass(32);
  const [sent] = await openInvoices(app, person.uid);
  const dueDate = sent?.due_date ?? 0;
  const passUntil = (seconds: number) => pass((seconds - app.backend.now().getTime() / 1000) / DAY);
  await passUntil(dueDate + 60);
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([
    { status: 'past_due', past_due_since: Timestamp.fromMillis(dueDate * 1000) },
  ]);
  expect(await planInSession(app, person)).toBe('pro');
  await passUntil(dueDate + GRACE_DAYS * DAY + 60);
  expect(await planInSession(app, person)).toBe('free');
  await stripeOf(app).invoices.pay(sent?.id ?? '', { paid_out_of_band: true });
  await settled(app);
  expect(await planInSession(app, person)).toBe('pro');
});

test('a checkout leads to the open invoice, also while the invoice of the next period is a draft', async () => {
  await using served = await appWithClock({
    config: { pastDueGraceDays: GRACE_DAYS },
    dunning: { retryAfterDays: [20, 20], then: 'past_due' },
  });
  const { app, pass } = served;
  const person = await signUp();
  await buy(app, person, 'pro');
  await breakCard(app, person.uid);
  await pass(32);
  const [open] = await openInvoices(app, person.uid);
  const pageOf = async () => withoutToken(locationOf(await checkout(app, person, 'pro')).href);
  const page = withoutToken(open?.hosted_invoice_url ?? '');
  expect(await pageOf()).toBe(page);

  const { id, items } = await subscriptionOf(app, person.uid);
  const renewal = items.data[0]?.current_period_end ?? 0;
  await pass((renewal + 60 - Math.floor(app.backend.now().getTime() / 1000)) / DAY);
  const renewed = await stripeOf(app).subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(renewed).toMatchObject({ status: 'past_due', latest_invoice: { status: 'draft' } });
  expect(await pageOf()).toBe(page);
  const managed = await call('GET', `${app.url}/api/auth/subscription`, { headers: person.bearer });
  expect(await managed.json()).toMatchObject({
    payment: { url: expect.stringContaining(page) as string, amountDue: open?.amount_remaining },
  });
});

test('a healthy subscription costs the reconciliation no call, and neither does one that stays past due', async () => {
  await using served = await appWithClock({
    config: { pastDueGraceDays: GRACE_DAYS },
    dunning: { retryAfterDays: [20, 20], then: 'past_due' },
  });
  const { app, pass } = served;
  const [healthy, late] = [await signUp(), await signUp()];
  await buy(app, healthy, 'pro');
  await buy(app, late, 'pro');
  await breakCard(app, late.uid);
  await pass(32);
  await pass(31);
  expect((await subscriptionOf(app, late.uid)).status).toBe('past_due');
  // The latest invoice does not show when the grace began. Only our copy does.
  expect((await openInvoices(app, late.uid)).length).toBeGreaterThan(1);
  await reconcileBilling(app.backend);
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await reconcileBilling(app.backend);
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  expect(((await log.json()) as { counts: object }).counts).toEqual({
    // Lost events about entitlements, and events that Stripe could not deliver.
    'GET /v1/events': 2,
    'GET /v1/prices': 1,
    'GET /v1/products': 2,
    'GET /v1/subscriptions': 1,
  });
});

test.each<[behavior: 'void' | 'keep_as_draft' | 'mark_uncollectible', plan: string]>([
  ['void', 'free'],
  ['keep_as_draft', 'pro'],
  ['mark_uncollectible', 'pro'],
])('while the collection is paused by %s the plan is %s, and afterwards pro', async (behavior, plan) => {
  await using served = await appWithClock({});
  const { app, pass } = served;
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id, created } = await subscriptionOf(app, person.uid);
  await stripeOf(app).subscriptions.update(id, {
    pause_collection: { behavior, resumes_at: created + 20 * DAY },
  });
  await settled(app);
  expect(await planInSession(app, person)).toBe(plan);
  expect((await claimsOf(person))['plan'] ?? 'free').toBe(plan);
  expect(await subscriptionCopiesOf(person.uid)).toMatchObject([
    { status: 'active', collection_paused: { behavior } },
  ]);
  await pass(21);
  expect(await planInSession(app, person)).toBe('pro');
  expect(await claimsOf(person)).toMatchObject({ plan: 'pro' });
});
