import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { customerWith, payInParts, PRO_MONTHLY, stripeError, testStripe } from '../testing.ts';

/** A subscription whose first invoice of 12 dollars is open. */
async function unpaid() {
  const world = await testStripe();
  const { customer, method } = await customerWith(world.stripe, 'pm_card_visa');
  const { id, latest_invoice: invoice } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice'],
  });
  const pay = (amount: number, currency = 'usd') =>
    world.stripe.paymentIntents.create({ amount, currency, customer, payment_method: method, confirm: true });
  await world.happened();
  return { ...world, id, customer, method, pay, invoice: invoice as Stripe.Invoice };
}

test('an invoice is paid in parts, each by a payment intent of its own', async () => {
  const { stripe, id, invoice, happened } = await unpaid();
  const part = await payInParts(stripe, invoice, [500]);
  expect(part).toMatchObject({ status: 'open', amount_due: 1200, amount_paid: 500, amount_remaining: 700 });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete');
  const whole = await payInParts(stripe, invoice, [700]);
  expect(whole).toMatchObject({ status: 'paid', amount_paid: 1200, amount_remaining: 0 });
  const payments = whole.payments?.data.map(({ status, amount_paid: amount }) => [status, amount]);
  expect(payments).toEqual([
    ['paid', 700],
    ['paid', 500],
    ['canceled', null],
  ]);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('active');
  expect(await happened()).toContain('invoice.paid');
});

test('the rest of an invoice is charged to a card', async () => {
  const { stripe, invoice, method } = await unpaid();
  await payInParts(stripe, invoice, [500]);
  await stripe.invoices.pay(invoice.id, { payment_method: method });
  const { data } = await stripe.charges.list();
  expect(data.map(({ amount }) => amount)).toEqual([700, 500]);
});

test('a payment that does not fit the invoice is refused', async () => {
  const { stripe, invoice, pay } = await unpaid();
  const attach = (id: string) =>
    stripeError(stripe.invoices.attachPayment(invoice.id, { payment_intent: id }));
  const param = { param: 'payment_intent' };
  expect(await attach('pi_unknown')).toMatchObject({ ...param, code: 'resource_missing' });
  expect(await attach((await pay(1300)).id)).toMatchObject(param);
  expect(await attach((await pay(500, 'eur')).id)).toMatchObject(param);
  const { id } = await pay(500);
  await stripe.invoices.attachPayment(invoice.id, { payment_intent: id });
  expect(await attach(id)).toMatchObject(param);
  await payInParts(stripe, invoice, [700]);
  expect(await attach((await pay(500)).id)).toMatchObject({ statusCode: 400 });
  expect(await stripeError(stripe.invoices.attachPayment('in_1', { payment_intent: id }))).toMatchObject({
    statusCode: 404,
  });
});

test('a payment by the API is made at once, or is refused', async () => {
  const { stripe, customer, method, pay, happened } = await unpaid();
  expect(await pay(500)).toMatchObject({ amount_received: 500, customer, status: 'succeeded' });
  expect(await happened()).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  const payment = { amount: 500, currency: 'usd', customer, payment_method: method, confirm: true };
  expect(await stripeError(stripe.paymentIntents.create({ ...payment, confirm: false }))).toMatchObject({
    code: 'emulator_unsupported',
  });
  expect(await stripeError(stripe.paymentIntents.create({ ...payment, customer: 'cus_1' }))).toMatchObject({
    code: 'resource_missing',
  });
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  expect(
    await stripeError(stripe.paymentIntents.create({ ...payment, payment_method: failing })),
  ).toMatchObject({ code: 'card_declined' });
  const [declined] = (await stripe.paymentIntents.list()).data;
  expect(declined).toMatchObject({ status: 'requires_payment_method' });
});
