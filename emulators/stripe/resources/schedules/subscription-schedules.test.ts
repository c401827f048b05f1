import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { halfWay, HALF_WAY_START, PRO_MONTHLY, PRO_YEARLY, stripeError } from '../../testing.ts';
import type { TestStripe } from '../../testing.ts';

const START = HALF_WAY_START.getTime() / 1000;
const PERIOD_END = START + 28 * 86_400;
const HOUR = 1 / 24;

/** A subscription that is half way through its period, under a schedule. */
async function scheduled(card = 'pm_card_visa') {
  const world = await halfWay(card);
  const schedule = await world.stripe.subscriptionSchedules.create({ from_subscription: world.id });
  return { ...world, schedule };
}

const NOW_PHASE = { start_date: START, end_date: PERIOD_END, items: [{ price: PRO_MONTHLY }] };

/** The subscription changes to one seat of a cheaper plan with the next period. */
async function withDowngrade(params: Partial<Stripe.SubscriptionScheduleUpdateParams> = {}) {
  const world = await scheduled();
  const { stripe, schedule } = world;
  const { id: price } = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [NOW_PHASE, { items: [{ price }] }],
    ...params,
  });
  await world.happened();
  return { ...world, price };
}

const pricesOf = async ({ stripe }: Pick<TestStripe, 'stripe'>, id: string) =>
  (await stripe.subscriptions.retrieve(id)).items.data.map(({ price }) => price.id);

test('a schedule begins with the current period of its subscription', async () => {
  const { stripe, schedule, id } = await scheduled();
  expect(schedule).toMatchObject({
    status: 'active',
    end_behavior: 'release',
    current_phase: { start_date: START, end_date: PERIOD_END },
    phases: [{ items: [{ price: PRO_MONTHLY, quantity: 1 }] }],
    subscription: id,
  });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: schedule.id });
  const again = stripe.subscriptionSchedules.create({ from_subscription: id });
  expect((await stripeError(again)).message).toContain('has the schedule');
});

test('the next phase begins with the next period, without prorations', async () => {
  const world = await withDowngrade();
  const { stripe, id, price } = world;
  expect(await pricesOf(world, id)).toEqual([PRO_MONTHLY]);
  await world.pass(14 + HOUR);
  expect(await world.happened()).toEqual([
    'customer.subscription.updated',
    'subscription_schedule.updated',
    'invoice.created',
    'customer.subscription.updated',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
  ]);
  expect(await pricesOf(world, id)).toEqual([price]);
  const [invoice] = (await stripe.invoices.list({ subscription: id })).data;
  expect(invoice).toMatchObject({ total: 500, lines: { data: [{ amount: 500 }] } });
});

test('after its last phase a schedule releases its subscription, which continues', async () => {
  const world = await withDowngrade();
  const { stripe, id, schedule } = world;
  await world.pass(14 + 40);
  expect(await world.happened()).toContain('subscription_schedule.released');
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'released',
    released_subscription: id,
    subscription: null,
  });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', schedule: null });
});

test('a schedule may end its subscription, which shows the end beforehand', async () => {
  const world = await withDowngrade({ end_behavior: 'cancel' });
  const { stripe, id, schedule } = world;
  const end = Date.parse('2026-03-28T12:00:00Z') / 1000;
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: end });
  await world.pass(60);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled', ended_at: end });
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'completed' });
});

test('a phase with another interval that begins a new period is billed with the phase', async () => {
  const world = await scheduled();
  const { stripe, id, schedule } = world;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [NOW_PHASE, { items: [{ price: PRO_YEARLY }], billing_cycle_anchor: 'phase_start' }],
  });
  await world.pass(14);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    billing_cycle_anchor: PERIOD_END,
    items: { data: [{ current_period_end: Date.parse('2027-02-28T12:00:00Z') / 1000 }] },
  });
});

test('a phase with another interval is billed a year after the old anchor if it begins no new period', async () => {
  const world = await scheduled();
  const { stripe, id, schedule } = world;
  const { billing_cycle_anchor: anchor, latest_invoice: first } = await stripe.subscriptions.retrieve(id);
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [NOW_PHASE, { items: [{ price: PRO_YEARLY }] }],
  });
  await world.pass(60);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    billing_cycle_anchor: anchor,
    latest_invoice: first,
    items: {
      data: [{ price: { id: PRO_YEARLY }, current_period_end: Date.parse('2027-01-31T12:00:00Z') / 1000 }],
    },
  });
});

test('a phase within the period is prorated', async () => {
  const world = await scheduled();
  const { stripe, schedule, customer } = world;
  const middle = START + 21 * 86_400;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { ...NOW_PHASE, end_date: middle },
      { items: [{ price: PRO_MONTHLY, quantity: 3 }], duration: { interval: 'week' } },
    ],
  });
  await world.pass(7);
  const { data } = await stripe.invoiceItems.list({ customer, pending: true });
  expect(data.map(({ amount }) => amount)).toEqual([900, -300]);
});

