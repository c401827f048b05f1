import { expect, test } from 'vitest';
import { PRO_MONTHLY, stripeError, subscribe, testStripe } from '../../testing.ts';

test('a customer is created, read, changed and found by e-mail', async () => {
  const { stripe } = await testStripe();
  const created = await stripe.customers.create({
    email: 'ada@example.com',
    name: 'Ada',
    metadata: { uid: 'u1' },
  });
  expect(created).toMatchObject({ object: 'customer', email: 'ada@example.com', livemode: false });
  expect(created.id).toMatch(/^cus_\w{24}$/);
  expect(await stripe.customers.retrieve(created.id)).toMatchObject({ id: created.id, name: 'Ada' });

  const changed = await stripe.customers.update(created.id, { name: 'Ada L.', description: 'first' });
  expect(changed).toMatchObject({ name: 'Ada L.', description: 'first', email: 'ada@example.com' });
  await stripe.customers.create({ email: 'bob@example.com' });
  const found = await stripe.customers.list({ email: 'ada@example.com' });
  expect(found.data.map(({ id }) => id)).toEqual([created.id]);
});

test('metadata is merged key by key, and an empty value removes a key', async () => {
  const { stripe } = await testStripe();
  const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2', __proto__x: '3' } });
  const merged = await stripe.customers.update(id, { metadata: { a: '', c: '4' } });
  expect(merged.metadata).toEqual({ b: '2', __proto__x: '3', c: '4' });
  expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({});
});

test('an empty string unsets a field', async () => {
  const { stripe } = await testStripe();
  const { id } = await stripe.customers.create({ name: 'Ada' });
  expect((await stripe.customers.update(id, { name: '' })).name).toBeNull();
});

test.each([
  ["metadata['uid']:'u1'", ['ada']],
  ["metadata['uid']:'U1'", ['ada']],
  ["email:'BOB@example.com'", ['bob']],
  ["metadata['UID']:'u1'", []],
  ["metadata['uid']:'nobody'", []],
  ["metadata['__proto__']:'x'", []],
  ["email:'bob@example.com'", ['bob']],
  ['name~"D"', ['ada']],
  ["-metadata['uid']:'u1'", ['bob']],
  ["email:'bob@example.com' OR metadata['uid']:'u1'", ['bob', 'ada']],
  ["email:'bob@example.com' AND metadata['uid']:'u1'", []],
  ['metadata["uid"]:null', ['bob']],
  ['created>0', ['bob', 'ada']],
])('a search for %s finds %j', async (query, names) => {
  const { stripe } = await testStripe();
  await stripe.customers.create({ name: 'ada', email: 'ada@example.com', metadata: { uid: 'u1' } });
  await stripe.customers.create({ name: 'bob', email: 'bob@example.com' });
  const found = await stripe.customers.search({ query });
  expect(found.data.map(({ name }) => name)).toEqual(names);
});

test.each([
  '',
  "balance:'1'",
  "email:'a' AND",
  "email:'a' OR name:'b' AND name:'c'",
  'email',
  "email['x']:'y'",
])('the search query %j is refused', async (query) => {
  const { stripe } = await testStripe();
  expect(await stripeError(stripe.customers.search({ query }))).toMatchObject({
    statusCode: 400,
    param: 'query',
  });
});

test('search results come in pages', async () => {
  const { stripe } = await testStripe();
  for (const name of ['a', 'b', 'c']) await stripe.customers.create({ name });
  const names = [];
  for await (const { name } of stripe.customers.search({ query: 'created>0', limit: 2 })) names.push(name);
  expect(names).toEqual(['c', 'b', 'a']);
});

test('a deleted customer is returned as deleted, and its subscriptions end', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  expect(await stripe.customers.del(customer)).toMatchObject({ id: customer, deleted: true });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' });
  expect((await stripe.customers.list()).data).toEqual([]);
  expect(await stripeError(stripe.customers.del(customer))).toMatchObject({ statusCode: 404 });
});

test.each(['ä@example.com', 'ada', 'ada@example', 'a b@example.com', 'a@b@example.com'])(
  'the e-mail address %j is refused, also with the same key again',
  async (email) => {
    const { stripe } = await testStripe();
    const refusal = { statusCode: 400, code: 'email_invalid', param: 'email' };
    const create = () => stripe.customers.create({ email }, { idempotencyKey: email.length.toString() });
    expect(await stripeError(create())).toMatchObject(refusal);
    expect(await stripeError(create())).toMatchObject(refusal);
    const { id } = await stripe.customers.create();
    expect(await stripeError(stripe.customers.update(id, { email }))).toMatchObject(refusal);
    expect((await stripe.customers.list()).data).toMatchObject([{ id, email: null }]);
  },
);

test('a change of a customer is one event with the previous values', async () => {
  const { stripe, happened } = await testStripe();
  const { id } = await stripe.customers.create({ email: 'old@example.com', name: 'Ada' });
  await happened();
  const changed = await stripe.customers.update(id, {
    email: 'new@example.com',
    address: { line1: '1 Main Street', country: 'US' },
    invoice_prefix: 'ADA',
    next_invoice_sequence: 7,
    preferred_locales: ['de'],
    shipping: { name: 'Ada', address: { country: 'DE' } },
    invoice_settings: { footer: 'Thanks', custom_fields: [{ name: 'Order', value: '7' }] },
  });
  expect(changed).toMatchObject({
    shipping: { address: { country: 'DE' } },
    invoice_settings: { footer: 'Thanks' },
  });
  const { data } = await stripe.events.list({ limit: 1 });
  expect(data[0]).toMatchObject({
    type: 'customer.updated',
    data: { previous_attributes: { email: 'old@example.com', address: null, preferred_locales: [] } },
  });
  expect(await happened()).toEqual(['customer.updated']);
  await stripe.customers.update(id, { email: 'new@example.com' });
  expect(await happened()).toEqual([]);
  expect((await stripe.customers.update(id, { shipping: '' })).shipping).toBeNull();
  const wrong = stripe.customers.update(id, { invoice_prefix: 'no' });
  expect(await stripeError(wrong)).toMatchObject({ param: 'invoice_prefix' });
});

test('an invoice shows its customer as they are when it is finalized', async () => {
  const { stripe } = await testStripe();
  const { customer } = await subscribe(stripe);
  await stripe.customers.update(customer, {
    address: { country: 'DE' },
    invoice_settings: { footer: 'Thanks' },
    invoice_prefix: 'ADA',
    next_invoice_sequence: 7,
  });
  await stripe.customers.createTaxId(customer, { type: 'eu_vat', value: 'DE000000000' });
  await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    default_payment_method: (await stripe.customers.listPaymentMethods(customer)).data[0]?.id ?? '',
  });
  const [invoice] = (await stripe.invoices.list({ customer })).data;
  expect(invoice).toMatchObject({
    number: 'ADA-0007',
    customer_address: { country: 'DE' },
    customer_tax_ids: [{ type: 'eu_vat', value: 'DE000000000' }],
    footer: 'Thanks',
  });
});

test('a customer can be created with a card', async () => {
  const { stripe } = await testStripe();
  const { id } = await stripe.customers.create({ payment_method: 'pm_card_visa' });
  expect((await stripe.customers.listPaymentMethods(id)).data).toHaveLength(1);
});
