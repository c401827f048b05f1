import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { customerWith, halfWay, PRO_MONTHLY, stripeError, testStripe } from '../../testing.ts';

/** A subscription whose first invoice is open, because the card failed. */
async function unpaid() {
  const world = await testStripe();
  const { customer } = await customerWith(world.stripe, 'pm_card_chargeCustomerFail');
  const { id, latest_invoice: latest } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
  });
  await world.happened();
  return { ...world, customer, id, invoice: typeof latest === 'string' ? latest : '' };
}

test('an open invoice can be paid with another card; the subscription becomes active', async () => {
  const world = await unpaid();
  const { stripe, invoice, customer, id } = world;
  expect(await stripeError(stripe.invoices.pay(invoice))).toMatchObject({ code: 'card_declined' });
  const { id: visa } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  expect(await stripe.invoices.pay(invoice, { payment_method: visa })).toMatchObject({
    status: 'paid',
    amount_paid: 1200,
    amount_remaining: 0,
    attempt_count: 1,
  });
  expect(await world.happened()).toEqual([
    'invoice.payment_failed',
    'payment_method.attached',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
  expect((await stripeError(stripe.invoices.pay(invoice))).message).toBe('Invoice is already paid');
});

test('an invoice can be paid elsewhere', async () => {
  const { stripe, invoice, id } = await unpaid();
  await stripe.invoices.pay(invoice, { paid_out_of_band: true });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('without any card an invoice cannot be paid', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create();
  const pro = { customer, items: [{ price: PRO_MONTHLY }] };
  const nothing = { statusCode: 400, code: 'resource_missing' };
  expect(await stripeError(stripe.subscriptions.create(pro))).toMatchObject(nothing);
  const { latest_invoice: invoice } = await stripe.subscriptions.create({
    ...pro,
    payment_behavior: 'default_incomplete',
  });
  expect(await stripeError(stripe.invoices.pay(typeof invoice === 'string' ? invoice : ''))).toMatchObject(
    nothing,
  );
});

test('voiding the first invoice ends a subscription that never began', async () => {
  const { stripe, invoice, id } = await unpaid();
  expect(await stripe.invoices.voidInvoice(invoice)).toMatchObject({ status: 'void' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'incomplete_expired' });
  expect(await stripeError(stripe.invoices.pay(invoice))).toMatchObject({ code: 'invoice_not_editable' });
});

test('an invoice can be marked uncollectible', async () => {
  const { stripe, invoice } = await unpaid();
  expect(await stripe.invoices.markUncollectible(invoice)).toMatchObject({ status: 'uncollectible' });
});

test('deleting a customer ends the subscriptions', async () => {
  const { stripe, customer, id, happened } = await unpaid();
  await stripe.customers.del(customer);
  expect(await happened()).toEqual(['customer.subscription.deleted', 'customer.deleted']);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
});

test('a finalized invoice can be downloaded as a PDF', async () => {
  const { stripe, invoice, local } = await unpaid();
  const { invoice_pdf: url, number } = await stripe.invoices.retrieve(invoice);
  const response = await fetch(url ?? '');
  expect(response.headers.get('content-type')).toBe('application/pdf');
  const text = await response.text();
  for (const part of ['%PDF-1.4', `Invoice ${number ?? ''}`, 'Total: $12.00', 'ada@example.com', '%%EOF'])
    expect(text).toContain(part);
  // The table at the end has the place of each object.
  const [first] = /\d{10} 00000 n/.exec(text) ?? [];
  expect(text.slice(Number(first?.slice(0, 10)))).toMatch(/^1 0 obj/);
  expect((await fetch(`${local.url}/i/in_x/pdf`)).status).toBe(404);
});

test('an invoice has another URL of its page and of its PDF in each answer', async () => {
  const { stripe, invoice, id } = await unpaid();
  const retrieved = await stripe.invoices.retrieve(invoice);
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  const expanded = subscription.latest_invoice as Stripe.Invoice;
  for (const name of ['hosted_invoice_url', 'invoice_pdf'] as const) {
    expect(expanded[name]).not.toBe(retrieved[name]);
    for (const { [name]: url } of [retrieved, expanded]) expect((await fetch(url ?? '')).status).toBe(200);
  }
});

test('an invoice can be changed until it is closed, and its metadata at all times', async () => {
  const { stripe, invoice, happened } = await unpaid();
  expect(await stripe.invoices.update(invoice, { description: 'Late', metadata: { a: '1' } })).toMatchObject({
    description: 'Late',
    metadata: { a: '1' },
  });
  expect(await happened()).toEqual(['invoice.updated']);
  await stripe.invoices.voidInvoice(invoice);
  await stripe.invoices.update(invoice, { metadata: { b: '2' } });
  expect(await stripeError(stripe.invoices.update(invoice, { description: 'No' }))).toMatchObject({
    code: 'invoice_not_editable',
  });
});

test('an unpaid subscription is active again once its latest draft is finalized and paid', async () => {
  const world = await testStripe({ dunning: { retryAfterDays: [1], then: 'unpaid' } });
  const { stripe } = world;
  const { customer, method } = await customerWith(stripe, 'pm_card_visa');
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: PRO_MONTHLY }] });
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.subscriptions.update(id, { default_payment_method: failing });
  await world.pass(100);
  const statuses = async () =>
    (await stripe.invoices.list({ subscription: id })).data.map(({ status }) => status);
  expect(await statuses()).toEqual(['draft', 'draft', 'open', 'paid']);
  const [latest, , open] = (await stripe.invoices.list({ subscription: id })).data;
  await stripe.invoices.pay(open?.id ?? '', { payment_method: method });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'unpaid' });
  await stripe.invoices.finalizeInvoice(latest?.id ?? '', { auto_advance: false });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'unpaid' });
  await stripe.invoices.pay(latest?.id ?? '', { payment_method: method });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
  expect(await statuses()).toEqual(['paid', 'draft', 'paid', 'paid']);
});

test('a draft that advances automatically is finalized and paid an hour later', async () => {
  const world = await halfWay();
  const { stripe, id } = world;
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  await world.pass(20);
  await stripe.subscriptions.update(id, { pause_collection: '' });
  const [draft] = (await stripe.invoices.list({ subscription: id, status: 'draft' })).data;
  await stripe.invoices.update(draft?.id ?? '', { auto_advance: true });
  await world.pass(1 / 24);
  expect(await stripe.invoices.retrieve(draft?.id ?? '')).toMatchObject({ status: 'paid' });
});