test('a change of the current phase is applied immediately', async () => {
  const world = await scheduled();
  const { stripe, id, schedule } = world;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [{ ...NOW_PHASE, items: [{ price: PRO_MONTHLY, quantity: 4 }] }],
    proration_behavior: 'none',
  });
  expect((await stripe.subscriptions.retrieve(id)).items.data[0]).toMatchObject({ quantity: 4 });
});

test('a change of the subscription changes the current phase, and its end is left to the schedule', async () => {
  const { stripe, id, item, schedule } = await withDowngrade();
  await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 6 }], proration_behavior: 'none' });
  const { phases } = await stripe.subscriptionSchedules.retrieve(schedule.id);
  expect(phases.map(({ items }) => items[0]?.quantity)).toEqual([6, 1]);
  const ending = stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect((await stripeError(ending)).message).toContain('managed by the subscription schedule');
});

test('a released subscription stays unchanged, and the planned change is discarded', async () => {
  const world = await withDowngrade({ end_behavior: 'cancel' });
  const { stripe, id, schedule } = world;
  await stripe.subscriptionSchedules.release(schedule.id);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: null, cancel_at: null });
  await world.pass(20);
  expect(await pricesOf(world, id)).toEqual([PRO_MONTHLY]);
  expect(await stripeError(stripe.subscriptionSchedules.release(schedule.id))).toMatchObject({
    statusCode: 400,
  });
});

test.each([
  ['the schedule', (s: Stripe, schedule: string) => s.subscriptionSchedules.cancel(schedule)],
  ['the subscription', (s: Stripe, _schedule: string, id: string) => s.subscriptions.cancel(id)],
])('canceling %s ends both', async (_case, act) => {
  const { stripe, id, schedule } = await withDowngrade();
  await act(stripe, schedule.id, id);
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({ status: 'canceled' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled', schedule: null });
});

/** A subscription with a discount and a schedule. */
async function discounted() {
  const world = await halfWay();
  const { stripe, id } = world;
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'forever' });
  const { discounts } = await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  return { ...world, schedule, discount: discounts[0] as string };
}

test.each([
  ['keeps a discount that its phase has', true, 600],
  ['loses a discount that its phase does not have', false, 1200],
])('a subscription %s', async (_case, keeps, total) => {
  const { stripe, id, schedule, discount, pass } = await discounted();
  expect(schedule.phases[0]?.discounts).toMatchObject([{ discount }]);
  const items = [{ price: PRO_MONTHLY }];
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { ...NOW_PHASE, currency: 'usd', discounts: [{ discount }] },
      { items, ...(keeps && { discounts: [{ discount }] }) },
    ],
  });
  expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([discount]);
  await pass(14 + HOUR);
  expect((await stripe.invoices.list({ subscription: id })).data[0]).toMatchObject({ total });
});

test('a current phase without the discount ends the discount immediately', async () => {
  const { stripe, id, schedule } = await discounted();
  await stripe.subscriptionSchedules.update(schedule.id, { phases: [NOW_PHASE] });
  expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([]);
});

test('a phase cannot name an archived price, also if the subscription has it', async () => {
  const { stripe, schedule } = await scheduled();
  await stripe.prices.update(PRO_MONTHLY, { active: false });
  const update = stripe.subscriptionSchedules.update(schedule.id, { phases: [NOW_PHASE] });
  expect(await stripeError(update)).toMatchObject({ statusCode: 400, param: 'phases[0][items][0][price]' });
});

test('a phase cannot name a discount whose coupon was deleted, and the subscription keeps it', async () => {
  const { stripe, id, schedule, discount } = await discounted();
  const [{ id: coupon } = { id: '' }] = (await stripe.coupons.list()).data;
  await stripe.coupons.del(coupon);
  const phases = [{ ...NOW_PHASE, discounts: [{ discount }] }];
  const update = stripe.subscriptionSchedules.update(schedule.id, { phases });
  expect(await stripeError(update)).toMatchObject({ statusCode: 400, code: 'resource_missing' });
  expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([discount]);
});

test('a discount that is removed from the subscription is removed from the current phase', async () => {
  const { stripe, id, schedule } = await discounted();
  await stripe.subscriptions.update(id, { discounts: '' });
  const { phases } = await stripe.subscriptionSchedules.retrieve(schedule.id);
  expect(phases[0]?.discounts).toEqual([]);
});

