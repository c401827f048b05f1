import { expect, test } from 'vitest';
import { openCheckout, submit, testStripe } from '../../testing.ts';

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

test('a tax ID that is typed at checkout becomes that of the customer, and is on the first invoice', async () => {
  const { stripe, happened } = await testStripe();
  const { id, url } = await openCheckout(stripe, { tax_id_collection: { enabled: true } });
  await submit(url, { email: 'ada@example.com', business_name: 'Ada GmbH', tax_id: 'DE000000000' });
  expect((await happened()).slice(0, 2)).toEqual(['customer.created', 'customer.tax_id.created']);
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['customer.tax_ids', 'invoice'] });
  expect(session).toMatchObject({
    customer: { name: 'Ada GmbH', tax_ids: { data: [{ type: 'eu_vat', value: 'DE000000000' }] } },
    invoice: { customer_tax_ids: [{ type: 'eu_vat', value: 'DE000000000' }] },
  });
});

test('a tax ID of a wrong form is refused by the page', async () => {
  const { stripe } = await testStripe();
  const { url } = await openCheckout(stripe, { tax_id_collection: { enabled: true } });
  const refused = await submit(url, { email: 'ada@example.com', tax_id: 'nonsense' });
  expect([refused.status, (await refused.text()).includes('Your tax ID is invalid.')]).toEqual([400, true]);
});

test('a session may require a tax ID', async () => {
  const { stripe } = await testStripe();
  const { url } = await openCheckout(stripe, {
    tax_id_collection: { enabled: true, required: 'if_supported' },
  });
  expect((await submit(url, { email: 'ada@example.com' })).status).toBe(400);
  expect((await submit(url, { email: 'ada@example.com', tax_id: 'DE000000000' })).status).toBe(303);
});

test('a customer who has a tax ID is not asked again', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({
    email: 'ada@example.com',
    tax_id_data: [{ type: 'eu_vat', value: 'DE000000000' }],
  });
  const { url } = await openCheckout(stripe, {
    customer,
    customer_update: { name: 'auto' },
    tax_id_collection: { enabled: true, required: 'if_supported' },
  });
  expect(await textOf(url)).not.toContain('Tax ID');
  expect((await submit(url)).status).toBe(303);
});

test('a trial can begin without a card, and ends according to its settings', async () => {
  const { stripe } = await testStripe();
  const { id, url } = await openCheckout(stripe, {
    payment_method_collection: 'if_required',
    subscription_data: {
      trial_period_days: 14,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    },
  });
  expect(await textOf(url)).not.toContain('Card number');
  await submit(url, { email: 'ada@example.com' });
  const { subscription } = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
  expect(subscription).toMatchObject({
    status: 'trialing',
    default_payment_method: null,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  });
});
