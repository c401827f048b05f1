import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  debitedCustomer,
  FAILING_IBAN,
  halfWay,
  PAYING_IBAN,
  payInParts,
  PRO_MONTHLY,
  stripeError,
  submit,
  testStripe,
} from '../testing.ts';

const START = new Date('2026-01-31T12:00:00Z');

/** A monthly Pro subscription that is paid by bank debit from the start. */
async function debited(iban = PAYING_IBAN) {
  const world = await testStripe({ now: () => START });
  const { customer, method } = await debitedCustomer(world.stripe, iban);
  await world.happened();
  const { id, items } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
  });
  const latest = () => latestInvoice(world.stripe, id);
  return { ...world, customer, method, id, item: items.data[0]?.id ?? '', latest };
}

async function latestInvoice(stripe: Stripe, id: string): Promise<Stripe.Invoice> {
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  if (invoice === null || typeof invoice === 'string') throw new Error('The invoice is expanded');
  return invoice;
}

const UNDER_WAY = { status: 'open', attempted: true, attempt_count: 1, next_payment_attempt: null };

test('a debit is under way for days, and then pays the invoice', async () => {
  const { stripe, customer, id, latest, pass, happened } = await debited();
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
  expect(await latest()).toMatchObject(UNDER_WAY);
  const events = await happened();
  expect(events.filter((type) => type.startsWith('invoice.'))).toEqual([
    'invoice.created',
    'invoice.finalized',
  ]);
  const payments = async () => [
    (await stripe.paymentIntents.list({ customer })).data,
    (await stripe.charges.list({ customer })).data,
  ];
  expect(await payments()).toMatchObject([
    [
      {
        status: 'processing',
        amount_received: 0,
        payment_method_types: ['sepa_debit'],
        last_payment_error: null,
      },
    ],
    [
      {
        status: 'pending',
        paid: false,
        captured: false,
        amount_captured: 0,
        payment_method_details: { type: 'sepa_debit', sepa_debit: { last4: '3000' } },
      },
    ],
  ]);
  await pass(4.9);
  expect([await latest(), await happened()]).toMatchObject([{ status: 'open' }, []]);
  await pass(0.2);
  expect(await latest()).toMatchObject({
    status: 'paid',
    amount_remaining: 0,
    status_transitions: { paid_at: START.getTime() / 1000 + 5 * 86_400 },
  });
  expect(await happened()).toEqual(['invoice.paid', 'invoice.payment_succeeded']);
  expect(await payments()).toMatchObject([
    [{ status: 'succeeded', amount_received: 1200 }],
    [{ status: 'succeeded', paid: true, captured: true, amount_captured: 1200 }],
  ]);
  const { payments: paid } = await stripe.invoices.retrieve((await latest()).id, { expand: ['payments'] });
  expect(paid?.data).toMatchObject([{ status: 'paid', amount_paid: 1200 }]);
  expect((await stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({ delinquent: false });
});

test('a paid debit can be refunded', async () => {
  const { stripe, customer, pass } = await debited();
  const [charge] = (await stripe.charges.list({ customer })).data;
  const refund = () => stripe.refunds.create({ charge: charge?.id ?? '' });
  expect(await stripeError(refund())).toMatchObject({ statusCode: 400 });
  await pass(6);
  expect(await refund()).toMatchObject({ status: 'succeeded', amount: 1200 });
});

test('a debit that fails makes the subscription past due, and is tried again', async () => {
  const { stripe, customer, method, id, latest, pass, happened } = await debited();
  await pass(6);
  const account = {
    sepa_debit: { iban: FAILING_IBAN },
    billing_details: { name: 'Ada', email: 'a@example.com' },
  };
  const { id: failing } = await stripe.paymentMethods.create({ type: 'sepa_debit', ...account });
  await stripe.paymentMethods.attach(failing, { customer });
  await stripe.subscriptions.update(id, { default_payment_method: failing });
  await pass(23);
  expect(await latest()).toMatchObject({ ...UNDER_WAY, billing_reason: 'subscription_cycle' });
  await happened();
  await pass(5);
  expect(await happened()).toEqual([
    'invoice.payment_failed',
    'customer.updated',
    'customer.subscription.updated',
  ]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
  const unpaid = await latest();
  expect(unpaid).toMatchObject({
    status: 'open',
    attempt_count: 1,
    next_payment_attempt: expect.any(Number) as number,
  });
  const [intent] = (await stripe.paymentIntents.list({ customer })).data;
  expect(intent).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: { code: 'payment_intent_payment_attempt_failed', type: 'invalid_request_error' },
  });
  const [charge] = (await stripe.charges.list({ customer })).data;
  expect(charge).toMatchObject({ status: 'failed', paid: false, outcome: { type: 'issuer_declined' } });

  await stripe.subscriptions.update(id, { default_payment_method: method });
  await pass(4);
  expect(await latest()).toMatchObject({ ...UNDER_WAY, attempt_count: 2 });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
  await pass(5);
  expect(await latest()).toMatchObject({ id: unpaid.id, status: 'paid' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('after the last failed debit the dunning settings decide', async () => {
  const world = await testStripe({ now: () => START, dunning: { retryAfterDays: [2], then: 'unpaid' } });
  const { stripe, pass } = world;
  const { customer } = await debitedCustomer(stripe, FAILING_IBAN);
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    trial_period_days: 3,
  });
  const statuses: string[] = [];
  for (let day = 0; day < 17; day += 1) {
    const { status } = await stripe.subscriptions.retrieve(id);
    if (statuses.at(-1) !== status) statuses.push(status);
    await pass(1);
  }
  expect(statuses).toEqual(['trialing', 'active', 'past_due', 'unpaid']);
});

test('a first debit that fails is not repeated', async () => {
  const { stripe, id, latest, pass } = await debited(FAILING_IBAN);
  await pass(6);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
  expect(await latest()).toMatchObject({ status: 'open', next_payment_attempt: null });
});

test('a test clock moves a debit', async () => {
  const { stripe } = await testStripe();
  const frozen = START.getTime() / 1000;
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: frozen });
  const { customer } = await debitedCustomer(stripe, PAYING_IBAN, { test_clock: clock.id });
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  expect(await latestInvoice(stripe, id)).toMatchObject(UNDER_WAY);
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozen + 6 * 86_400 });
  expect(await latestInvoice(stripe, id)).toMatchObject({
    status: 'paid',
    status_transitions: { paid_at: frozen + 5 * 86_400 },
  });
});

