import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  customerWith,
  halfWay,
  HALF_WAY_START as START,
  PRO_MONTHLY,
  PRO_YEARLY,
  stripeError,
  testStripe,
} from '../../testing.ts';
import type { TestStripe } from '../../testing.ts';

const amounts = async ({ stripe }: Pick<TestStripe, 'stripe'>, invoice: unknown): Promise<number[]> => {
  const { data } = await stripe.invoices.listLineItems(typeof invoice === 'string' ? invoice : '');
  return data.map(({ amount }) => amount);
};

test('more seats: the difference waits for the next invoice, as two prorations', async () => {
  const world = await halfWay();
  const { stripe, id, item, customer } = world;
  await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 3 }] });
  expect(await world.happened()).toEqual([
    'invoiceitem.created',
    'invoiceitem.created',
    'customer.subscription.updated',
  ]);
  const { data: waiting } = await stripe.invoiceItems.list({ customer, pending: true });
  expect(waiting.map(({ amount, proration, description }) => [amount, proration, description])).toEqual([
    [1800, true, 'Remaining time on 3 × Pro after 14 Feb 2026'],
    [-600, true, 'Unused time on Pro after 14 Feb 2026'],
  ]);
  await world.pass(14);
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(id);
  expect(await amounts(world, invoice)).toEqual([-600, 1800, 3600]);
  expect((await stripe.invoiceItems.list({ pending: true })).data).toEqual([]);
});

test('the difference is invoiced and paid immediately, and the period stays', async () => {
  const world = await halfWay();
  const { stripe, id, item } = world;
  const changed = await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  });
  expect(changed.latest_invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_update',
    total: 1200,
  });
  expect(changed.items.data[0]).toMatchObject({
    quantity: 3,
    current_period_start: START.getTime() / 1000,
  });
});

test('without proration only the quantity changes', async () => {
  const world = await halfWay();
  const { stripe, id, item } = world;
  await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 3 }], proration_behavior: 'none' });
  expect(await world.happened()).toEqual(['customer.subscription.updated']);
  expect((await stripe.invoiceItems.list()).data).toEqual([]);
});

test('another interval with a new anchor begins a new period, paid immediately, less the unused time', async () => {
  const world = await halfWay();
  const { stripe, id, item } = world;
  const now = START.getTime() / 1000 + 14 * 86_400;
  const items = [{ id: item, price: PRO_YEARLY }];
  const yearly = await stripe.subscriptions.update(id, { items, billing_cycle_anchor: { type: 'now' } });
  expect(yearly).toMatchObject({ status: 'active', billing_cycle_anchor: now });
  expect(yearly.items.data[0]).toMatchObject({
    price: { id: PRO_YEARLY },
    plan: { interval: 'year' },
    current_period_start: now,
    current_period_end: Date.parse('2027-02-14T12:00:00Z') / 1000,
  });
  expect(await amounts(world, yearly.latest_invoice)).toEqual([-600, 12_000]);
});

test('another interval with the old anchor is not supported', async () => {
  const { stripe, id, item } = await halfWay();
  const items = [{ id: item, price: PRO_YEARLY }];
  expect(await stripeError(stripe.subscriptions.update(id, { items }))).toMatchObject({
    code: 'emulator_unsupported',
  });
});

test('credit that is left over pays for the next invoices', async () => {
  const world = await halfWay();
  const { stripe, id, item, customer } = world;
  await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    proration_behavior: 'always_invoice',
  });
  const less = await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 1 }],
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  });
  expect(less.latest_invoice).toMatchObject({
    status: 'paid',
    total: -1200,
    amount_due: 0,
    ending_balance: -1200,
  });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -1200 });
  await world.pass(14.1);
  const { latest_invoice: renewal } = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(renewal).toMatchObject({ total: 1200, amount_due: 0, starting_balance: -1200, ending_balance: 0 });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
});

test('if the card is declined, the subscription becomes past due, or the change is not made', async () => {
  const world = await halfWay('pm_card_chargeCustomerFail');
  const { stripe, id, item } = world;
  const change = { items: [{ id: item, quantity: 3 }], proration_behavior: 'always_invoice' as const };
  const refused = await stripeError(
    stripe.subscriptions.update(id, { ...change, payment_behavior: 'error_if_incomplete' }),
  );
  expect(refused).toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
  expect(await world.happened()).toEqual([]);
  expect((await stripe.subscriptionItems.retrieve(item)).quantity).toBe(1);
  expect(await stripe.subscriptions.update(id, change)).toMatchObject({ status: 'past_due' });
});

