import { expect, test } from 'vitest';
import { customerWith, PRO_MONTHLY, stripeError, testStripe } from '../../testing.ts';

test('a card is attached, listed for its customer, made the default, and detached permanently', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const { customer, method } = await customerWith(stripe, 'pm_card_mastercard');
  expect(await stripe.paymentMethods.retrieve(method)).toMatchObject({
    type: 'card',
    customer,
    card: { brand: 'mastercard', last4: '4444' },
    billing_details: { email: 'ada@example.com' },
  });
  expect((await stripe.paymentMethods.list({ customer })).data.map(({ id }) => id)).toEqual([method]);
  expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1);
  expect(
    await stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] }),
  ).toMatchObject({ invoice_settings: { default_payment_method: { id: method } } });
  await world.happened();
  expect(await stripe.paymentMethods.detach(method)).toMatchObject({ customer: null });
  expect(await world.happened()).toEqual(['payment_method.detached', 'customer.updated']);
  expect((await stripe.paymentMethods.list({ customer })).data).toEqual([]);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({
    invoice_settings: { default_payment_method: null },
  });
  expect(await stripeError(stripe.paymentMethods.detach(method))).toMatchObject({ statusCode: 400 });
});

test.each([
  ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', ''],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', ''],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error', ''],
])('%s is declined when it is saved: %s', async (card, code, declineCode) => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create();
  const error = await stripeError(stripe.paymentMethods.attach(card, { customer }));
  expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code });
  expect(error.decline_code ?? '').toBe(declineCode);
});

test.each([
  ['pm_card_chargeCustomerFail', 'generic_decline'],
  ['pm_card_authenticationRequired', 'authentication_required'],
  ['pm_card_authenticationRequiredOnSetup', 'authentication_required'],
])('%s can be saved, and fails when it is charged: %s', async (card, declineCode) => {
  const { stripe } = await testStripe();
  const { customer } = await customerWith(stripe, card);
  const { latest_invoice: invoice } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
  });
  const paying = stripe.invoices.pay(typeof invoice === 'string' ? invoice : '');
  expect(await stripeError(paying)).toMatchObject({ statusCode: 402, decline_code: declineCode });
});

test('a card can be made from its number, and only a test card', async () => {
  const { stripe } = await testStripe();
  const card = { number: '4242424242424242', exp_month: 4, exp_year: 2031, cvc: '123' };
  expect(await stripe.paymentMethods.create({ type: 'card', card })).toMatchObject({
    customer: null,
    card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 },
  });
  const unknown = stripe.paymentMethods.create({
    type: 'card',
    card: { ...card, number: '4111111111111111' },
  });
  expect(await stripeError(unknown)).toMatchObject({ statusCode: 402, code: 'incorrect_number' });
});

test('a card belongs to one customer', async () => {
  const { stripe } = await testStripe();
  const { method } = await customerWith(stripe, 'pm_card_visa');
  const { id: other } = await stripe.customers.create();
  expect(await stripeError(stripe.paymentMethods.attach(method, { customer: other }))).toMatchObject({
    statusCode: 400,
  });
  const settings = { invoice_settings: { default_payment_method: method } };
  expect(await stripeError(stripe.customers.update(other, settings))).toMatchObject({
    param: 'invoice_settings[default_payment_method]',
  });
});
