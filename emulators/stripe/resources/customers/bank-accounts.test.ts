import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  customerWith,
  debitedCustomer,
  FAILING_IBAN,
  PAYING_IBAN,
  PRO_MONTHLY,
  stripeError,
  testStripe,
} from '../../testing.ts';

const OWNER = { name: 'Ada Lovelace', email: 'bank@example.com' };

test('a bank account is attached, listed by its type, made the default, and detached', async () => {
  const { stripe } = await testStripe();
  const { customer, method } = await debitedCustomer(stripe, 'DE89 3704 0044 0532 0130 00');
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  expect(await stripe.paymentMethods.retrieve(method)).toMatchObject({
    type: 'sepa_debit',
    customer,
    billing_details: OWNER,
    sepa_debit: { bank_code: '37040044', country: 'DE', last4: '3000' },
  });
  const listed = async (type?: 'card' | 'sepa_debit') => {
    const { data } = await stripe.paymentMethods.list({ customer, ...(type && { type }) });
    const { data: again } = await stripe.customers.listPaymentMethods(customer, type && { type });
    expect(again.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
    return data.map(({ id }) => id);
  };
  expect([await listed(), await listed('card'), await listed('sepa_debit')]).toEqual([
    [card, method],
    [card],
    [method],
  ]);
  await stripe.paymentMethods.detach(method);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({
    invoice_settings: { default_payment_method: null },
  });
});

test('the account that pays is shown in a subscription, also in a list', async () => {
  const { stripe } = await testStripe();
  const { customer, method } = await debitedCustomer(stripe, PAYING_IBAN);
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }],
    default_payment_method: method,
  });
  const paths = ['default_payment_method', 'customer.invoice_settings.default_payment_method'];
  const shown = {
    default_payment_method: { type: 'sepa_debit' },
    customer: { invoice_settings: { default_payment_method: { type: 'sepa_debit' } } },
  };
  expect(await stripe.subscriptions.retrieve(id, { expand: paths })).toMatchObject(shown);
  const expand = paths.map((path) => `data.${path}`);
  expect((await stripe.subscriptions.list({ customer, expand })).data).toMatchObject([shown]);
  await stripe.customers.del(customer);
  expect(await stripe.subscriptions.retrieve(id, { expand: paths })).toMatchObject({
    status: 'canceled',
    customer: { deleted: true },
  });
});

const account = { iban: PAYING_IBAN };
const card = { token: 'tok_visa' };

test.each<[what: string, params: Stripe.PaymentMethodCreateParams, error: object]>([
  [
    'an unknown IBAN',
    { sepa_debit: { iban: 'DE00000000000000000000' } },
    { param: 'sepa_debit[iban]', code: 'invalid_bank_account_iban' },
  ],
  [
    'the IBAN whose debits are disputed',
    { sepa_debit: { iban: 'DE35370400440532013002' } },
    { code: 'emulator_unsupported' },
  ],
  ['no account', {}, { param: 'sepa_debit' }],
  ['no IBAN', { sepa_debit: {} as { iban: string } }, { param: 'sepa_debit' }],
  [
    'no name',
    { sepa_debit: account, billing_details: { email: OWNER.email } },
    { param: 'billing_details[name]' },
  ],
  [
    'no address',
    { sepa_debit: account, billing_details: { name: 'Ada' } },
    { param: 'billing_details[email]' },
  ],
  ['no owner', { sepa_debit: account, billing_details: {} }, { param: 'billing_details[name]' }],
  ['a card too', { sepa_debit: account, card }, { param: 'card' }],
  [
    'a card of this account',
    { type: 'card', sepa_debit: account, card, billing_details: {} },
    { param: 'sepa_debit' },
  ],
  ['a card without a number', { type: 'card' }, { param: 'card' }],
  ['a card with an owner', { type: 'card', card }, { code: 'emulator_unsupported' }],
])('a bank account with %s is refused', async (_what, params, error) => {
  const { stripe } = await testStripe();
  const creating = stripe.paymentMethods.create({ type: 'sepa_debit', billing_details: OWNER, ...params });
  expect(await stripeError(creating)).toMatchObject({ statusCode: 400, ...error });
});

test('a bank account pays no intent that is confirmed immediately', async () => {
  const { stripe } = await testStripe();
  const { customer, method } = await debitedCustomer(stripe, PAYING_IBAN);
  const payment = { amount: 500, currency: 'eur', confirm: true, customer, payment_method: method };
  expect(await stripeError(stripe.paymentIntents.create(payment))).toMatchObject({
    code: 'emulator_unsupported',
  });
});

test('a card keeps the name and address of its customer, and a bank account those of its owner', async () => {
  const { stripe } = await testStripe();
  const { method: visa } = await customerWith(stripe, 'pm_card_visa');
  const { method: iban } = await debitedCustomer(stripe, FAILING_IBAN);
  expect(await stripe.paymentMethods.retrieve(visa)).toMatchObject({ billing_details: { name: 'Ada' } });
  expect(await stripe.paymentMethods.retrieve(iban)).toMatchObject({ billing_details: OWNER });
});
