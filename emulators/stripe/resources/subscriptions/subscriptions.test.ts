import { expect, test } from 'vitest';
import { PRO_MONTHLY, PRO_YEARLY, stripeError, subscribe, testStripe } from '../../testing.ts';

test('a subscription carries its items, period and paid invoice', async () => {
  const now = new Date('2026-01-31T12:00:00Z');
  const { stripe } = await testStripe({ now: () => now });
  const { customer, subscription: id } = await subscribe(stripe);
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice', 'customer'] });
  expect(subscription).toMatchObject({
    status: 'active',
    customer: { id: customer },
    cancel_at_period_end: false,
  });
  expect(subscription.items.data).toMatchObject([
    {
      price: { id: PRO_MONTHLY, product: 'prod_local_pro' },
      quantity: 1,
      current_period_start: now.getTime() / 1000,
      current_period_end: Date.parse('2026-02-28T12:00:00Z') / 1000,
    },
  ]);
  expect(subscription.latest_invoice).toMatchObject({ status: 'paid', total: 1200, customer });
});

test('the invoice can be read on its own, with its lines', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  const [listed] = (await stripe.invoices.list({ customer, subscription })).data;
  const invoice = await stripe.invoices.retrieve(listed?.id ?? '', {
    expand: ['parent.subscription_details.subscription'],
  });
  expect(invoice).toMatchObject({
    amount_paid: 1200,
    billing_reason: 'subscription_create',
    parent: { subscription_details: { subscription: { id: subscription } } },
  });
  expect(invoice.lines.data).toMatchObject([
    { amount: 1200, quantity: 1, pricing: { price_details: { price: PRO_MONTHLY } } },
  ]);
});

test('subscriptions are listed by customer, price and status; canceled ones only on demand', async () => {
  const { stripe } = await testStripe();
  const first = await subscribe(stripe);
  const second = await subscribe(stripe);
  await stripe.subscriptions.cancel(first.subscription);
  const ids = async (params: Parameters<typeof stripe.subscriptions.list>[0]) =>
    (await stripe.subscriptions.list(params)).data.map(({ id }) => id);
  expect(await ids({})).toEqual([second.subscription]);
  expect(await ids({ status: 'all' })).toEqual([second.subscription, first.subscription]);
  expect(await ids({ status: 'canceled' })).toEqual([first.subscription]);
  expect(await ids({ customer: second.customer })).toEqual([second.subscription]);
  expect(await ids({ price: PRO_MONTHLY })).toEqual([second.subscription]);
  expect(await ids({ price: PRO_YEARLY })).toEqual([]);
});

test('cancelling ends a subscription immediately, and cancelling again does not find it', async () => {
  const { stripe } = await testStripe();
  const { subscription } = await subscribe(stripe);
  const ended = await stripe.subscriptions.cancel(subscription, {
    cancellation_details: { comment: 'too much' },
  });
  expect(ended).toMatchObject({
    status: 'canceled',
    ended_at: ended.canceled_at,
    cancellation_details: { reason: 'cancellation_requested', comment: 'too much' },
  });
  expect(await stripeError(stripe.subscriptions.cancel(subscription))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
});

test('the end of a subscription can be scheduled for the end of the period, and unscheduled', async () => {
  const { stripe } = await testStripe();
  const { subscription: id } = await subscribe(stripe);
  const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true, metadata: { a: '1' } });
  expect(ending).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    cancel_at: ending.items.data[0]?.current_period_end,
    metadata: { a: '1' },
  });
  const resumed = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  expect(resumed).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
});

test('a canceled subscription cannot be revived, but can be annotated', async () => {
  const { stripe } = await testStripe();
  const { subscription: id } = await subscribe(stripe);
  await stripe.subscriptions.cancel(id);
  expect(await stripeError(stripe.subscriptions.update(id, { cancel_at_period_end: false }))).toMatchObject({
    statusCode: 400,
  });
  expect(await stripe.subscriptions.update(id, { metadata: { note: 'x' } })).toMatchObject({
    metadata: { note: 'x' },
  });
});
