import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  customerWith,
  openCheckout,
  PRO_MONTHLY,
  PRO_YEARLY,
  stripeError,
  submit,
  testStripe,
} from '../testing.ts';

const START = new Date('2026-05-01T00:00:00Z');
const SECONDS = START.getTime() / 1000;
const DAY = 86_400;

/** A meter of calls and a monthly price of 5 cents per call. */
async function meteredPrice(stripe: Stripe, params: Partial<Stripe.Billing.MeterCreateParams> = {}) {
  const meter = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
    ...params,
  });
  const price = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount: 5,
    recurring: { interval: 'month', meter: meter.id, usage_type: 'metered' },
  });
  return { meter: meter.id, price: price.id };
}

async function world() {
  const made = await testStripe({ now: () => START });
  const { customer } = await customerWith(made.stripe, 'pm_card_visa');
  return { ...made, customer, ...(await meteredPrice(made.stripe)) };
}

function report(
  { stripe, customer }: { stripe: Stripe; customer: string },
  value: number,
  params: Partial<Stripe.Billing.MeterEventCreateParams> = {},
) {
  return stripe.billing.meterEvents.create({
    event_name: 'calls',
    payload: { stripe_customer_id: customer, value: String(value) },
    ...params,
  });
}

/** The usage lines and the amounts of a customer's invoices, newest first. */
async function bills({ stripe, customer }: { stripe: Stripe; customer: string }) {
  const { data } = await stripe.invoices.list({ customer });
  return data.map(({ amount_paid: paid, lines, status }) => ({
    paid,
    status,
    quantities: lines.data.map(({ quantity }) => quantity),
  }));
}

test('the renewal bills the usage of the period that has ended, beside the base price', async () => {
  const given = await world();
  const { stripe, customer, price, pass } = given;
  const { items } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }, { price }],
  });
  expect(items.data[1]?.quantity).toBeUndefined();
  expect(await bills(given)).toEqual([{ paid: 1200, status: 'paid', quantities: [1] }]);
  await report(given, 30);
  await report(given, 12);
  await pass(32);
  await report(given, 7);
  expect(await bills(given)).toMatchObject([{ paid: 1200 + 42 * 5, quantities: [42, 1] }, {}]);
  await pass(30);
  expect(await bills(given)).toMatchObject([{ paid: 1200 + 7 * 5, quantities: [7, 1] }, {}, {}]);
});

test('usage from before an item was added is not billed', async () => {
  const given = await world();
  const { stripe, customer, price, pass } = given;
  const { id: subscription } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
  });
  await report(given, 100);
  await pass(1);
  await stripe.subscriptionItems.create({ subscription, price });
  await report(given, 5);
  await pass(31);
  expect(await bills(given)).toMatchObject([{ paid: 1200 + 25, quantities: [5, 1] }, {}]);
});

test('usage that arrives while the draft is open is billed with it', async () => {
  const given = await world();
  const { stripe, customer, price, pass, control } = given;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'forever' });
  await stripe.subscriptions.create({ customer, items: [{ price }], discounts: [{ coupon }] });
  await control('POST', 'clock', { to: SECONDS + 31 * DAY + 60 });
  expect(await bills(given)).toMatchObject([{ status: 'draft', quantities: [0] }, {}]);
  await report(given, 10, { timestamp: SECONDS + 30 * DAY });
  await pass(0.1);
  expect(await bills(given)).toMatchObject([{ status: 'paid', quantities: [10], paid: 25 }, {}]);
});

test('an identifier can be used once within 24 hours', async () => {
  const given = await world();
  const { stripe, customer, meter, pass } = given;
  await report(given, 3, { identifier: 'k1' });
  const again = await stripeError(report(given, 3, { identifier: 'k1' }));
  expect(again).toMatchObject({
    statusCode: 400,
    message: 'An event already exists with identifier k1.',
  });
  await pass(1);
  await report(given, 4, { identifier: 'k1' });
  const range = { customer, start_time: SECONDS, end_time: SECONDS + 2 * DAY };
  expect((await stripe.billing.meters.listEventSummaries(meter, range)).data).toMatchObject([
    { aggregated_value: 7 },
  ]);
});

test('an event that was reported by mistake is cancelled by its identifier', async () => {
  const given = await world();
  const { stripe, customer, meter } = given;
  await report(given, 3, { identifier: 'right' });
  await report(given, 100, { identifier: 'wrong' });
  const cancel = (identifier: string) =>
    stripe.billing.meterEventAdjustments.create({
      event_name: 'calls',
      type: 'cancel',
      cancel: { identifier },
    });
  expect(await cancel('wrong')).toMatchObject({ cancel: { identifier: 'wrong' } });
  expect(await stripeError(cancel('wrong'))).toMatchObject({ code: 'resource_missing' });
  const range = { customer, start_time: SECONDS, end_time: SECONDS + DAY };
  expect((await stripe.billing.meters.listEventSummaries(meter, range)).data).toMatchObject([
    { aggregated_value: 3 },
  ]);
});

