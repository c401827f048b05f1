import { expect, test } from 'vitest';
import { customerWith, openCheckout, PRO_MONTHLY, stripeError, subscribe, testStripe } from '../testing.ts';

const idempotencyKey = 'key-1';

test('the same key and parameters replay the answer, and create no second object', async () => {
  const { stripe } = await testStripe();
  const first = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
  await stripe.customers.update(first.id, { name: 'Changed since' });
  const second = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
  expect(second).toEqual(first);
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('the same key with other parameters, or another path, is refused', async () => {
  const { stripe } = await testStripe();
  await stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
  for (const call of [
    stripe.customers.create({ name: 'Bob' }, { idempotencyKey }),
    stripe.products.create({ name: 'Ada' }, { idempotencyKey }),
  ]) {
    expect(await stripeError(call)).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' });
  }
});

test('a change of seats that is repeated with its key is charged once', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription: id } = await subscribe(stripe);
  const { items } = await stripe.subscriptions.retrieve(id);
  const change = { items: [{ id: items.data[0]?.id ?? '', quantity: 4 }] };
  const first = await stripe.subscriptions.update(id, change, { idempotencyKey });
  expect(await stripe.subscriptions.update(id, change, { idempotencyKey })).toEqual(first);
  expect((await stripe.invoiceItems.list({ customer })).data).toHaveLength(2);
});

test('a declined card is declined again for the same key, even if another would pay by now', async () => {
  const { stripe } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_chargeCustomerFail');
  const buy = () =>
    stripe.subscriptions.create(
      { customer, items: [{ price: PRO_MONTHLY }], payment_behavior: 'error_if_incomplete' },
      { idempotencyKey },
    );
  expect(await stripeError(buy())).toMatchObject({ code: 'card_declined' });
  const { id: visa } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: visa } });
  expect(await stripeError(buy())).toMatchObject({ code: 'card_declined' });
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
});

test('a repeated key is refused while its first request is in progress', async () => {
  const { stripe, fail, control } = await testStripe();
  await fail({ method: 'POST', path: '/v1/customers', status: 'hold' });
  const first = stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
  await control('GET', 'held?atLeast=1');
  const error = await stripeError(stripe.customers.create({ name: 'Ada' }, { idempotencyKey }));
  expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  await control('POST', 'release');
  expect(await stripe.customers.create({ name: 'Ada' }, { idempotencyKey })).toEqual(await first);
});

test('parallel creates with one key make exactly one object, also with retries', async () => {
  const { client } = await testStripe();
  const stripe = client({ maxNetworkRetries: 5 });
  const made = await Promise.all(
    Array.from({ length: 20 }, () => stripe.customers.create({ name: 'Ada' }, { idempotencyKey })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.customers.list({ limit: 100 })).data).toHaveLength(1);
});

test('an answer that was lost on the way is replayed to the retry', async () => {
  const { client, fail, requests } = await testStripe();
  await fail({ method: 'POST', path: '/v1/checkout/sessions', status: 'drop', when: 'after' });
  const stripe = client({ maxNetworkRetries: 1 });
  const session = await openCheckout(stripe);
  expect((await stripe.checkout.sessions.list()).data.map(({ id }) => id)).toEqual([session.id]);
  expect((await requests()).counts).toMatchObject({ 'POST /v1/checkout/sessions': 2 });
});

test('a refusal of the parameters is not kept, so the key can be used for the corrected request', async () => {
  const { stripe } = await testStripe();
  await stripeError(stripe.customers.create({ name: 'x'.repeat(300) }, { idempotencyKey }));
  expect(await stripe.customers.create({ name: 'Ada' }, { idempotencyKey })).toMatchObject({ name: 'Ada' });
});

test('an error of the execution is replayed like any answer', async () => {
  const { stripe } = await testStripe();
  await stripe.products.create({ id: 'mine', name: 'Mine' });
  const again = () => stripe.products.create({ id: 'mine', name: 'Mine' }, { idempotencyKey });
  expect(await stripeError(again())).toMatchObject({ code: 'resource_already_exists' });
  await stripe.products.del('mine');
  expect(await stripeError(again())).toMatchObject({ code: 'resource_already_exists' });
});

test('a failure of the execution is replayed to each retry', async () => {
  const { client, fail, requests } = await testStripe();
  await fail({ method: 'POST', path: '/v1/customers', status: 500, when: 'during' });
  const stripe = client({ maxNetworkRetries: 1 });
  const create = () => stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
  expect(await stripeError(create())).toMatchObject({ type: 'StripeAPIError' });
  expect(await stripeError(create())).toMatchObject({ type: 'StripeAPIError' });
  expect((await requests()).counts).toMatchObject({ 'POST /v1/customers': 4 });
  expect(await stripe.customers.create({ name: 'Ada' })).toMatchObject({ name: 'Ada' });
});

test('a key is forgotten after 24 hours', async () => {
  let now = new Date('2026-05-01T00:00:00Z');
  const { stripe } = await testStripe({ now: () => now });
  await stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
  now = new Date('2026-05-02T00:00:00Z');
  await stripe.customers.create({ name: 'Bob' }, { idempotencyKey });
  expect((await stripe.customers.list()).data).toHaveLength(2);
});
