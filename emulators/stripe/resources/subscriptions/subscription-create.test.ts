import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, PRO_YEARLY, stripeError, testStripe } from '../../testing.ts';

test.each([
  ['no items', { items: [] }, { code: 'parameter_missing' }],
  ['an unknown customer', { customer: 'cus_x' }, { code: 'resource_missing', param: 'customer' }],
  ['two trials', { trial_end: 2_000_000_000, trial_period_days: 3 }, { param: 'trial_end' }],
  ['a pending behavior', { payment_behavior: 'pending_if_incomplete' }, { param: 'payment_behavior' }],
  ['an unknown behavior', { payment_behavior: 'hope' }, { param: 'payment_behavior' }],
  ['two intervals', { items: [{ price: PRO_MONTHLY }, { price: PRO_YEARLY }] }, { param: 'items' }],
])('a subscription with %s is not created', async (_case, params, expected) => {
  const { stripe } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const creating = stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }], ...params });
  expect(await stripeError(creating)).toMatchObject({ statusCode: 400, ...expected });
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
});

test.each([
  ['allow_incomplete', 'incomplete', 1],
  ['default_incomplete', 'incomplete', 0],
] as const)('with %s, a failed card leaves the subscription %s', async (behavior, status, attempts) => {
  const { stripe } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_chargeCustomerFail');
  const created = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    payment_behavior: behavior,
    expand: ['latest_invoice'],
  });
  expect(created).toMatchObject({ status, latest_invoice: { status: 'open', attempt_count: attempts } });
});

test('with error_if_incomplete, a failed card creates no subscription', async () => {
  const world = await testStripe();
  const { customer } = await customerWith(world.stripe, 'pm_card_chargeCustomerFail');
  await world.happened();
  const creating = world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    payment_behavior: 'error_if_incomplete',
  });
  expect(await stripeError(creating)).toMatchObject({ type: 'StripeCardError', code: 'card_declined' });
  expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
  expect(await world.happened()).toEqual([]);
});
