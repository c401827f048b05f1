import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, stripeError, testStripe } from '../testing.ts';

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

test('without any card there is nothing to pay with', async () => {
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

test('a first invoice that is voided ends what never began', async () => {
  const { stripe, invoice, id } = await unpaid();
  expect(await stripe.invoices.voidInvoice(invoice)).toMatchObject({ status: 'void' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'incomplete_expired' });
  expect(await stripeError(stripe.invoices.pay(invoice))).toMatchObject({ code: 'invoice_not_editable' });
});

test('an invoice can be given up', async () => {
  const { stripe, invoice } = await unpaid();
  expect(await stripe.invoices.markUncollectible(invoice)).toMatchObject({ status: 'uncollectible' });
});

test('a customer who is deleted takes the subscriptions along', async () => {
  const { stripe, customer, id, happened } = await unpaid();
  await stripe.customers.del(customer);
  expect(await happened()).toEqual(['customer.subscription.deleted', 'customer.deleted']);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
});