test('a trial stays in its phase', async () => {
  const { stripe, customer } = await halfWay();
  const end = START + 20 * 86_400;
  const trial = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    trial_end: end,
  });
  const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: trial.id });
  expect(phases).toMatchObject([{ end_date: end, trial_end: end }]);
  const items = [{ price: PRO_MONTHLY }];
  const current = { start_date: phases[0]?.start_date ?? 0, end_date: end, trial_end: end, items };
  await stripe.subscriptionSchedules.update(id, { phases: [current, { items }] });
  const later = stripe.subscriptionSchedules.update(id, { phases: [current, { items, trial_end: end }] });
  expect(await stripeError(later)).toMatchObject({ statusCode: 400, param: 'phases[1][trial_end]' });
});

test('the preview has the price of the next phase, for the current or a changed schedule', async () => {
  const { stripe, id, schedule } = await withDowngrade();
  expect(await stripe.invoices.createPreview({ subscription: id })).toMatchObject({ total: 500 });
  const yearly = await stripe.invoices.createPreview({
    schedule: schedule.id,
    schedule_details: {
      phases: [NOW_PHASE, { items: [{ price: PRO_YEARLY }], billing_cycle_anchor: 'phase_start' }],
    },
  });
  expect(yearly).toMatchObject({ total: 12_000, period_end: PERIOD_END });
  expect(await stripe.invoices.createPreview({ schedule: schedule.id })).toMatchObject({ total: 500 });
});

test('the preview of canceling now has the credit for the rest of the period', async () => {
  const { stripe, id } = await halfWay();
  const preview = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { cancel_now: true },
  });
  expect(preview).toMatchObject({ total: -600, amount_due: 0 });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test.each([
  ['no start of the first phase', [{ items: [{ price: PRO_MONTHLY }] }], 'phases[0][start_date]'],
  ['another start', [{ ...NOW_PHASE, start_date: START + 5 }], 'phases[0][start_date]'],
  ['a gap', [NOW_PHASE, { ...NOW_PHASE, start_date: PERIOD_END + 5 }], 'phases[1][start_date]'],
  ['no items', [{ ...NOW_PHASE, items: [] }], 'phases[0][items]'],
  ['an unknown price', [{ ...NOW_PHASE, items: [{ price: 'price_x' }] }], 'phases[0][items][0][price]'],
  ['another currency', [{ ...NOW_PHASE, currency: 'eur' }], 'phases[0][currency]'],
  [
    'an unknown discount',
    [{ ...NOW_PHASE, discounts: [{ discount: 'di_x' }] }],
    'phases[0][discounts][0][discount]',
  ],
  ['an end in the past', [{ ...NOW_PHASE, end_date: START + 60 }], 'phases[0][end_date]'],
])('phases with %s are refused', async (_case, phases, param) => {
  const { stripe, schedule } = await scheduled();
  const update = stripe.subscriptionSchedules.update(schedule.id, { phases });
  expect(await stripeError(update)).toMatchObject({ statusCode: 400, param });
});

describe('a schedule of a subscription that begins later', () => {
  async function future() {
    const world = await halfWay();
    const { stripe, customer } = world;
    const phases = [{ items: [{ price: PRO_MONTHLY }], duration: { interval: 'month' as const } }];
    const create = (start: number | 'now') =>
      stripe.subscriptionSchedules.create({ customer, phases, start_date: start });
    return { ...world, create, schedule: await create(PERIOD_END) };
  }

  test('has no subscription until then, and is listed as scheduled', async () => {
    const { stripe, customer, schedule } = await future();
    expect(schedule).toMatchObject({
      status: 'not_started',
      current_phase: null,
      subscription: null,
      customer,
      end_behavior: 'release',
      phases: [{ start_date: PERIOD_END, items: [{ price: PRO_MONTHLY, quantity: 1 }] }],
    });
    await stripe.subscriptionSchedules.create({
      from_subscription: (await subscriptionIdOf(stripe, customer)) ?? '',
    });
    const { data } = await stripe.subscriptionSchedules.list({ customer, scheduled: true });
    expect(data.map(({ id }) => id)).toEqual([schedule.id]);
  });

  test('can be canceled once', async () => {
    const { stripe, schedule } = await future();
    expect(await stripe.subscriptionSchedules.cancel(schedule.id)).toMatchObject({ status: 'canceled' });
    expect(await stripeError(stripe.subscriptionSchedules.cancel(schedule.id))).toMatchObject({
      statusCode: 400,
    });
    expect((await stripe.subscriptionSchedules.list({ scheduled: true })).data).toEqual([]);
  });

  test('is refused if it would begin a subscription immediately', async () => {
    const { create } = await future();
    for (const start of ['now', START] as const) {
      expect(await stripeError(create(start))).toMatchObject({ code: 'emulator_unsupported' });
    }
  });

  const subscriptionIdOf = async (stripe: Stripe, customer: string) =>
    (await stripe.subscriptions.list({ customer })).data[0]?.id;
});
