import { expect, test } from 'vitest';
import { PRO_MONTHLY, PRO_YEARLY, stripeError, subscribe, testStripe } from '../../testing.ts';

test('the plans are there from the start, with the same ids every time', async () => {
  const { stripe } = await testStripe();
  const products = await stripe.products.list({ active: true });
  expect(products.data.map(({ id, name, metadata }) => [id, name, metadata.slug])).toEqual([
    ['prod_local_pro', 'Pro', 'pro'],
    ['prod_local_free', 'Free', 'free'],
  ]);
  expect(await stripe.products.retrieve('prod_local_pro')).toMatchObject({ default_price: PRO_MONTHLY });
});

test('prices are found by lookup key, with their product when it is asked for', async () => {
  const { stripe } = await testStripe();
  const found = await stripe.prices.list({
    lookup_keys: ['pro_yearly', 'nothing'],
    expand: ['data.product'],
  });
  expect(found.data).toMatchObject([
    {
      id: PRO_YEARLY,
      unit_amount: 12_000,
      recurring: { interval: 'year' },
      product: { id: 'prod_local_pro' },
    },
  ]);
  expect(String(found.data[0]?.unit_amount_decimal)).toBe('12000');
});

test.each([
  [{ product: 'prod_local_pro' }, 2],
  [{ product: 'prod_local_free' }, 0],
  [{ recurring: { interval: 'month' as const } }, 1],
  [{ type: 'one_time' as const }, 0],
  [{ currency: 'usd' }, 2],
  [{ active: false }, 0],
])('prices filtered by %j', async (filter, count) => {
  const { stripe } = await testStripe();
  expect((await stripe.prices.list(filter)).data).toHaveLength(count);
});

test('a product and its price are created, changed and retired', async () => {
  const { stripe } = await testStripe();
  const product = await stripe.products.create({ name: 'Team', metadata: { slug: 'team' } });
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'EUR',
    unit_amount: 500,
    recurring: { interval: 'month', interval_count: 3 },
    lookup_key: 'team',
  });
  expect(price).toMatchObject({ currency: 'eur', type: 'recurring', recurring: { interval_count: 3 } });
  expect(await stripe.products.update(product.id, { default_price: price.id })).toMatchObject({
    default_price: price.id,
  });
  expect(await stripe.prices.update(price.id, { active: false })).toMatchObject({ active: false });
  expect(await stripeError(stripe.products.del(product.id))).toMatchObject({ statusCode: 400 });
  expect(await stripe.products.update(product.id, { active: false })).toMatchObject({ active: false });
});

test('a lookup key moves to a new price only on demand', async () => {
  const { stripe } = await testStripe();
  const price = { product: 'prod_local_pro', currency: 'usd', unit_amount: 1, lookup_key: 'pro_monthly' };
  expect(await stripeError(stripe.prices.create(price))).toMatchObject({
    statusCode: 400,
    param: 'lookup_key',
  });
  const taken = await stripe.prices.create({ ...price, transfer_lookup_key: true });
  expect((await stripe.prices.list({ lookup_keys: ['pro_monthly'] })).data.map(({ id }) => id)).toEqual([
    taken.id,
  ]);
});

test('a product without prices can be deleted, and an id can be used once only', async () => {
  const { stripe } = await testStripe();
  await stripe.products.create({ id: 'mine', name: 'Mine' });
  expect(await stripeError(stripe.products.create({ id: 'mine', name: 'Mine' }))).toMatchObject({
    code: 'resource_already_exists',
  });
  expect(await stripe.products.del('mine')).toEqual(expect.objectContaining({ id: 'mine', deleted: true }));
  expect(await stripeError(stripe.products.retrieve('mine'))).toMatchObject({ statusCode: 404 });
});

test('prices, products, subscriptions and invoices can be searched', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  const found = async (search: Promise<{ data: { id?: string }[] }>) =>
    (await search).data.map(({ id }) => id);
  expect(await found(stripe.prices.search({ query: "lookup_key:'pro_yearly'" }))).toEqual([PRO_YEARLY]);
  expect(await found(stripe.products.search({ query: "active:'true' AND name:'Pro'" }))).toEqual([
    'prod_local_pro',
  ]);
  expect(await found(stripe.subscriptions.search({ query: "status:'active'" }))).toEqual([subscription]);
  expect(
    await found(stripe.invoices.search({ query: `customer:'${customer}' AND total>1000` })),
  ).toHaveLength(1);
  expect(await found(stripe.invoices.search({ query: "status:'open'" }))).toEqual([]);
});