test.each<[string, Partial<Stripe.Billing.MeterCreateParams>, number]>([
  ['sum', { default_aggregation: { formula: 'sum' } }, 60],
  ['count', { default_aggregation: { formula: 'count' } }, 4],
  ['last', { default_aggregation: { formula: 'last' } }, 10],
  ['sum of the last of each hour', { event_time_window: 'hour' }, 40],
])('a meter aggregates by %s', async (_case, params, expected) => {
  const { stripe } = await testStripe({ now: () => START });
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const { meter } = await meteredPrice(stripe, params);
  for (const [minute, value] of [
    [-180, 20],
    [-120, 20],
    [-90, 10],
    [-60, 10],
  ] as const) {
    await report({ stripe, customer }, value, { timestamp: SECONDS + minute * 60 });
  }
  const { data } = await stripe.billing.meters.listEventSummaries(meter, {
    customer,
    start_time: SECONDS - DAY,
    end_time: SECONDS,
  });
  expect(data).toMatchObject([{ aggregated_value: expected, meter }]);
});

test('summaries are grouped by hours and days, newest first, in pages', async () => {
  const given = await world();
  const { stripe, customer, meter } = given;
  for (const hour of [1, 2, 2, 30]) await report(given, hour, { timestamp: SECONDS - 2 * DAY + hour * 3600 });
  const list = async (params: Partial<Stripe.Billing.MeterListEventSummariesParams>) =>
    (
      await stripe.billing.meters.listEventSummaries(meter, {
        customer,
        start_time: SECONDS - 2 * DAY,
        end_time: SECONDS,
        ...params,
      })
    ).data;
  const values = (rows: Stripe.Billing.MeterEventSummary[]) => rows.map((row) => row.aggregated_value);
  expect(values(await list({ value_grouping_window: 'hour' }))).toEqual([30, 4, 1]);
  expect(values(await list({ value_grouping_window: 'day' }))).toEqual([30, 5]);
  const [first] = await list({ value_grouping_window: 'day', limit: 1 });
  const rest = await list({ value_grouping_window: 'day', starting_after: first?.id ?? '' });
  expect(values(rest)).toEqual([5]);
  const crooked = list({ value_grouping_window: 'day', start_time: SECONDS - 3600 });
  expect(await stripeError(crooked)).toMatchObject({ param: 'start_time' });
});

test('a subscription that ends with its period gets a last invoice for its usage', async () => {
  const given = await world();
  const { stripe, customer, price, pass } = given;
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }, { price }] });
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await report(given, 8);
  await pass(32);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
  expect(await bills(given)).toMatchObject([{ status: 'paid', paid: 40, quantities: [8] }, {}]);
});

test('the usage of a trial is free', async () => {
  const given = await world();
  const { stripe, customer, price, pass } = given;
  await stripe.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7 });
  await report(given, 1000);
  await pass(8);
  expect(await bills(given)).toMatchObject([{ paid: 0, quantities: [] }, { paid: 0 }]);
});

test('a new period with another interval bills the usage until now', async () => {
  const given = await world();
  const { stripe, customer, price, pass } = given;
  const { id, items } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }, { price }],
  });
  await report(given, 8);
  await pass(1);
  const [base, usage] = items.data.map((item) => item.id);
  await stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    items: [
      { id: base ?? '', price: PRO_YEARLY },
      { id: usage ?? '', deleted: true },
    ],
    proration_behavior: 'none',
  });
  expect(await bills(given)).toMatchObject([{ paid: 12_000 + 40, quantities: [8, 1] }, {}]);
});

test('a checkout sells a metered price without a quantity, and nothing is due for it now', async () => {
  const { stripe, customer, price } = await world();
  const session = await openCheckout(stripe, { customer, line_items: [{ price }] });
  expect(session.amount_total).toBe(0);
  const page = await (await fetch(session.url)).text();
  for (const text of ['$0.05 per unit used', 'Card number', 'Pay $0.00']) expect(page).toContain(text);
  await submit(session.url);
  expect(await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })).toMatchObject({
    payment_status: 'no_payment_required',
    subscription: { status: 'active' },
  });
});

