import { describe, expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, testStripe, type TestStripe } from '../testing.ts';

const START = new Date('2026-01-31T12:00:00Z');
const IN_A_WEEK = START.getTime() / 1_000 + 7 * 86_400;

/** A local Stripe that has looked at everything: the next thing that it knows of is in a year. */
async function lookedAt(): Promise<TestStripe & { customer: string }> {
  const world = await testStripe({ now: () => START });
  const { customer } = await customerWith(world.stripe, 'pm_card_visa');
  await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    trial_period_days: 365,
  });
  await world.stripe.customers.retrieve(customer);
  return { ...world, customer };
}

describe('at its time ends by itself, also if it was written after the last look at everything', () => {
  test('a coupon', async () => {
    const { stripe, pass } = await lookedAt();
    const { id } = await stripe.coupons.create({ percent_off: 50, redeem_by: IN_A_WEEK });
    expect((await stripe.coupons.retrieve(id)).valid).toBe(true);
    await pass(8);
    expect((await stripe.coupons.retrieve(id)).valid).toBe(false);
  });

  test('a promotion code', async () => {
    const { stripe, pass } = await lookedAt();
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50 });
    const { id } = await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon },
      expires_at: IN_A_WEEK,
    });
    expect((await stripe.promotionCodes.retrieve(id)).active).toBe(true);
    await pass(8);
    expect((await stripe.promotionCodes.retrieve(id)).active).toBe(false);
  });

  test('a discount of a subscription', async () => {
    const { stripe, pass, customer } = await lookedAt();
    const [subscription] = (await stripe.subscriptions.list({ customer })).data;
    const { id: coupon } = await stripe.coupons.create({
      percent_off: 50,
      duration: 'repeating',
      duration_in_months: 1,
    });
    const id = subscription?.id ?? '';
    await stripe.subscriptions.update(id, { discounts: [{ coupon }] });
    expect((await stripe.subscriptions.retrieve(id)).discounts).toHaveLength(1);
    await pass(32);
    expect((await stripe.subscriptions.retrieve(id)).discounts).toHaveLength(0);
  });

  test('a coupon that was restored because a request was refused', async () => {
    const { stripe, pass } = await lookedAt();
    const { id } = await stripe.coupons.create({ percent_off: 50, redeem_by: IN_A_WEEK });
    await expect(stripe.coupons.del(id, { expand: ['nothing'] })).rejects.toThrow();
    await pass(8);
    expect((await stripe.coupons.retrieve(id)).valid).toBe(false);
  });
});