describe('an invoice whose debit is under way', () => {
  test.each<[how: string, close: (stripe: Stripe, id: string) => Promise<Stripe.Invoice>, status: string]>([
    ['voided', (stripe, id) => stripe.invoices.voidInvoice(id), 'void'],
    ['paid elsewhere', (stripe, id) => stripe.invoices.pay(id, { paid_out_of_band: true }), 'paid'],
  ])('that is %s is not settled again', async (_how, close, status) => {
    const { stripe, customer, latest, pass, happened } = await debited();
    const { id } = await latest();
    expect(await close(stripe, id)).toMatchObject({ status });
    await happened();
    await pass(10);
    expect(await happened()).toEqual([]);
    expect(await stripe.invoices.retrieve(id)).toMatchObject({ status });
    expect((await stripe.paymentIntents.list({ customer })).data).toMatchObject([{ status: 'canceled' }]);
    expect((await stripe.charges.list({ customer })).data).toMatchObject([{ status: 'failed', paid: false }]);
  });

  test('cannot be paid in another way', async () => {
    const { stripe, customer, latest } = await debited();
    const invoice = await latest();
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const paying = stripe.invoices.pay(invoice.id, { payment_method: card });
    expect(await stripeError(paying)).toMatchObject({ statusCode: 400 });
    expect(await stripeError(payInParts(stripe, invoice, [100]))).toMatchObject({ statusCode: 400 });
    const page = await fetch(invoice.hosted_invoice_url ?? '');
    const html = await page.text();
    expect(html).toContain('The payment is processing.');
    expect(html).not.toContain('<form');
    expect((await submit(invoice.hosted_invoice_url ?? '')).status).toBe(409);
    const { url } = await stripe.billingPortal.sessions.create({ customer });
    expect(await (await fetch(url)).text()).toContain('Bank account •••• 3000');
    const { status } = await submit(`${url}/invoices/${invoice.id}/pay`);
    expect(status).toBe(409);
    expect(await latest()).toMatchObject(UNDER_WAY);
  });

  test('is still paid if the subscription is canceled', async () => {
    const { stripe, id, latest, pass } = await debited();
    await stripe.subscriptions.cancel(id);
    await pass(6);
    expect(await latest()).toMatchObject({ status: 'paid' });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  });
});

describe('a change of a subscription that a bank debit pays', () => {
  const more = (item: string, behavior?: Stripe.SubscriptionUpdateParams.PaymentBehavior) => ({
    items: [{ id: item, quantity: 3 }],
    proration_behavior: 'always_invoice' as const,
    ...(behavior && { payment_behavior: behavior }),
  });

  /** A subscription half-way in its period, whose first invoice was paid. */
  async function changeable() {
    const world = await halfWay();
    const { id: account } = await world.stripe.paymentMethods.create({
      type: 'sepa_debit',
      sepa_debit: { iban: PAYING_IBAN },
      billing_details: { name: 'Ada', email: 'ada@example.com' },
    });
    await world.stripe.paymentMethods.attach(account, { customer: world.customer });
    return { ...world, account };
  }

  test.each([undefined, 'allow_incomplete', 'error_if_incomplete'] as const)(
    'takes effect before its invoice is paid, with the payment behavior %s',
    async (behavior) => {
      const { stripe, id, item, account } = await changeable();
      await stripe.subscriptions.update(id, { default_payment_method: account });
      expect(await stripe.subscriptions.update(id, more(item, behavior))).toMatchObject({
        status: 'active',
        pending_update: null,
        items: { data: [{ quantity: 3 }] },
      });
      expect(await latestInvoice(stripe, id)).toMatchObject(UNDER_WAY);
    },
  );

  test.each<
    [owner: string, pay: (stripe: Stripe, ids: { id: string; customer: string; account: string }) => unknown]
  >([
    [
      'the subscription',
      (stripe, { id, account }) => stripe.subscriptions.update(id, { default_payment_method: account }),
    ],
    [
      'the customer',
      (stripe, { customer, account }) =>
        stripe.customers.update(customer, { invoice_settings: { default_payment_method: account } }),
    ],
  ])('cannot wait for its payment, if the account is that of %s', async (_owner, pay) => {
    const world = await changeable();
    const { stripe, id, item } = world;
    const change = () => stripe.subscriptions.update(id, more(item, 'pending_if_incomplete'));
    await pay(stripe, world);
    expect(await stripeError(change())).toMatchObject({ statusCode: 400, param: 'payment_behavior' });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ items: { data: [{ quantity: 1 }] } });
  });
});
