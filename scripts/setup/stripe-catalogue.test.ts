import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { catalogueStep } from './steps/stripe-catalogue.ts';
import { OFFERED_WITH_USAGE } from './testing/usage.ts';
import { newWorld } from './testing/world.ts';

/** A Stripe account, and a plan in two currencies with calls by usage. */
async function worldWithUsage() {
  const world = await newWorld();
  const { stripe } = world.target;
  if (stripe === undefined) throw new Error('The world has no key of Stripe.');
  Object.assign(world.target, { offered: OFFERED_WITH_USAGE });
  return { ...world, stripe };
}

test('meters and the prices by their usage are created in one run', async () => {
  const { stripe, run } = await worldWithUsage();
  const plan = (await run('plan', [catalogueStep])).lines.join('\n');
  expect(plan).toContain('would: create the meter acme_calls');
  expect(plan).toContain('would: create the prices acme_monthly of Pro');
  expect(plan).toContain('would: create the prices acme_calls of Pro calls');

  expect(await run('apply', [catalogueStep])).toMatchObject({ changes: 3, failures: [], todo: [] });
  const { data } = await stripe.prices.list({ lookup_keys: ['acme_calls'] });
  expect(data[0]?.recurring).toMatchObject({ interval: 'month', usage_type: 'metered' });
  expect(await run('apply', [catalogueStep])).toMatchObject({ changes: 0, failures: [], todo: [] });
});

test('another amount in another currency is reported', async () => {
  const { stripe, run } = await worldWithUsage();
  await run('apply', [catalogueStep]);
  const { data } = await stripe.prices.list({ lookup_keys: ['acme_monthly'] });
  await stripe.prices.update(data[0]?.id ?? '', { currency_options: { eur: { unit_amount: 1000 } } });
  expect((await run('check', [catalogueStep])).todo).toEqual([
    expect.stringContaining(
      'The price acme_monthly is 1200 usd (1000 eur) month at Stripe, and 1200 usd (1100 eur) month in the files',
    ),
  ]);
});

test('a currency that Stripe lacks, or has besides, is reported', async () => {
  const { stripe, run } = await worldWithUsage();
  await run('apply', [catalogueStep]);
  const { data } = await stripe.prices.list({ lookup_keys: ['acme_monthly'] });
  const id = data[0]?.id ?? '';
  await stripe.prices.update(id, { currency_options: '' });
  expect((await run('check', [catalogueStep])).todo.join()).toContain('is 1200 usd month at Stripe');
  const both = { eur: { unit_amount: 1100 }, gbp: { unit_amount: 900 } };
  await stripe.prices.update(id, { currency_options: both });
  expect((await run('check', [catalogueStep])).todo.join()).toContain(
    'is 1200 usd (1100 eur, 900 gbp) month',
  );
});

test('a price that is not by usage is reported', async () => {
  const { stripe, run } = await worldWithUsage();
  const { id: product } = await stripe.products.create({ name: 'Mine' });
  await stripe.prices.create({
    ...{ product, currency: 'usd', unit_amount_decimal: Stripe.Decimal.from(0.5), lookup_key: 'acme_calls' },
    recurring: { interval: 'month' },
    // The SDK does not encode a Decimal in a map.
    currency_options: { eur: { unit_amount_decimal: '0.4' as never } },
  });
  const { todo } = await run('apply', [catalogueStep]);
  expect(todo).toEqual([
    expect.stringContaining('is 0.5 usd (0.4 eur) month at Stripe, and 0.5 usd (0.4 eur) month by usage in'),
  ]);
});
