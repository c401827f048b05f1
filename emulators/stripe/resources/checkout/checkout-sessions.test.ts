import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  openCheckout,
  PRO_MONTHLY,
  PRO_YEARLY,
  stripeError,
  submit,
  subscribe,
  testStripe,
} from '../../testing.ts';

test('a new session is open, unpaid, and has the given parameters', async () => {
  const { stripe, local } = await testStripe();
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const session = await openCheckout(stripe, {
    customer: customer.id,
    client_reference_id: 'u1',
    metadata: { uid: 'u1' },
    allow_promotion_codes: true,
    line_items: [{ price: PRO_MONTHLY, quantity: 3 }],
  });
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    mode: 'subscription',
    amount_total: 3600,
    currency: 'usd',
    client_reference_id: 'u1',
    metadata: { uid: 'u1' },
    allow_promotion_codes: true,
    customer: customer.id,
    subscription: null,
    expires_at: session.created + 24 * 60 * 60,
    url: `${local.url}/c/pay/${session.id}`,
  });
  expect(session.line_items).toBeUndefined();
});

test('line items come with expand, and from their own list in the order given', async () => {
  const { stripe } = await testStripe();
  const { id } = await openCheckout(stripe, { line_items: [{ price: PRO_YEARLY, quantity: 2 }] });
  const expanded = await stripe.checkout.sessions.retrieve(id, { expand: ['line_items.data.price.product'] });
  expect(expanded.line_items?.data).toMatchObject([
    { quantity: 2, amount_total: 24_000, price: { id: PRO_YEARLY, product: { name: 'Pro' } } },
  ]);
  expect((await stripe.checkout.sessions.listLineItems(id)).data).toMatchObject([{ description: 'Pro' }]);
});

test('sessions are listed by customer, status and subscription', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription, session } = await subscribe(stripe);
  const open = await openCheckout(stripe, { customer });
  await openCheckout(stripe);
  const ids = async (params: Stripe.Checkout.SessionListParams) =>
    (await stripe.checkout.sessions.list(params)).data.map(({ id }) => id);
  expect(await ids({ customer })).toEqual([open.id, session]);
  expect(await ids({ customer, status: 'open' })).toEqual([open.id]);
  expect(await ids({ subscription })).toEqual([session]);
  expect(await ids({ status: 'expired' })).toEqual([]);
});

test('an open session can be expired once', async () => {
  const { stripe } = await testStripe();
  const { id } = await openCheckout(stripe);
  expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
  expect(await stripeError(stripe.checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 });
});

test('a session expires when its time has come', async () => {
  let now = new Date('2026-05-01T00:00:00Z');
  const { stripe } = await testStripe({ now: () => now });
  const { id, url, expires_at: expiresAt } = await openCheckout(stripe);
  now = new Date((expiresAt - 1) * 1000);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
  now = new Date(expiresAt * 1000);
  expect((await submit(url, { email: 'ada@example.com' })).status).toBe(410);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    status: 'expired',
    subscription: null,
  });
  expect((await stripe.events.list()).data.map(({ type }) => type)).toEqual(['checkout.session.expired']);
});

const good = {
  mode: 'subscription',
  line_items: [{ price: PRO_MONTHLY, quantity: 1 }],
  success_url: 'http://localhost/ok',
} satisfies Stripe.Checkout.SessionCreateParams;

