import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { halfWay, HALF_WAY_START, PRO_MONTHLY, PRO_YEARLY, stripeError } from '../../testing.ts';

const NOW = HALF_WAY_START.getTime() / 1000 + 14 * 86_400;
const HOUR = 1 / 24;

/** A subscription whose card failed when a third seat was to be invoiced immediately. */
async function withPendingSeats(params: Partial<Stripe.SubscriptionUpdateParams> = {}) {
  const world = await halfWay('pm_card_chargeCustomerFail');
  const { stripe, id, item } = world;
  const answer = await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
    ...params,
  });
  const { latest_invoice: latest } = answer;
  return { ...world, answer, invoice: typeof latest === 'string' ? latest : '' };
}

test('a change is pending if the card is declined, and the subscription stays unchanged', async () => {
  const world = await withPendingSeats();
  const { stripe, answer, invoice } = world;
  expect(answer).toMatchObject({
    status: 'active',
    items: { data: [{ quantity: 1 }] },
    pending_update: {
      expires_at: NOW + 23 * 3600,
      subscription_items: [{ quantity: 3 }],
      trial_end: null,
    },
  });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
    status: 'open',
    total: 1200,
    attempted: true,
    next_payment_attempt: null,
  });
  expect(await world.happened()).toEqual([
    'invoiceitem.created',
    'invoiceitem.created',
    'invoice.created',
    'invoice.finalized',
    'customer.subscription.updated',
    'invoice.payment_failed',
  ]);
});

test('a pending update changes the current phase of a schedule only when it is paid', async () => {
  const { stripe, id, item, method } = await halfWay('pm_card_chargeCustomerFail');
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const quantity = async () => {
    const { phases } = await stripe.subscriptionSchedules.retrieve(schedule.id);
    return phases[0]?.items[0]?.quantity;
  };
  const { latest_invoice: latest } = await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
  });
  expect(await quantity()).toBe(1);
  await stripe.invoices.pay(latest as string, { payment_method: method });
  expect(await quantity()).toBe(3);
  expect((await stripe.subscriptions.retrieve(id)).schedule).toBe(schedule.id);
});

test('paying the invoice applies the pending update', async () => {
  const world = await withPendingSeats({ metadata: { seats: '3' } });
  const { stripe, id, invoice, method } = world;
  await stripe.subscriptions.update(id, { metadata: { other: '1' } });
  await world.happened();
  await stripe.invoices.pay(invoice, { payment_method: method });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'active',
    pending_update: null,
    items: { data: [{ quantity: 3 }] },
    metadata: { seats: '3', other: '1' },
  });
  expect(await world.happened()).toEqual([
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'customer.subscription.pending_update_applied',
  ]);
});

test('a further failed payment does not change the pending update', async () => {
  const { stripe, id, answer, invoice } = await withPendingSeats();
  expect(await stripeError(stripe.invoices.pay(invoice))).toMatchObject({ code: 'card_declined' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'active',
    pending_update: answer.pending_update,
  });
});

test('after 23 hours the pending update is discarded and its invoice is void', async () => {
  const world = await withPendingSeats();
  const { stripe, id, invoice } = world;
  await world.happened();
  await world.pass(23 * HOUR);
  expect(await world.happened()).toEqual([
    'invoice.voided',
    'customer.subscription.updated',
    'customer.subscription.pending_update_expired',
  ]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'active',
    pending_update: null,
    items: { data: [{ quantity: 1 }] },
  });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'void' });
});

test('a pending update expires with the period, when that ends within 23 hours', async () => {
  const world = await halfWay('pm_card_chargeCustomerFail');
  await world.pass(13.5);
  const { pending_update: pending } = await world.stripe.subscriptions.update(world.id, {
    items: [{ id: world.item, quantity: 3 }],
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
  });
  expect(pending).toMatchObject({ expires_at: NOW + 14 * 86_400 });
});

test.each([
  [
    'another change of the items',
    (s: Stripe, id: string, item: string) =>
      s.subscriptions.update(id, { items: [{ id: item, quantity: 2 }] }),
  ],
  [
    'voiding its invoice',
    (s: Stripe, _id: string, _item: string, invoice: string) => s.invoices.voidInvoice(invoice),
  ],
  ['canceling the subscription', (s: Stripe, id: string) => s.subscriptions.cancel(id)],
])('%s discards the pending update', async (_case, act) => {
  const world = await withPendingSeats();
  const { stripe, id, item, invoice } = world;
  await act(stripe, id, item, invoice);
  expect(await world.happened()).toContain('customer.subscription.pending_update_expired');
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ pending_update: null });
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'void' });
});

test('a change that the card pays is applied immediately', async () => {
  const { stripe, id, item } = await halfWay();
  const changed = await stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    items: [{ id: item, price: PRO_YEARLY }],
    payment_behavior: 'pending_if_incomplete',
    cancel_at_period_end: true,
    expand: ['latest_invoice'],
  });
  expect(changed).toMatchObject({
    pending_update: null,
    items: { data: [{ price: { id: PRO_YEARLY } }] },
    latest_invoice: { status: 'paid' },
  });
});

