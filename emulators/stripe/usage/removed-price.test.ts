import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, testStripe } from '../testing.ts';

const METERED = { product: 'prod_local_pro', currency: 'usd' } as const;

test('a change that is invoiced bills the usage of a price that it replaces, and the new price from then on', async () => {
  const { stripe, pass } = await testStripe({ now: () => new Date('2026-05-01T00:00:00Z') });
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const { id: meter } = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  });
  const price = async (amount: number) => {
    const recurring = { interval: 'month', meter, usage_type: 'metered' } as const;
    return (await stripe.prices.create({ ...METERED, unit_amount: amount, recurring })).id;
  };
  const use = (value: number) =>
    stripe.billing.meterEvents.create({
      event_name: 'calls',
      payload: { stripe_customer_id: customer, value: String(value) },
    });
  const paid = async () =>
    (await stripe.invoices.list({ customer })).data.map(({ amount_paid: amount }) => amount);
  const { id, items } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }, { price: await price(5) }],
  });
  await use(8);
  await pass(1);
  await stripe.subscriptions.update(id, {
    items: [{ id: items.data[1]?.id ?? '', price: await price(7) }],
    proration_behavior: 'always_invoice',
  });
  expect(await paid()).toEqual([8 * 5, 1_200]);
  await use(3);
  await pass(31);
  expect(await paid()).toEqual([1_200 + 3 * 7, 8 * 5, 1_200]);
});
