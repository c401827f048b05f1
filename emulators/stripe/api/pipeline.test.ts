import { expect, onTestFinished, test } from 'vitest';
import { startStripe } from '../server.ts';
import {
  API_KEY,
  customerWith,
  openCheckout,
  PRO_MONTHLY,
  stripeError,
  subscribe,
  testStripe,
} from '../testing.ts';

test.each([
  ['none', {}],
  ['another', { authorization: 'Bearer sk_test_other1234' }],
  ['an empty one', { authorization: 'Bearer ' }],
  ['another scheme', { authorization: `Digest ${API_KEY}` }],
])('with an API key that is %s, the answer is 401', async (_case, headers) => {
  const { local } = await testStripe();
  const response = await fetch(`${local.url}/v1/customers`, { headers });
  expect(response.status).toBe(401);
  const { error } = (await response.json()) as { error: { type: string; message: string } };
  expect(error.type).toBe('invalid_request_error');
  expect(error.message).toMatch(/API key/i);
});

test('the SDK reports a wrong key as an authentication error', async () => {
  const { client } = await testStripe();
  const error = await stripeError(client({ apiKey: 'sk_test_wrong_key' }).customers.list());
  expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
});

test('the key may come as basic authentication', async () => {
  const { local } = await testStripe();
  const authorization = `Basic ${Buffer.from(`${API_KEY}:`).toString('base64')}`;
  expect((await fetch(`${local.url}/v1/customers`, { headers: { authorization } })).status).toBe(200);
});

