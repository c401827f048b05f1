import { expect, test } from 'vitest';
import { stripeError, testStripe } from '../../testing.ts';

test('a customer has tax IDs, with an event for each change', async () => {
  const { stripe, happened } = await testStripe();
  const { id: customer } = await stripe.customers.create();
  await happened();
  const taxId = await stripe.customers.createTaxId(customer, { type: 'eu_vat', value: 'DE000000000' });
  expect(taxId).toMatchObject({ country: 'DE', customer, verification: { status: 'verified' } });
  expect(await stripe.customers.retrieve(customer, { expand: ['tax_ids'] })).toMatchObject({
    tax_ids: { data: [{ id: taxId.id }] },
  });
  expect((await stripe.taxIds.list({ owner: { type: 'customer', customer } })).data).toHaveLength(1);
  await stripe.customers.deleteTaxId(customer, taxId.id);
  expect((await stripe.customers.listTaxIds(customer)).data).toEqual([]);
  expect(await happened()).toEqual(['customer.tax_id.created', 'customer.tax_id.deleted']);
});

test.each([
  ['DE111111111', 'eu_vat', 'unverified'],
  ['DE222222222', 'eu_vat', 'pending'],
  ['12-3456789', 'us_ein', 'unavailable'],
] as const)(
  'the verification of the test value %s has the documented result',
  async (value, type, status) => {
    const { stripe } = await testStripe();
    const { id } = await stripe.customers.create({ tax_id_data: [{ type, value }] });
    expect((await stripe.customers.listTaxIds(id)).data[0]?.verification?.status).toBe(status);
  },
);

test.each([
  ['a value of a wrong form', { type: 'eu_vat', value: 'nonsense' }, { code: 'tax_id_invalid' }],
  ['an unknown type', { type: 'moon_vat', value: '1' }, { param: 'type' }],
  ['no value', { type: 'eu_vat' }, { code: 'parameter_missing' }],
])('a tax ID with %s is refused', async (_case, params, expected) => {
  const { stripe } = await testStripe();
  const { id } = await stripe.customers.create();
  const creating = stripe.customers.createTaxId(id, params as never);
  expect(await stripeError(creating)).toMatchObject({ statusCode: 400, ...expected });
});

test("a tax ID of another customer is not found under this one's path", async () => {
  const { stripe } = await testStripe();
  const [a, b] = [await stripe.customers.create(), await stripe.customers.create()];
  const { id } = await stripe.customers.createTaxId(a.id, { type: 'eu_vat', value: 'DE000000000' });
  expect(await stripeError(stripe.customers.deleteTaxId(b.id, id))).toMatchObject({ statusCode: 404 });
});

test('a customer with a refused tax ID is not created', async () => {
  const { stripe, happened } = await testStripe();
  const creating = stripe.customers.create({ tax_id_data: [{ type: 'eu_vat', value: 'x' }] });
  expect(await stripeError(creating)).toMatchObject({ code: 'tax_id_invalid' });
  expect([(await stripe.customers.list()).data, await happened()]).toEqual([[], []]);
});