test('items can be added and removed, but not all of them', async () => {
  const world = await halfWay();
  const { stripe, id, item } = world;
  const { id: extra } = await stripe.prices.create({
    product: 'prod_local_free',
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  const added = await stripe.subscriptionItems.create({ subscription: id, price: extra, quantity: 2 });
  expect(added).toMatchObject({ subscription: id, quantity: 2, price: { id: extra } });
  const { data } = await stripe.subscriptionItems.list({ subscription: id });
  expect(data.map(({ price }) => price.id)).toEqual([PRO_MONTHLY, extra]);
  await stripe.subscriptionItems.del(item);
  expect((await stripe.subscriptions.retrieve(id)).items.data.map(({ id: left }) => left)).toEqual([
    added.id,
  ]);
  expect(await stripeError(stripe.subscriptionItems.del(added.id))).toMatchObject({ statusCode: 400 });
});

test('the quantity of an item can be changed on its own', async () => {
  const world = await halfWay();
  const { stripe, id, item, customer } = world;
  expect(await stripe.subscriptionItems.update(item, { quantity: 2, metadata: { team: 'a' } })).toMatchObject(
    {
      quantity: 2,
      metadata: { team: 'a' },
    },
  );
  expect((await stripe.subscriptions.retrieve(id)).items.data[0]?.quantity).toBe(2);
  const { data } = await stripe.invoiceItems.list({ customer });
  expect(data.map(({ amount }) => amount)).toEqual([1200, -600]);
  await stripe.subscriptionItems.update(item, { quantity: 2 });
  expect((await stripe.invoiceItems.list({ customer })).data).toHaveLength(2);
});

test('a preview has the cost of a change, and changes nothing', async () => {
  const world = await halfWay();
  const { stripe, id, item, customer } = world;
  const now = await stripe.invoices.createPreview({
    customer,
    subscription: id,
    subscription_details: { items: [{ id: item, quantity: 3 }], proration_behavior: 'always_invoice' },
  });
  expect(now).toMatchObject({ status: 'draft', amount_due: 1200, number: null, attempted: false });
  expect(now.lines.data.map(({ amount }) => amount)).toEqual([-600, 1800]);
  const later = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { items: [{ id: item, quantity: 3 }] },
  });
  expect(later.lines.data.map(({ amount }) => amount)).toEqual([-600, 1800, 3600]);
  expect((await stripe.invoices.createPreview({ subscription: id })).total).toBe(1200);
  expect(await world.happened()).toEqual([]);
  expect((await stripe.invoices.list()).data).toHaveLength(1);
});

test.each<[what: string, details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails]>([
  ['a change', {}],
  ['items', { items: [] }],
  ['prorations', { items: [{ price: PRO_MONTHLY }], proration_behavior: 'none' }],
])('a preview with a date of proration is refused without %s', async (_what, details) => {
  const { stripe, id } = await halfWay();
  const preview = stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { ...details, proration_date: Math.floor(START.getTime() / 1000) },
  });
  expect(await stripeError(preview)).toMatchObject({
    statusCode: 400,
    param: 'subscription_details[proration_date]',
  });
});

test('a preview of a subscription to come has its first invoice', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create();
  const preview = await stripe.invoices.createPreview({
    customer,
    subscription_details: { items: [{ price: PRO_MONTHLY, quantity: 4 }] },
  });
  expect(preview).toMatchObject({ total: 4800, billing_reason: 'subscription_create' });
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
});

test('there is no upcoming invoice for a subscription that ends with its period', async () => {
  const { stripe, id } = await halfWay();
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect(await stripeError(stripe.invoices.createPreview({ subscription: id }))).toMatchObject({
    statusCode: 404,
    code: 'invoice_upcoming_none',
  });
});

test('a trial can be ended now, prolonged, or given later', async () => {
  const world = await testStripe({ now: () => START });
  const { stripe } = world;
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    trial_period_days: 30,
  });
  const soon = START.getTime() / 1000 + 86_400;
  await world.happened();
  expect(await stripe.subscriptions.update(id, { trial_end: soon })).toMatchObject({ trial_end: soon });
  expect(await world.happened()).toEqual([
    'customer.subscription.updated',
    'customer.subscription.trial_will_end',
  ]);
  const ended = await stripe.subscriptions.update(id, { trial_end: 'now', expand: ['latest_invoice'] });
  expect(ended).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 1200 } });
  expect(await stripe.subscriptions.update(id, { trial_end: soon })).toMatchObject({ status: 'trialing' });
  const past = stripe.subscriptions.update(id, { trial_end: 5 });
  expect(await stripeError(past)).toMatchObject({ param: 'trial_end' });
});

test('while collection is paused, invoices are void, and collection resumes by itself', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  const resumes = START.getTime() / 1000 + 40 * 86_400;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: resumes } });
  await world.pass(20);
  const paused = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  expect(paused).toMatchObject({ status: 'active', latest_invoice: { status: 'void' } });
  await world.pass(7);
  expect((await stripe.subscriptions.retrieve(id)).pause_collection).toBeNull();
});