test('without a configured key, every test key is accepted, and no live key', async () => {
  const open = await startStripe({ plans: [] });
  onTestFinished(() => open.close());
  const status = async (key: string) =>
    (await fetch(`${open.url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect([await status('sk_test_any'), await status('sk_live_any')]).toEqual([200, 401]);
});

test('every answer has a request id and the API version', async () => {
  const { stripe } = await testStripe();
  const { lastResponse } = await stripe.customers.list();
  expect(lastResponse.requestId).toMatch(/^req_\w{14}$/);
  expect(lastResponse.apiVersion).toBe('2026-10-28.endive');
  const error = await stripeError(stripe.customers.retrieve('cus_x'));
  expect(error.requestId).toMatch(/^req_\w{14}$/);
});

test('another API version is refused: its objects would have another shape', async () => {
  const { stripe } = await testStripe();
  const error = await stripeError(stripe.customers.list({}, { apiVersion: '2020-08-27' }));
  expect(error).toMatchObject({ statusCode: 400, code: 'emulator_unsupported' });
  expect(error.message).toBe(
    'The local Stripe serves API version 2026-10-28.endive only, not 2020-08-27. Use version 23 of the stripe package without the option apiVersion, or send the header "Stripe-Version: 2026-10-28.endive".',
  );
});

test.each([
  ['customer', '/v1/customers/x'],
  ['product', '/v1/products/x'],
  ['price', '/v1/prices/x'],
  ['checkout.session', '/v1/checkout/sessions/x'],
  ['subscription', '/v1/subscriptions/x'],
  ['invoice', '/v1/invoices/x'],
  ['event', '/v1/events/x'],
])('an unknown %s is resource_missing', async (noun, path) => {
  const { stripe } = await testStripe();
  expect(await stripeError(stripe.rawRequest('GET', path))).toMatchObject({
    type: 'StripeInvalidRequestError',
    statusCode: 404,
    code: 'resource_missing',
    message: `No such ${noun}: 'x'`,
    doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
  });
});

test.each(['/v1/charge', '/v1/customers/x/y', '/v2/core/event', '/v1/'])(
  'a route that Stripe does not have is 404: %s',
  async (path) => {
    const { local } = await testStripe();
    const headers = { authorization: `Bearer ${API_KEY}` };
    expect((await fetch(`${local.url}${path}`, { headers })).status).toBe(404);
  },
);

test.each([
  ['GET', '/v1/quotes'],
  ['POST', '/v1/quotes/qt_1/accept'],
  ['GET', '/v2/core/events'],
])('a route of Stripe that this server does not support is refused by name: %s %s', async (method, path) => {
  const { stripe } = await testStripe();
  expect(await stripeError(stripe.rawRequest(method, path))).toMatchObject({
    statusCode: 400,
    code: 'emulator_unsupported',
    message: `The local Stripe does not support ${method} ${path}.`,
  });
});

test.each([
  [
    'an unknown parameter',
    { foo: '1' },
    { code: 'parameter_unknown', param: 'foo', message: 'Received unknown parameter: foo' },
  ],
  ['two unknown parameters', { foo: '1', bar: '2' }, { message: 'Received unknown parameters: foo, bar' }],
  ['a limit that is too high', { limit: 101 }, { param: 'limit' }],
  ['a limit of zero', { limit: 0 }, { param: 'limit' }],
  ['a limit that is no number', { limit: 'ten' }, { code: 'parameter_invalid_integer' }],
  ['an unknown cursor', { starting_after: 'cus_x' }, { code: 'resource_missing', param: 'starting_after' }],
  ['two cursors', { starting_after: 'a', ending_before: 'b' }, { param: 'ending_before' }],
])('a list with %s is refused', async (_case, params, expected) => {
  const { stripe } = await testStripe();
  const error = await stripeError(stripe.customers.list(params as object));
  expect(error).toMatchObject({ statusCode: 400, ...expected });
});

test('lists come in pages, newest first, in both directions', async () => {
  const { stripe } = await testStripe();
  const ids: string[] = [];
  for (let count = 0; count < 25; count += 1) ids.unshift((await stripe.customers.create()).id);

  const first = await stripe.customers.list();
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/customers' });
  const last = await stripe.customers.list({ limit: 10, starting_after: ids[19] ?? '' });
  expect([last.data.length, last.has_more]).toEqual([5, false]);
  const back = await stripe.customers.list({ limit: 10, ending_before: ids[20] ?? '' });
  expect([back.data.map(({ id }) => id), back.has_more]).toEqual([ids.slice(10, 20), true]);

  const all: string[] = [];
  for await (const { id } of stripe.customers.list({ limit: 7 })) all.push(id);
  expect(all).toEqual(ids);
});

test('a list can be bounded in time', async () => {
  let now = 1_000;
  const { stripe } = await testStripe({ now: () => new Date(now * 1000) });
  for (now of [1_000, 2_000, 3_000]) await stripe.customers.create();
  const created = async (range: object | number) =>
    (await stripe.customers.list({ created: range })).data.map((customer) => customer.created);
  expect(await created(2_000)).toEqual([2_000]);
  expect(await created({ gt: 1_000, lte: 3_000 })).toEqual([3_000, 2_000]);
  expect(await created({ gte: 1_000, lt: 2_000 })).toEqual([1_000]);
});

test('properties are expanded in lists, in objects and at creation', async () => {
  const { stripe } = await testStripe();
  const { customer, session } = await subscribe(stripe);
  const listed = await stripe.subscriptions.list({
    expand: ['data.customer', 'data.items.data.price.product'],
  });
  expect(listed.data).toMatchObject([
    { customer: { id: customer }, items: { data: [{ price: { product: { id: 'prod_local_pro' } } }] } },
  ]);
  const expanded = await stripe.checkout.sessions.retrieve(session, {
    expand: ['subscription.latest_invoice.customer', 'subscription.customer'],
  });
  expect(expanded.subscription).toMatchObject({
    customer: { id: customer },
    latest_invoice: { customer: { id: customer } },
  });
  expect(await openCheckout(stripe, { customer, expand: ['customer'] })).toMatchObject({
    customer: { id: customer },
  });
  expect(await stripe.customers.retrieve(customer, { expand: ['subscriptions'] })).toMatchObject({
    subscriptions: { data: [{ status: 'active' }] },
  });
});

test('a property that is null expands to null, and expanding changes nothing that is stored', async () => {
  const { stripe } = await testStripe();
  const { id } = await openCheckout(stripe);
  expect(
    await stripe.checkout.sessions.retrieve(id, { expand: ['subscription.latest_invoice'] }),
  ).toMatchObject({
    subscription: null,
  });
  await stripe.prices.list({ expand: ['data.product'] });
  expect((await stripe.prices.list()).data[0]?.product).toBe('prod_local_pro');
});

test.each([
  'name',
  'nothing',
  'metadata',
  '__proto__',
  'constructor.prototype',
  'subscriptions.data.customer.a.b.c',
])('expanding %s is refused', async (path) => {
  const { stripe } = await testStripe();
  const { customer } = await subscribe(stripe);
  const error = await stripeError(stripe.customers.retrieve(customer, { expand: [path] }));
  expect(error).toMatchObject({ statusCode: 400, param: 'expand' });
});

test('an expand that is refused has changed nothing', async () => {
  const { stripe, happened } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  await happened();
  const refused = [
    stripe.customers.create({ name: 'Ada', expand: ['nothing'] }),
    stripe.subscriptions.create({
      customer,
      items: [{ price: PRO_MONTHLY }],
      expand: ['latest_invoice.payment_intent'],
    }),
    stripe.customers.del(customer, { expand: ['nothing'] }),
  ];
  for (const call of refused) expect(await stripeError(call)).toMatchObject({ param: 'expand' });
  expect(await happened()).toEqual([]);
  expect((await stripe.customers.list()).data.map(({ id }) => id)).toEqual([customer]);
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
});

test('a request that is refused for its expand can be corrected with the same idempotency key', async () => {
  const { stripe } = await testStripe();
  const idempotencyKey = 'key-1';
  await stripeError(stripe.customers.create({ name: 'Ada', expand: ['nothing'] }, { idempotencyKey }));
  expect(await stripe.customers.create({ name: 'Ada' }, { idempotencyKey })).toMatchObject({ name: 'Ada' });
});

test('a payment that is declined has failed, with or without expand', async () => {
  const { stripe, happened } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_chargeCustomerFail');
  const { latest_invoice: invoice } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    payment_behavior: 'default_incomplete',
  });
  await happened();
  const paying = stripe.invoices.pay(typeof invoice === 'string' ? invoice : '', { expand: ['customer'] });
  expect(await stripeError(paying)).toMatchObject({ code: 'card_declined' });
  expect(await happened()).toContain('invoice.payment_failed');
});
