import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ManagedSubscriptionView } from '../../functions/src/billing/subscriptions/manage/subscription.view.ts';
import { serveApp, type AppUnderTest } from '../support/app.ts';
import {
  attachBankAccount,
  buy,
  FAILING_IBAN,
  payByBankDebit,
  planInSession,
  settled,
  stripeOf,
  subscriptionOf,
} from '../support/billing.ts';
import { AppClock } from '../support/clock.ts';
import { meterFirestore } from '../support/cost.ts';
import { EXTRAS } from '../support/extras.ts';
import { signUp, type Person } from '../support/people.ts';
import { call, errorOf } from '../support/requests.ts';
import { useResources } from '../support/resources.ts';
import { addMember, castOf, mailTo } from '../support/teams.ts';

/** Stripe debits the bank account of a customer by SEPA, which takes days. Stripe has no pending updates then. */

/** A Firestore of its own, because these tests move its clock. */
const resources = useResources();
let app: AppUnderTest;
const clock = new AppClock();
beforeAll(async () => {
  resources.use(await meterFirestore());
  app = resources.use(
    await serveApp({
      config: { seatProration: 'always_invoice', extras: EXTRAS, pastDueGraceDays: 7, mailReceipt: false },
      backend: { now: clock.now },
    }),
  );
});

const pass = (days: number) => clock.passDays(app, days);

/** The subscriber to pro whose bank account is debited from now on. */
async function subscriber(iban?: string): Promise<Person> {
  const person = await signUp();
  await buy(app, person, 'pro');
  await payByBankDebit(app, person.uid, iban);
  return person;
}

const ask = ({ bearer: headers }: Person, action: string, json: object) =>
  call('POST', `${app.url}/api/auth/subscription/${action}`, { headers, json });

async function managed(response: Promise<Response>): Promise<ManagedSubscriptionView> {
  const body = (await (await response).json()) as ManagedSubscriptionView;
  expect((await response).status, JSON.stringify(body)).toBe(200);
  return body;
}

const show = ({ bearer: headers }: Person) =>
  managed(call('GET', `${app.url}/api/auth/subscription`, { headers }));

async function openInvoices(customerId: string): Promise<Stripe.Invoice[]> {
  const { id } = await subscriptionOf(app, customerId);
  return (await stripeOf(app).invoices.list({ subscription: id, status: 'open' })).data;
}

const webhooks = (mode: 'send' | 'hold') =>
  call('POST', `${app.stripe.url}/_emulator/webhooks`, { json: { mode } });

/** Counts the calls to Stripe by route, without those that events cause. */
async function callsDuring(act: () => Promise<unknown>): Promise<Record<string, number>> {
  await webhooks('hold');
  await call('DELETE', `${app.stripe.url}/_emulator/requests`);
  await act();
  const log = await call('GET', `${app.stripe.url}/_emulator/requests`);
  await webhooks('send');
  await settled(app);
  return ((await log.json()) as { counts: Record<string, number> }).counts;
}

test('a change of plan takes effect at once, while its debit is under way', async () => {
  const person = await subscriber();
  expect(await managed(ask(person, 'change', { plan: 'business' }))).toMatchObject({
    plan: 'business',
    status: 'active',
    payment: null,
  });
  expect(await planInSession(app, person)).toBe('business');
  expect(await openInvoices(person.uid)).toMatchObject([{ attempted: true, next_payment_attempt: null }]);
  expect(await show(person)).toMatchObject({ plan: 'business', payment: null });
});

test('a change of an add-on takes effect at once', async () => {
  const person = await subscriber();
  expect(await managed(ask(person, 'add-ons', { addOn: 'storage', quantity: 2 }))).toMatchObject({
    addOns: { storage: 2 },
    payment: null,
  });
  expect(await openInvoices(person.uid)).toHaveLength(1);
});

test('a bank account that is only the default of the customer is debited in the same way', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { customer, default_payment_method: card } = await subscriptionOf(app, person.uid);
  const stripe = stripeOf(app);
  await stripe.paymentMethods.detach(card as string);
  const account = await attachBankAccount(app, customer as string);
  await stripe.customers.update(customer as string, {
    invoice_settings: { default_payment_method: account },
  });
  await settled(app);
  expect((await subscriptionOf(app, person.uid)).default_payment_method).toBeNull();
  expect((await managed(ask(person, 'change', { plan: 'business' }))).plan).toBe('business');
});

test('a new seat is on an invoice at once, whose debit is under way', async () => {
  const { owner, teamId } = await castOf(app.url);
  await buy(app, owner, `business?team=${teamId}`);
  await payByBankDebit(app, teamId);
  const before = (await subscriptionOf(app, teamId)).items.data[0]?.quantity ?? 0;
  await addMember(teamId, await signUp(), 'member');
  await app.backend.enqueueSeatSync(teamId);
  await settled(app);
  const { status, items } = await subscriptionOf(app, teamId);
  expect([status, items.data[0]?.quantity]).toEqual(['active', before + 1]);
  expect(await openInvoices(teamId)).toMatchObject([{ billing_reason: 'subscription_update' }]);
});

