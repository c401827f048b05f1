import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, stripeError, testStripe } from '../testing.ts';
import type { TestStripe } from '../testing.ts';

const START = new Date('2026-01-31T12:00:00Z');
const seconds = (iso: string): number => Date.parse(iso) / 1000;
const HOUR = 1 / 24;

/** A monthly Pro subscription from January 31; the period ends after 28 days. */
async function pro(
  { stripe }: TestStripe,
  params: Partial<Parameters<TestStripe['stripe']['subscriptions']['create']>[0]> = {},
  card = 'pm_card_visa',
) {
  const { customer, method } = await customerWith(stripe, card);
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }], ...params });
  return { customer, method, id };
}

const atStart = (options = {}) => testStripe({ now: () => START, ...options });

test('a period renews: a draft immediately, paid an hour later, and the next period ends on the day of the first', async () => {
  const world = await atStart();
  const { id } = await pro(world);
  await world.happened();
  await world.pass(28);
  expect(await world.happened()).toEqual(['invoice.created', 'customer.subscription.updated']);
  const draft = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(draft).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'draft', billing_reason: 'subscription_cycle', amount_due: 1200, number: null },
    items: {
      data: [
        {
          current_period_start: seconds('2026-02-28T12:00:00Z'),
          current_period_end: seconds('2026-03-31T12:00:00Z'),
        },
      ],
    },
  });
  await world.pass(HOUR);
  expect(await world.happened()).toEqual(['invoice.finalized', 'invoice.paid', 'invoice.payment_succeeded']);
  const { data } = await world.stripe.invoices.list({ subscription: id });
  expect(data.map(({ status, number }) => [status, number?.slice(-4)])).toEqual([
    ['paid', '0002'],
    ['paid', '0001'],
  ]);
});

test('every event has its own time, regardless of how far the clock is advanced', async () => {
  const world = await atStart();
  const { id } = await pro(world);
  await world.pass(100);
  const { data } = await world.stripe.invoices.list({ subscription: id });
  expect(data.map(({ created }) => created)).toEqual(
    ['2026-04-30T12:00:00Z', '2026-03-31T12:00:00Z', '2026-02-28T12:00:00Z', '2026-01-31T12:00:00Z'].map(
      seconds,
    ),
  );
  const { data: events } = await world.stripe.events.list({ type: 'invoice.paid' });
  expect(events[0]?.created).toBe(seconds('2026-04-30T13:00:00Z'));
});

test('a trial costs nothing, sends an event three days before its end, and then becomes a paid period', async () => {
  const world = await atStart();
  const { id } = await pro(world, { trial_period_days: 14 });
  const trial = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(trial).toMatchObject({
    status: 'trialing',
    trial_start: seconds('2026-01-31T12:00:00Z'),
    trial_end: seconds('2026-02-14T12:00:00Z'),
    latest_invoice: { status: 'paid', total: 0 },
  });
  await world.happened();
  await world.pass(11);
  expect(await world.happened()).toEqual(['customer.subscription.trial_will_end']);
  await world.pass(1);
  expect(await world.happened()).toEqual([]);
  await world.pass(2 + HOUR);
  expect(await world.happened()).toEqual([
    'invoice.created',
    'customer.subscription.updated',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
  ]);
  const paid = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(paid).toMatchObject({ status: 'active', latest_invoice: { total: 1200 } });
  expect(paid.items.data[0]?.current_period_end).toBe(seconds('2026-03-14T12:00:00Z'));
});

test.each([
  ['cancel', 'canceled', 'customer.subscription.deleted'],
  ['pause', 'paused', 'customer.subscription.paused'],
  ['create_invoice', 'past_due', 'invoice.payment_failed'],
] as const)('a trial that ends without a card and %ss is %s', async (behavior, status, event) => {
  const world = await atStart();
  const { id: customer } = await world.stripe.customers.create();
  const { id } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    trial_period_days: 7,
    trial_settings: { end_behavior: { missing_payment_method: behavior } },
  });
  await world.pass(7 + HOUR);
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ status });
  expect(await world.happened()).toContain(event);
});

test('a renewal that fails is tried again after 3, 5 and 7 days; then the subscription is canceled', async () => {
  const world = await atStart();
  const { id } = await pro(world);
  await failFromNowOn(world, id);
  await world.happened();
  await world.pass(28 + HOUR);
  expect(await world.happened()).toEqual([
    'invoice.created',
    'customer.subscription.updated',
    'invoice.finalized',
    'invoice.payment_failed',
    'customer.updated',
    'customer.subscription.updated',
  ]);
  const attempts = [3, 5, 7];
  for (const [index, days] of attempts.entries()) {
    const { latest_invoice: invoice, status } = await world.stripe.subscriptions.retrieve(id, {
      expand: ['latest_invoice'],
    });
    expect(status).toBe('past_due');
    expect(invoice).toMatchObject({ status: 'open', attempt_count: index + 1 });
    await world.pass(days);
    expect(await world.happened()).toContain('invoice.payment_failed');
  }
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  });
  await world.pass(60);
  expect(await world.happened()).toEqual([]);
});