test('a fraction of a cent is a price', async () => {
  const given = await world();
  const { stripe, customer, meter, pass } = given;
  const { id, ...price } = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount_decimal: 0.25 as unknown as Stripe.Decimal,
    recurring: { interval: 'month', meter, usage_type: 'metered' },
  });
  expect([price.unit_amount, String(price.unit_amount_decimal)]).toEqual([null, '0.25']);
  await stripe.subscriptions.create({ customer, items: [{ price: id }] });
  await report(given, 110);
  await pass(32);
  expect(await bills(given)).toMatchObject([{ paid: 28, quantities: [110] }, {}]);
});

test('a customer with a test clock reports in the time of the clock', async () => {
  const { stripe } = await testStripe({ now: () => START });
  const { price } = await meteredPrice(stripe);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: SECONDS - 100 * DAY });
  const { customer } = await customerWith(stripe, 'pm_card_visa', { test_clock: clock.id });
  await stripe.subscriptions.create({ customer, items: [{ price }] });
  expect(await report({ stripe, customer }, 9)).toMatchObject({ timestamp: SECONDS - 100 * DAY });
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: SECONDS - 60 * DAY });
  expect(await bills({ stripe, customer })).toMatchObject([{ paid: 45 }, {}]);
});

test.each<[string, Partial<Stripe.Billing.MeterEventCreateParams>, object]>([
  ['an unknown name', { event_name: 'nothing' }, { param: 'event_name' }],
  ['an old time', { timestamp: SECONDS - 36 * DAY }, { param: 'timestamp' }],
  ['a future time', { timestamp: SECONDS + 600 }, { param: 'timestamp' }],
])('an event with %s is refused', async (_case, params, expected) => {
  const given = await world();
  expect(await stripeError(report(given, 1, params))).toMatchObject({ statusCode: 400, ...expected });
});

test.each(['1.5', 'many', ''])('the value "%s" is accepted and counts nothing', async (value) => {
  const given = await world();
  const { stripe, customer, price, pass } = given;
  await stripe.subscriptions.create({ customer, items: [{ price }] });
  const payload = { stripe_customer_id: customer, value };
  expect(await report(given, 1, { payload })).toMatchObject({ payload });
  await report(given, 8);
  await pass(32);
  expect(await bills(given)).toMatchObject([{ paid: 40, quantities: [8] }, {}]);
});

test('an event of a deleted customer is accepted, and its identifier is used up', async () => {
  const given = await world();
  await given.stripe.customers.del(given.customer);
  expect(await report(given, 1, { identifier: 'one' })).toMatchObject({ identifier: 'one' });
  const again = report(given, 1, { identifier: 'one' });
  expect((await stripeError(again)).message).toContain('already exists with identifier one');
});

test('an inactive meter takes no events, and its name is free', async () => {
  const given = await world();
  const { stripe, meter, happened } = given;
  await happened();
  expect(await stripe.billing.meters.deactivate(meter)).toMatchObject({ status: 'inactive' });
  expect(await stripeError(report(given, 1))).toMatchObject({ param: 'event_name' });
  const { meter: other } = await meteredPrice(stripe);
  expect(await stripeError(stripe.billing.meters.reactivate(meter))).toMatchObject({ param: 'event_name' });
  await stripe.billing.meters.deactivate(other);
  await stripe.billing.meters.reactivate(meter);
  expect((await happened()).filter((type) => type.startsWith('billing.meter'))).toEqual([
    'billing.meter.deactivated',
    'billing.meter.created',
    'billing.meter.deactivated',
    'billing.meter.reactivated',
  ]);
});

test.each<[string, object, string]>([
  ['without a meter', { usage_type: 'metered' }, 'recurring[meter]'],
  ['with an unknown meter', { usage_type: 'metered', meter: 'mtr_x' }, 'recurring[meter]'],
  ['that is licensed, with a meter', { meter: 'METER' }, 'recurring[meter]'],
])('a price %s is refused', async (_case, recurring, param) => {
  const { stripe, meter } = await world();
  const given = JSON.parse(JSON.stringify(recurring).replace('METER', meter)) as object;
  const creating = stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount: 5,
    recurring: { interval: 'month', ...given },
  });
  expect(await stripeError(creating)).toMatchObject({ statusCode: 400, param });
});

test('a metered item takes no quantity', async () => {
  const { stripe, customer, price } = await world();
  const wrong = [
    stripe.subscriptions.create({ customer, items: [{ price, quantity: 2 }] }),
    openCheckout(stripe, { line_items: [{ price, quantity: 2 }] }),
  ];
  for (const call of wrong) expect((await stripeError(call)).message).toContain('metered');
});

test('the portal lists a metered subscription and does not change it', async () => {
  const { stripe, customer, price } = await world();
  await stripe.subscriptions.create({ customer, items: [{ price }] });
  const { url } = await stripe.billingPortal.sessions.create({ customer });
  expect(await (await fetch(url)).text()).not.toContain('Change plan');
});
