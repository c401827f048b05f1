import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, stripeError, testStripe } from '../../testing.ts';
import type { TestStripe } from '../../testing.ts';

const START = new Date('2026-01-31T12:00:00Z');
type CouponParams = NonNullable<Parameters<TestStripe['stripe']['coupons']['create']>[0]>;

/** A monthly Pro subscription with a coupon. */
async function discounted(coupon: CouponParams) {
  const world = await testStripe({ now: () => START });
  const { customer } = await customerWith(world.stripe, 'pm_card_visa');
  const { id: couponId } = await world.stripe.coupons.create(coupon);
  const { id, items } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    discounts: [{ coupon: couponId }],
  });
  const totals = async (): Promise<number[]> =>
    (await world.stripe.invoices.list({ subscription: id })).data.map(({ total }) => total).reverse();
  return { ...world, id, item: items.data[0]?.id ?? '', coupon: couponId, totals };
}

test.each([
  ['once', { duration: 'once', percent_off: 50 }, [600, 1200, 1200, 1200]],
  [
    'for two months',
    { duration: 'repeating', duration_in_months: 2, percent_off: 50 },
    [600, 600, 1200, 1200],
  ],
  ['forever', { duration: 'forever', amount_off: 200, currency: 'usd' }, [1000, 1000, 1000, 1000]],
  ['wholly', { duration: 'once', percent_off: 100 }, [0, 1200, 1200, 1200]],
] as const)('a coupon with the duration %s is applied for this duration', async (_case, coupon, expected) => {
  const world = await discounted(coupon);
  await world.pass(100);
  expect(await world.totals()).toEqual(expected);
});

test('an invoice has the amount of each discount', async () => {
  const { stripe, id, coupon } = await discounted({ duration: 'forever', percent_off: 25 });
  const subscription = await stripe.subscriptions.retrieve(id, {
    expand: [
      'discounts.source.coupon',
      'latest_invoice.discounts',
      'latest_invoice.total_discount_amounts.discount',
    ],
  });
  expect(subscription).toMatchObject({
    status: 'active',
    discounts: [{ object: 'discount', source: { coupon: { id: coupon, times_redeemed: 1 } } }],
    latest_invoice: {
      subtotal: 1200,
      total: 900,
      amount_paid: 900,
      discounts: [{ object: 'discount' }],
      total_discount_amounts: [{ amount: 300, discount: { object: 'discount' } }],
      lines: { data: [{ amount: 1200, discount_amounts: [{ amount: 300 }] }] },
    },
  });
});

test('prorations are net of the percentage', async () => {
  const world = await discounted({ duration: 'forever', percent_off: 50 });
  await world.pass(14);
  await world.stripe.subscriptions.update(world.id, { items: [{ id: world.item, quantity: 2 }] });
  const { data } = await world.stripe.invoiceItems.list({ pending: true });
  expect(data.map(({ amount }) => amount)).toEqual([600, -300]);
});

test('a discount can be replaced by another one', async () => {
  const world = await discounted({ duration: 'forever', percent_off: 50 });
  const { stripe, id } = world;
  await stripe.subscriptions.update(id, { discounts: '' });
  expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([]);
  const { id: coupon } = await stripe.coupons.create({ duration: 'forever', percent_off: 10 });
  const promotion = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } });
  await stripe.subscriptions.update(id, { discounts: [{ promotion_code: promotion.id }] });
  await world.pass(29);
  expect(await world.totals()).toEqual([600, 1080]);
  expect(await stripe.subscriptions.deleteDiscount(id)).toMatchObject({ object: 'discount', deleted: true });
  expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([]);
});

test('a deleted coupon keeps its existing discounts, and cannot be applied again', async () => {
  const world = await discounted({ duration: 'forever', percent_off: 50 });
  const { stripe, coupon } = world;
  await stripe.coupons.del(coupon);
  await world.pass(29);
  expect(await world.totals()).toEqual([600, 600]);
  const { id: customer } = await stripe.customers.create();
  const again = stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    discounts: [{ coupon }],
  });
  expect(await stripeError(again)).toMatchObject({ code: 'resource_missing', param: 'discounts[0][coupon]' });
});

test('coupons and codes are redeemed up to their limit', async () => {
  const { stripe } = await discounted({ percent_off: 50, max_redemptions: 1, id: 'ONE' });
  expect(await stripe.coupons.retrieve('ONE')).toMatchObject({ times_redeemed: 1, valid: false });
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const again = stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    discounts: [{ coupon: 'ONE' }],
  });
  expect(await stripeError(again)).toMatchObject({ code: 'coupon_expired' });
});

test('a code may be for one customer, or for a first purchase', async () => {
  const { stripe } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const { customer: other } = await customerWith(stripe, 'pm_card_visa');
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10 });
  const promotion = { type: 'coupon' as const, coupon };
  const mine = await stripe.promotionCodes.create({ promotion, customer });
  const first = await stripe.promotionCodes.create({
    promotion,
    restrictions: { first_time_transaction: true },
  });
  const buy = (who: string, code: string) =>
    stripe.subscriptions.create({
      customer: who,
      items: [{ price: PRO_MONTHLY }],
      discounts: [{ promotion_code: code }],
    });
  expect((await stripeError(buy(other, mine.id))).message).toContain('not for this customer');
  await buy(customer, mine.id);
  expect((await stripeError(buy(customer, first.id))).message).toContain('first purchase');
  await buy(other, first.id);
});

test.each([
  [{}, 'percent_off'],
  [{ percent_off: 10, amount_off: 5, currency: 'usd' }, 'percent_off'],
  [{ percent_off: 101 }, 'percent_off'],
  [{ amount_off: 5 }, 'currency'],
  [{ percent_off: 10, duration: 'repeating' as const }, 'duration_in_months'],
])('the coupon %j is refused', async (params, param) => {
  const { stripe } = await testStripe();
  expect(await stripeError(stripe.coupons.create(params))).toMatchObject({ statusCode: 400, param });
});

test('only one active promotion can have a code', async () => {
  const { stripe } = await testStripe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10 });
  const params = { promotion: { type: 'coupon' as const, coupon }, code: 'HELLO' };
  const { id } = await stripe.promotionCodes.create(params);
  expect(await stripeError(stripe.promotionCodes.create(params))).toMatchObject({ param: 'code' });
  await stripe.promotionCodes.update(id, { active: false });
  await stripe.promotionCodes.create(params);
  expect((await stripe.promotionCodes.list({ code: 'hello', active: true })).data).toHaveLength(1);
  expect((await stripe.coupons.list()).data).toHaveLength(1);
});

test('several customers can each have an active code with the same text, unless there is one for everybody', async () => {
  const { stripe } = await testStripe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10 });
  const create = (rest: { customer?: string; code?: string }) =>
    stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'WELCOME', ...rest });
  const { id: ada } = await stripe.customers.create();
  const { id: ben } = await stripe.customers.create();
  const first = await create({ customer: ada });
  await create({ customer: ben, code: 'welcome' });
  expect(await stripeError(create({ customer: ada, code: 'welcome' }))).toMatchObject({ param: 'code' });
  expect(await stripeError(create({}))).toMatchObject({ param: 'code' });

  await stripe.promotionCodes.update(first.id, { active: false });
  await create({ customer: ada });
  expect(await stripeError(stripe.promotionCodes.update(first.id, { active: true }))).toMatchObject({
    param: 'code',
  });
  await create({ code: 'ALL' });
  expect(await stripeError(create({ customer: ada, code: 'ALL' }))).toMatchObject({ param: 'code' });
});
