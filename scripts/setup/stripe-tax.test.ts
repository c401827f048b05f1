import { expect, test } from 'vitest';
import { taxStep } from './steps/stripe-tax.ts';
import { newWorld } from './testing/world.ts';

/** A Stripe account with a subscription without taxes, in its trial. */
async function worldWithSubscription(settings: readonly string[]) {
  const world = await newWorld({}, settings);
  const { stripe } = world.target;
  if (stripe === undefined) throw new Error('The world has no key of Stripe.');
  const { id: customer } = await stripe.customers.create();
  const { id: product } = await stripe.products.create({ name: 'Pro' });
  const { id: price } = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 1_200,
    recurring: { interval: 'month' },
    product,
  });
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], trial_period_days: 7 });
  return { ...world, stripe, id };
}

test('a subscription without taxes is a note if AUTOMATIC_TAX is on, until it is updated', async () => {
  const { stripe, id, run } = await worldWithSubscription(['AUTOMATIC_TAX=true']);
  const { lines, todo } = await run('check', [taxStep]);
  expect(lines.join('\n')).toMatch(/note: AUTOMATIC_TAX applies to new checkouts only/);
  expect(lines.join('\n')).toContain(id);
  expect(todo).toEqual([]);
  await stripe.subscriptions.cancel(id);
  expect((await run('check', [taxStep])).lines).toEqual(['ok   Taxes of subscriptions at Stripe']);
});

test('nothing is asked if AUTOMATIC_TAX is off', async () => {
  const { run } = await worldWithSubscription([]);
  expect((await run('check', [taxStep])).lines).toEqual(['ok   Taxes of subscriptions at Stripe']);
});