test.each<[string, object, object]>([
  ['no mode', { mode: undefined }, { code: 'parameter_missing', param: 'mode' }],
  ['no success_url', { success_url: undefined }, { code: 'parameter_missing', param: 'success_url' }],
  ['no line items', { line_items: undefined }, { code: 'parameter_missing', param: 'line_items' }],
  [
    'no quantity',
    { line_items: [{ price: PRO_MONTHLY }] },
    { code: 'parameter_missing', param: 'line_items[0][quantity]' },
  ],
  ['an unknown parameter', { color: 'red' }, { code: 'parameter_unknown', param: 'color' }],
  [
    'an unknown nested parameter',
    { subscription_data: { color: 'red' } },
    { code: 'parameter_unknown', param: 'subscription_data[color]' },
  ],
  [
    'an unknown parameter of an item',
    { line_items: [{ price: PRO_MONTHLY, quantity: 1, x: 1 }] },
    { code: 'parameter_unknown', param: 'line_items[0][x]' },
  ],
  [
    'a parameter that is not supported',
    { consent_collection: { promotions: 'auto' as const } },
    { code: 'emulator_unsupported', param: 'consent_collection' },
  ],
  ['setup mode', { mode: 'setup' }, { code: 'emulator_unsupported' }],
  ['a recurring price in payment mode', { mode: 'payment' }, { param: 'line_items' }],
  [
    'data of a subscription in payment mode',
    { mode: 'payment', subscription_data: { description: 'x' } },
    { param: 'subscription_data' },
  ],
  [
    'data of a payment in subscription mode',
    { payment_intent_data: { description: 'x' } },
    { param: 'payment_intent_data' },
  ],
  [
    'an invoice of its own in subscription mode',
    { invoice_creation: { enabled: true } },
    { param: 'invoice_creation' },
  ],
  ['a mode that does not exist', { mode: 'gift' }, { param: 'mode' }],
  [
    'an unknown price',
    { line_items: [{ price: 'price_x', quantity: 1 }] },
    { code: 'resource_missing', param: 'line_items[0][price]' },
  ],
  ['an unknown customer', { customer: 'cus_x' }, { code: 'resource_missing', param: 'customer' }],
  ['customer and e-mail', { customer: 'cus_x', customer_email: 'a@b.c' }, { param: 'customer' }],
  [
    'two intervals',
    {
      line_items: [
        { price: PRO_MONTHLY, quantity: 1 },
        { price: PRO_YEARLY, quantity: 1 },
      ],
    },
    { param: 'line_items' },
  ],
  [
    'a script as success_url',
    { success_url: 'javascript:alert(1)' },
    { code: 'url_invalid', param: 'success_url' },
  ],
  [
    'a code and codes',
    { allow_promotion_codes: true, discounts: [{ coupon: 'x' }] },
    { param: 'allow_promotion_codes' },
  ],
  [
    'an unknown coupon',
    { discounts: [{ coupon: 'x' }] },
    { code: 'resource_missing', param: 'discounts[0][coupon]' },
  ],
  [
    'a trial that is too short',
    { subscription_data: { trial_end: Math.ceil(Date.now() / 1000) + 60 } },
    { param: 'subscription_data[trial_end]' },
  ],
  [
    'settings for no trial',
    {
      subscription_data: { trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } } },
    },
    { param: 'subscription_data[trial_settings]' },
  ],
  ['an update of nobody', { customer_update: { name: 'auto' as const } }, { param: 'customer_update' }],
  [
    'a success_url of more than 5,000 characters',
    { success_url: `https://app.example.com/?${'x'.repeat(5000)}` },
    { param: 'success_url', message: 'Invalid URL: URL must be 5000 characters or less.' },
  ],
  ['a path as cancel_url', { cancel_url: '/plans' }, { code: 'url_invalid', param: 'cancel_url' }],
  [
    'a quantity of zero',
    { line_items: [{ price: PRO_MONTHLY, quantity: 0 }] },
    { param: 'line_items[0][quantity]' },
  ],
  [
    'a quantity that is no number',
    { line_items: [{ price: PRO_MONTHLY, quantity: 'x' }] },
    { code: 'parameter_invalid_integer' },
  ],
  ['an expiry in five minutes', { expires_at: Math.floor(Date.now() / 1000) + 300 }, { param: 'expires_at' }],
  ['an empty client_reference_id', { client_reference_id: '' }, { code: 'parameter_invalid_empty' }],
  ['metadata that is too long', { metadata: { a: 'x'.repeat(501) } }, { param: 'metadata[a]' }],
])('%s is refused, and nothing is made', async (_case, change, expected) => {
  const { stripe } = await testStripe();
  const error = await stripeError(stripe.checkout.sessions.create({ ...good, ...change }));
  expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', ...expected });
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test('a price of an archived product is listed as active, and cannot be bought', async () => {
  const { stripe } = await testStripe();
  const { product } = await stripe.prices.retrieve(PRO_MONTHLY);
  await stripe.products.update(product as string, { active: false });
  const { data } = await stripe.prices.list({ active: true, lookup_keys: ['pro_monthly'] });
  expect(data.map(({ id }) => id)).toEqual([PRO_MONTHLY]);
  expect(await stripeError(openCheckout(stripe))).toMatchObject({ param: 'line_items[0][price]' });
});

test('an inactive price cannot be bought', async () => {
  const { stripe } = await testStripe();
  await stripe.prices.update(PRO_MONTHLY, { active: false });
  expect(await stripeError(openCheckout(stripe))).toMatchObject({ param: 'line_items[0][price]' });
});