test('another interval and the end of a trial can be pending too', async () => {
  const world = await halfWay('pm_card_chargeCustomerFail');
  const { stripe, id, item, method } = world;
  await stripe.subscriptions.update(id, { trial_end: NOW + 5 * 86_400 });
  const pending = await stripe.subscriptions.update(id, {
    items: [{ id: item, price: PRO_YEARLY }],
    payment_behavior: 'pending_if_incomplete',
    trial_end: 'now',
  });
  expect(pending).toMatchObject({ status: 'trialing', pending_update: { trial_end: NOW } });
  const { latest_invoice: latest } = pending;
  await stripe.invoices.pay(typeof latest === 'string' ? latest : '', { payment_method: method });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', trial_end: NOW });
});

test.each([
  ['a new subscription', { create: true }, 'payment_behavior'],
  ['another card', { default_payment_method: 'pm_x' }, 'default_payment_method'],
  ['a description', { description: 'x' }, 'description'],
])('%s cannot be pending', async (_case, { create, ...params }: Record<string, unknown>, param) => {
  const { stripe, id, customer } = await halfWay();
  const behavior = { payment_behavior: 'pending_if_incomplete' as const };
  const attempt = create
    ? stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }], ...behavior })
    : stripe.subscriptions.update(id, { ...params, ...behavior });
  expect(await stripeError(attempt)).toMatchObject({ statusCode: 400, param });
});

test('by default_incomplete a change is applied, and the subscription is past due until it is paid', async () => {
  const { stripe, id, item, method } = await halfWay();
  const changed = await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    payment_behavior: 'default_incomplete',
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  });
  expect(changed).toMatchObject({
    status: 'past_due',
    items: { data: [{ quantity: 3 }] },
    latest_invoice: { status: 'open', attempted: false },
  });
  const { latest_invoice: invoice } = changed;
  await stripe.invoices.pay(typeof invoice === 'object' && invoice ? invoice.id : '', {
    payment_method: method,
  });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('the billing cycle can be reset: a new period begins, less the unused time', async () => {
  const { stripe, id } = await halfWay();
  const reset = await stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    expand: ['latest_invoice'],
  });
  expect(reset).toMatchObject({
    billing_cycle_anchor: NOW,
    items: { data: [{ current_period_start: NOW }] },
    latest_invoice: { status: 'paid', total: 600 },
  });
  const same = await stripe.subscriptions.update(id, { billing_cycle_anchor: { type: 'unchanged' } });
  expect(same.latest_invoice).toBe(typeof reset.latest_invoice === 'object' && reset.latest_invoice?.id);
});

test('an end can be given as the end of the period', async () => {
  const { stripe, id } = await halfWay();
  expect(await stripe.subscriptions.update(id, { cancel_at: 'min_period_end' })).toMatchObject({
    cancel_at: NOW + 14 * 86_400,
    cancel_at_period_end: false,
  });
});

test('while collection is paused, the invoice of a change is closed like any other', async () => {
  const { stripe, id, item } = await halfWay();
  const more = (quantity: number) =>
    stripe.subscriptions.update(id, {
      items: [{ id: item, quantity }],
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    });
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  expect((await more(2)).latest_invoice).toMatchObject({ status: 'draft', auto_advance: false });
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'mark_uncollectible' } });
  expect((await more(3)).latest_invoice).toMatchObject({ status: 'uncollectible' });
  const past = stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: 5 } });
  expect(await stripeError(past)).toMatchObject({ param: 'pause_collection[resumes_at]' });
});

test('by default, a resumed subscription stays paused until its invoice is paid', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  await stripe.subscriptions.pause(id);
  await world.pass(100);
  const resumed = await stripe.subscriptions.resume(id, { expand: ['latest_invoice'] });
  expect(resumed).toMatchObject({
    status: 'paused',
    latest_invoice: { status: 'open', attempted: false, next_payment_attempt: null },
  });
  const { latest_invoice: invoice } = resumed;
  await stripe.invoices.pay(typeof invoice === 'object' && invoice ? invoice.id : '');
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('by default, a failed payment of a resumption makes the subscription past due', async () => {
  const { stripe, id } = await halfWay('pm_card_chargeCustomerFail');
  await stripe.subscriptions.pause(id);
  const { latest_invoice: invoice } = await stripe.subscriptions.resume(id);
  await stripeError(stripe.invoices.pay(typeof invoice === 'string' ? invoice : ''));
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
});

test('the invoice of a resumption is void after 23 hours, and the subscription stays paused', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  await stripe.subscriptions.pause(id);
  await stripe.subscriptions.resume(id);
  await world.pass(1);
  expect(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).toMatchObject({
    status: 'paused',
    latest_invoice: { status: 'void' },
  });
});

test('a subscription is resumed if the invoice of its resumption is marked uncollectible', async () => {
  const { stripe, id } = await halfWay('pm_card_chargeCustomerFail');
  await stripe.subscriptions.pause(id);
  const { latest_invoice: invoice } = await stripe.subscriptions.resume(id);
  await stripe.invoices.markUncollectible(typeof invoice === 'string' ? invoice : '');
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('a subscription that is resumed within its period can keep the period, and nothing is due', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  const unchanged = { billing_cycle_anchor: { type: 'unchanged' as const } };
  const paused = await stripe.subscriptions.pause(id);
  const resumed = await stripe.subscriptions.resume(id, unchanged);
  expect(resumed).toMatchObject({ status: 'active', latest_invoice: paused.latest_invoice });
  await stripe.subscriptions.pause(id);
  await world.pass(20);
  expect(await stripeError(stripe.subscriptions.resume(id, unchanged))).toMatchObject({
    code: 'emulator_unsupported',
  });
});
