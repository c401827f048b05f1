import { expect, test } from 'vitest';
import { API_KEY, openCheckout, stripeError, submit, subscribe, testStripe } from '../testing.ts';

test.each([
  [500, 'StripeAPIError'],
  [503, 'StripeAPIError'],
  [429, 'StripeRateLimitError'],
])('a request fails with %i on order, as often as ordered, and the SDK sees %s', async (status, type) => {
  const { stripe, fail } = await testStripe();
  await fail({ method: 'POST', path: '/v1/customers', status, times: 2 });
  expect(await stripeError(stripe.customers.create())).toMatchObject({ statusCode: status, type });
  await stripe.customers.list();
  expect(await stripeError(stripe.customers.create())).toMatchObject({ statusCode: status });
  await stripe.customers.create();
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('a client that retries recovers from a failure, and creates one object', async () => {
  const { client, fail, requests } = await testStripe();
  await fail({ method: 'POST', path: '/v1/customers', status: 500 });
  const stripe = client({ maxNetworkRetries: 1 });
  await stripe.customers.create();
  expect((await stripe.customers.list()).data).toHaveLength(1);
  expect((await requests()).counts).toEqual({ 'POST /v1/customers': 2, 'GET /v1/customers': 1 });
});

test('a dropped connection is a connection error', async () => {
  const { stripe, fail } = await testStripe();
  // The SDK always repeats a request whose connection was closed once, whatever its configuration.
  await fail({ status: 'drop', times: 2 });
  expect(await stripeError(stripe.customers.list())).toMatchObject({ type: 'StripeConnectionError' });
  expect((await stripe.customers.list()).data).toEqual([]);
});

test('a request that is never answered times out at the client', async () => {
  const { client, fail } = await testStripe();
  await fail({ path: '/v1/customers', status: 'timeout' });
  const error = await stripeError(client({ timeout: 50 }).customers.list());
  expect(error).toMatchObject({ type: 'StripeConnectionError' });
});

test('a held request continues when it is released', async () => {
  const { stripe, fail, control } = await testStripe();
  await fail({ method: 'GET', path: '/v1/customers/:id', status: 'hold' });
  const { id } = await stripe.customers.create({ name: 'before' });
  const reading = stripe.customers.retrieve(id);
  expect(await (await control('GET', 'held?atLeast=1')).json()).toEqual({ held: 1 });
  await stripe.customers.update(id, { name: 'after' });
  await control('POST', 'release');
  expect(await reading).toMatchObject({ name: 'after' });
});

test('clearing the faults drops waiting requests, and removes all ordered faults', async () => {
  const { local, stripe, fail, control } = await testStripe();
  await fail({ path: '/v1/customers', status: 'timeout' });
  await fail({ path: '/v1/prices', status: 500 });
  const waiting = expect(
    fetch(`${local.url}/v1/customers`, { headers: { authorization: `Bearer ${API_KEY}` } }),
  ).rejects.toThrow('fetch failed');
  await control('GET', 'held?atLeast=1');
  expect((await control('DELETE', 'fail')).status).toBe(204);
  await waiting;
  expect((await stripe.prices.list()).data).toHaveLength(2);
});

test('closing does not wait for held requests', async () => {
  const { local, stripe, fail, control } = await testStripe();
  await fail({ status: 'hold' });
  const held = stripeError(stripe.customers.list());
  await control('GET', 'held?atLeast=1');
  await local.close();
  expect(await held).toMatchObject({ type: 'StripeConnectionError' });
});

test('the requests are counted by method and route', async () => {
  const { stripe, requests, control } = await testStripe();
  const { id } = await stripe.customers.create({}, { idempotencyKey: 'key-1' });
  await stripe.customers.retrieve(id);
  await stripeError(stripe.customers.retrieve('cus_x'));
  const { total, counts, recent } = await requests();
  expect(total).toBe(3);
  expect(counts).toEqual({ 'POST /v1/customers': 1, 'GET /v1/customers/:id': 2 });
  expect(recent).toMatchObject([
    { path: '/v1/customers', key: 'key-1', status: 200 },
    { path: `/v1/customers/${id}`, key: null, status: 200 },
    { path: '/v1/customers/cus_x', status: 404 },
  ]);
  await control('DELETE', 'requests');
  expect(await requests()).toEqual({ total: 0, counts: {}, recent: [] });
});

test.each([
  {},
  { status: 200 },
  { status: 'explode' },
  { status: 500, path: '/c/pay/x' },
  { status: 500, times: 0 },
  { status: 500, color: 'red' },
])('the fault %j is refused', async (order) => {
  const { control } = await testStripe();
  const response = await control('POST', 'fail', order);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.any(String) as string });
});

test.each(['over HTTP', 'in process'])('a reset %s leaves the plans, and nothing else', async (how) => {
  const { stripe, local, fail, control, requests } = await testStripe();
  const { customer } = await subscribe(stripe);
  await openCheckout(stripe, { customer });
  await stripe.prices.update('price_local_pro_month', { active: false });
  await fail({ status: 500 });
  if (how === 'in process') local.reset();
  else await control('POST', 'reset');
  expect(await requests()).toMatchObject({ total: 0 });
  for (const list of [
    await stripe.customers.list(),
    await stripe.subscriptions.list({ status: 'all' }),
    await stripe.checkout.sessions.list(),
    await stripe.invoices.list(),
    await stripe.events.list(),
  ]) {
    expect(list.data).toEqual([]);
  }
  expect((await stripe.prices.list({ active: true })).data).toHaveLength(2);
});

test('the inspector shows the state and the requests, and resets them', async () => {
  const { stripe, local } = await testStripe();
  await stripe.customers.create({ email: 'ada@example.com' });
  const page = await (await fetch(`${local.url}/_emulator`)).text();
  expect(page).toContain('ada@example.com');
  expect(page).toContain('POST /v1/customers');
  const reset = await submit(`${local.url}/_emulator`);
  expect([reset.status, reset.headers.get('location')]).toEqual([303, `${local.url}/_emulator`]);
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.customers.create()).id).toMatch(/^cus_/);
});