test('a card that works in time makes a past due subscription active', async () => {
  const world = await atStart();
  const { id, customer } = await pro(world);
  await failFromNowOn(world, id);
  await world.pass(28 + HOUR);
  const { id: working } = await world.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
  await world.stripe.subscriptions.update(id, { default_payment_method: working });
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
  await world.pass(3);
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('with another dunning plan a subscription becomes unpaid, and its invoices stay drafts until somebody pays', async () => {
  const world = await atStart({ dunning: { retryAfterDays: [1], then: 'unpaid' } });
  const { id, method } = await pro(world);
  await failFromNowOn(world, id);
  await world.pass(28 + HOUR + 1);
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'unpaid' });
  await world.pass(31);
  const { latest_invoice: latest } = await world.stripe.subscriptions.retrieve(id, {
    expand: ['latest_invoice'],
  });
  expect(latest).toMatchObject({ status: 'draft', auto_advance: false });
  const invoice = typeof latest === 'object' && latest ? latest.id : '';
  await world.stripe.invoices.pay(invoice, { payment_method: method });
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('a subscription is incomplete after a failed first payment, and expires after 23 hours', async () => {
  const world = await atStart();
  const { id } = await pro(world, {}, 'pm_card_chargeCustomerFail');
  expect(await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).toMatchObject({
    status: 'incomplete',
    latest_invoice: { status: 'open', attempt_count: 1, next_payment_attempt: null },
  });
  await world.happened();
  await world.pass(23 * HOUR);
  expect(await world.happened()).toEqual(['invoice.voided', 'customer.subscription.updated']);
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'incomplete_expired' });
});

test('a subscription canceled for the end of its period ends then and is not invoiced again', async () => {
  const world = await atStart();
  const { id } = await pro(world);
  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await world.happened();
  await world.pass(40);
  expect(await world.happened()).toEqual(['customer.subscription.deleted']);
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    ended_at: seconds('2026-02-28T12:00:00Z'),
    cancel_at_period_end: true,
  });
});

test('the clock goes forward only, and a reset brings it back', async () => {
  const world = await atStart();
  expect(await (await world.control('GET', 'clock')).json()).toEqual({
    now: START.getTime() / 1000,
    iso: '2026-01-31T12:00:00.000Z',
  });
  const moved = await world.control('POST', 'clock', { to: '2026-02-01T00:00:00Z' });
  expect(await moved.json()).toMatchObject({ iso: '2026-02-01T00:00:00.000Z' });
  for (const order of [
    { to: '2026-01-31T12:00:00Z' },
    { to: 5 },
    { advance: -1 },
    {},
    { advance: 1, to: 2 },
  ]) {
    expect((await world.control('POST', 'clock', order)).status).toBe(400);
  }
  world.local.reset();
  expect(await (await world.control('GET', 'clock')).json()).toMatchObject({ now: START.getTime() / 1000 });
});

test('a test clock moves its own customers, and nobody else', async () => {
  const world = await atStart();
  const { stripe } = world;
  const frozen = seconds('2030-05-01T00:00:00Z');
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: frozen, name: 'May' });
  const { customer } = await customerWith(stripe, 'pm_card_visa', { test_clock: clock.id });
  const subscription = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  const other = await pro(world);
  expect(subscription).toMatchObject({ created: frozen, test_clock: clock.id });
  await world.happened();
  const advancing = await stripe.testHelpers.testClocks.advance(clock.id, {
    frozen_time: seconds('2030-06-01T01:00:00Z'),
  });
  expect(advancing.status).toBe('advancing');
  expect(await stripe.testHelpers.testClocks.retrieve(clock.id)).toMatchObject({ status: 'ready' });
  expect(await world.happened()).toEqual([
    'test_helpers.test_clock.advancing',
    'invoice.created',
    'customer.subscription.updated',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'test_helpers.test_clock.ready',
  ]);
  expect((await stripe.invoices.list({ subscription: other.id })).data).toHaveLength(1);
  await world.pass(1000);
  expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2);
});

test('the objects of a test clock are listed for it alone and deleted with it', async () => {
  const { stripe } = await atStart();
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: seconds('2030-01-01T00:00:00Z') });
  const { customer } = await customerWith(stripe, 'pm_card_visa', { test_clock: clock.id });
  await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.subscriptions.list()).data).toEqual([]);
  expect((await stripe.customers.list({ test_clock: clock.id })).data).toHaveLength(1);
  expect((await stripe.subscriptions.list({ test_clock: clock.id })).data).toHaveLength(1);
  await stripe.testHelpers.testClocks.del(clock.id);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(await stripeError(stripe.testHelpers.testClocks.retrieve(clock.id))).toMatchObject({
    statusCode: 404,
  });
});

test('a test clock goes forward only, and must exist before a customer uses it', async () => {
  const { stripe } = await atStart();
  const { id } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_900_000_000 });
  const back = stripe.testHelpers.testClocks.advance(id, { frozen_time: 1_900_000_000 });
  expect(await stripeError(back)).toMatchObject({ statusCode: 400, param: 'frozen_time' });
  expect(await stripeError(stripe.customers.create({ test_clock: 'clock_x' }))).toMatchObject({
    code: 'resource_missing',
    param: 'test_clock',
  });
});

/** From the next charge on, the subscription's card fails. */
async function failFromNowOn({ stripe }: TestStripe, id: string): Promise<void> {
  const { data } = await stripe.customers.list({ limit: 1 });
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: data[0]?.id ?? '',
  });
  await stripe.subscriptions.update(id, { default_payment_method: failing });
}