test('the invoices of a paused collection can wait as drafts', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  await world.pass(50);
  const { data } = await stripe.invoices.list({ subscription: id, status: 'draft' });
  expect(data).toHaveLength(2);
  await stripe.subscriptions.update(id, { pause_collection: '' });
  expect(await stripe.invoices.finalizeInvoice(data[1]?.id ?? '', { auto_advance: true })).toMatchObject({
    status: 'paid',
  });
});

test('a paused subscription costs nothing, and a new period begins when it is resumed', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  expect(await stripe.subscriptions.pause(id)).toMatchObject({
    status: 'paused',
    status_details: { paused: { subscription: { type: 'pause_requested' } } },
  });
  expect(await world.happened()).toEqual(['customer.subscription.updated', 'customer.subscription.paused']);
  await world.pass(100);
  expect(await world.happened()).toEqual([]);
  const resumed = await stripe.subscriptions.resume(id, {
    payment_behavior: 'resume_on_payment_success',
    expand: ['latest_invoice'],
  });
  expect(resumed).toMatchObject({ status: 'active', latest_invoice: { status: 'paid' } });
  expect(await world.happened()).toContain('customer.subscription.resumed');
  expect(await stripeError(stripe.subscriptions.resume(id))).toMatchObject({ statusCode: 400 });
});

test('a paused subscription whose period is over ends now when it is cancelled for the end of its period', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  await stripe.subscriptions.pause(id);
  await world.pass(100);

  const { cancel_at: cancelAt } = await stripe.subscriptions.update(id, { cancel_at_period_end: true });

  const ended = await stripe.subscriptions.retrieve(id);
  expect(ended).toMatchObject({ status: 'canceled', ended_at: cancelAt });
  const [latest] = (await stripe.events.list({ type: 'customer.subscription.*', limit: 1 })).data;
  expect(latest).toMatchObject({ type: 'customer.subscription.deleted', created: cancelAt });
});

test('a subscription resumed without a working card stays paused until its invoice is paid', async () => {
  const world = await halfWay('pm_card_chargeCustomerFail');
  const { stripe, id, method } = world;
  await stripe.subscriptions.pause(id);
  const { status, latest_invoice: invoice } = await stripe.subscriptions.resume(id, {
    payment_behavior: 'resume_on_payment_success',
  });
  expect(status).toBe('paused');
  await stripe.invoices.pay(typeof invoice === 'string' ? invoice : '', { payment_method: method });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('the end of a subscription can be scheduled for a time', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  const cancelAt = START.getTime() / 1000 + 20 * 86_400;
  expect(await stripe.subscriptions.update(id, { cancel_at: cancelAt })).toMatchObject({
    cancel_at: cancelAt,
    cancel_at_period_end: false,
  });
  await world.pass(6);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled', ended_at: cancelAt });
});

test.each([
  [
    'an unknown item',
    { items: [{ id: 'si_x', quantity: 2 }] },
    { code: 'resource_missing', param: 'items[0][id]' },
  ],
  [
    'an unknown price',
    { items: [{ price: 'price_x' }] },
    { code: 'resource_missing', param: 'items[0][price]' },
  ],
  ['an item without a price', { items: [{ quantity: 2 }] }, { code: 'parameter_missing' }],
  ['two intervals', { items: [{ price: PRO_YEARLY }] }, { param: 'items' }],
  ['a negative quantity', { items: [{ quantity: -1 }] }, { param: 'items[0][quantity]' }],
  [
    'a date outside of the period',
    { items: [{ price: PRO_MONTHLY }], proration_date: 5 },
    { param: 'proration_date' },
  ],
  ['two ends', { cancel_at: 2_000_000_000, cancel_at_period_end: true }, { param: 'cancel_at' }],
  ['an end in the past', { cancel_at: 5 }, { param: 'cancel_at' }],
  ["somebody else's card", { default_payment_method: 'pm_x' }, { code: 'resource_missing' }],
  ['a parameter that is not built', { default_tax_rates: ['txr_x'] }, { code: 'emulator_unsupported' }],
  [
    'an unknown parameter',
    { items: [{ color: 'red' }] },
    { code: 'parameter_unknown', param: 'items[0][color]' },
  ],
])('a change with %s is refused, and nothing happens', async (_case, params, expected) => {
  const world = await halfWay();
  const error = await stripeError(world.stripe.subscriptions.update(world.id, params as object));
  expect(error).toMatchObject({ statusCode: 400, ...expected });
  expect(await world.happened()).toEqual([]);
});
