import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, stripeError, testStripe } from '../../testing.ts';

/** A subscription at a server that has Stripe's limits, or not. */
async function limited(limits: boolean) {
  const world = await testStripe({ limits, now: () => new Date('2026-01-31T12:00:00Z') });
  const { customer } = await customerWith(world.stripe, 'pm_card_visa');
  const { id, items } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
  });
  const item = items.data[0]?.id ?? '';
  const seats = (quantity: number, behavior: 'always_invoice' | 'none') =>
    world.stripe.subscriptions.update(id, { items: [{ id: item, quantity }], proration_behavior: behavior });
  return { ...world, customer, id, seats };
}

const LIMITED = { statusCode: 429, code: 'rate_limit' };

test('a subscription gets ten invoices in a minute and twenty in a day', async () => {
  const world = await limited(true);
  let quantity = 1;
  const invoices = async (count: number) => {
    for (let made = 0; made < count; made += 1) await world.seats((quantity += 1), 'always_invoice');
  };
  await invoices(9);
  const before = quantity;
  expect(await stripeError(world.seats(99, 'always_invoice'))).toMatchObject(LIMITED);
  expect((await world.stripe.subscriptions.retrieve(world.id)).items.data[0]).toMatchObject({
    quantity: before,
  });
  await world.pass(2 / 24 / 60);
  await invoices(10);
  await world.pass(2 / 24 / 60);
  expect(await stripeError(world.seats(99, 'always_invoice'))).toMatchObject(LIMITED);
  await world.pass(1);
  await invoices(1);
});

test('the quantity of a subscription changes 200 times in an hour', async () => {
  const world = await limited(true);
  for (let change = 1; change <= 200; change += 1) await world.seats(change + 1, 'none');
  expect(await stripeError(world.seats(1, 'none'))).toMatchObject(LIMITED);
  await world.pass(1 / 24);
  await world.seats(1, 'none');
});

test('without the option there are no limits', async () => {
  const world = await limited(false);
  for (let quantity = 2; quantity <= 25; quantity += 1) await world.seats(quantity, 'always_invoice');
  expect((await world.stripe.subscriptions.retrieve(world.id)).items.data[0]).toMatchObject({ quantity: 25 });
});