test('a change costs the calls to Stripe of a card, and one for the open invoices', async () => {
  const withCard = await signUp();
  await buy(app, withCard, 'pro');
  const withDebit = await subscriber();
  const change = (person: Person) => () => managed(ask(person, 'change', { plan: 'business' }));
  const byCard = await callsDuring(change(withCard));
  const byDebit = await callsDuring(change(withDebit));
  expect(byDebit).toEqual({ ...byCard, 'GET /v1/invoices': (byCard['GET /v1/invoices'] ?? 0) + 1 });
  expect(await callsDuring(() => show(withDebit))).toEqual({ 'GET /v1/subscriptions': 1 });
});

describe('while a debit is under way', () => {
  /** A person whose change to Business is being debited. */
  async function changed(iban?: string): Promise<Person> {
    const person = await subscriber(iban);
    await managed(ask(person, 'change', { plan: 'business', interval: 'year' }));
    await settled(app);
    return person;
  }

  const NOW: [action: string, json: object][] = [
    ['change', { plan: 'pro' }],
    ['preview', { plan: 'pro' }],
    ['add-ons', { addOn: 'storage', quantity: 1 }],
    ['add-ons/preview', { addOn: 'storage', quantity: 1 }],
  ];

  test.each(NOW)('a change now gives no credit for the unpaid period (%s)', async (action, json) => {
    const person = await changed();
    const refused = await ask(person, action, json);
    expect([refused.status, await errorOf(refused)]).toMatchObject([
      409,
      {
        code: 'invoice_unpaid',
        error: 'A payment from your bank account is still under way. Try again in a few days.',
      },
    ]);
    const { customer } = await subscriptionOf(app, person.uid);
    expect(await stripeOf(app).customers.retrieve(customer as string)).toMatchObject({ balance: 0 });
  });

  test('a change at the end of the period, a cancellation and taking it back are possible', async () => {
    const person = await changed();
    expect(await managed(ask(person, 'change', { plan: 'pro', when: 'period_end' }))).toMatchObject({
      plannedChange: { plan: 'pro' },
      payment: null,
    });
    expect(await managed(ask(person, 'cancel', {}))).toMatchObject({ plannedChange: null, payment: null });
    expect(await managed(ask(person, 'resume', {}))).toMatchObject({ endsAt: null, payment: null });
  });

  test('nothing is to be paid, and afterwards every change is possible', async () => {
    const person = await changed();
    await pass(6);
    expect(await openInvoices(person.uid)).toEqual([]);
    expect(await managed(ask(person, 'change', { plan: 'pro' }))).toMatchObject({
      plan: 'pro',
      payment: null,
    });
  });

  test('no mail is written, but after its failure the invoice is to be paid', async () => {
    const person = await changed(FAILING_IBAN);
    expect(await mailTo(person.email)).toEqual([]);
    await pass(6);
    const [unpaid] = await openInvoices(person.uid);
    expect(await show(person)).toMatchObject({
      plan: 'business',
      status: 'past_due',
      payment: { amountDue: unpaid?.amount_remaining, url: expect.any(String) as string },
    });
    expect(await planInSession(app, person)).toBe('business');
    expect(await mailTo(person.email)).toHaveLength(1);
    const refused = await ask(person, 'change', { plan: 'pro' });
    expect([refused.status, await errorOf(refused)]).toMatchObject([
      409,
      { code: 'invoice_unpaid', error: 'Pay the open invoice of this subscription first.' },
    ]);
    await pass(2);
    expect(await planInSession(app, person)).toBe('free');
  });
});

test('the debit of a renewal is no payment of the customer', async () => {
  const person = await subscriber();
  await pass(32);
  expect(await openInvoices(person.uid)).toMatchObject([{ billing_reason: 'subscription_cycle' }]);
  expect(await show(person)).toMatchObject({ status: 'active', payment: null });
  expect((await ask(person, 'change', { plan: 'business' })).status).toBe(409);
  await pass(5);
  expect(await openInvoices(person.uid)).toEqual([]);
});

test('an invoice that a card did not pay is still to be paid after the change to a bank account', async () => {
  const person = await signUp();
  await buy(app, person, 'pro');
  const { id, customer } = await subscriptionOf(app, person.uid);
  const stripe = stripeOf(app);
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: customer as string,
  });
  await stripe.subscriptions.update(id, { default_payment_method: card.id });
  const waiting = await managed(ask(person, 'change', { plan: 'business' }));
  await payByBankDebit(app, person.uid);
  expect(await show(person)).toMatchObject({
    plan: 'pro',
    payment: { amountDue: waiting.payment?.amountDue },
  });
  const refused = await ask(person, 'change', { plan: 'business' });
  expect((await errorOf(refused)).error).toBe('Pay the open invoice of this subscription first.');
});
