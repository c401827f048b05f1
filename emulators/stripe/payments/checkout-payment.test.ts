import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { customerWith, oneTimePrice, openCheckout, stripeError, submit, testStripe } from '../testing.ts';
import type { TestStripe } from '../testing.ts';

const EMAIL = { email: 'ada@example.com' };

async function openPayment(
  { stripe }: Pick<TestStripe, 'stripe'>,
  params: Partial<Stripe.Checkout.SessionCreateParams> = {},
) {
  const price = await oneTimePrice(stripe);
  return openCheckout(stripe, { mode: 'payment', line_items: [{ price, quantity: 1 }], ...params });
}

test('a payment has an intent and a charge, and no subscription', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const { id: customer } = await stripe.customers.create(EMAIL);
  const session = await openPayment(world, {
    customer,
    metadata: { order: '1' },
    payment_intent_data: { description: 'For ever', metadata: { uid: 'u1' }, receipt_email: 'b@example.com' },
  });
  expect(session).toMatchObject({
    mode: 'payment',
    payment_intent: null,
    customer_creation: null,
    payment_method_collection: 'if_required',
    invoice_creation: { enabled: false },
  });
  await world.happened();
  expect((await submit(session.url)).status).toBe(303);
  expect(await world.happened()).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge'],
  });
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    customer,
    subscription: null,
    invoice: null,
    payment_intent: {
      amount: 3000,
      amount_received: 3000,
      currency: 'usd',
      customer,
      description: 'For ever',
      metadata: { uid: 'u1' },
      receipt_email: 'b@example.com',
      status: 'succeeded',
      latest_charge: { amount: 3000, paid: true, captured: true, refunded: false, metadata: { uid: 'u1' } },
    },
  });
  expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
});

test('a guest pays without a customer, and the charge has the address', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const session = await openPayment(world, { client_reference_id: 'u1' });
  expect(session.customer_creation).toBe('if_required');
  await submit(session.url, EMAIL);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    client_reference_id: 'u1',
    customer: null,
    customer_details: EMAIL,
    payment_status: 'paid',
  });
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await stripe.charges.list()).data).toMatchObject([{ customer: null, billing_details: EMAIL }]);
});

test.each<[string, Partial<Stripe.Checkout.SessionCreateParams>]>([
  ['customer_creation', { customer_creation: 'always' }],
  ['an invoice', { invoice_creation: { enabled: true } }],
  ['a saved card', { payment_intent_data: { setup_future_usage: 'off_session' } }],
])('%s makes a customer', async (_case, params) => {
  const world = await testStripe();
  const session = await openPayment(world, params);
  await submit(session.url, EMAIL);
  const { customer, payment_intent: intent } = await world.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['customer', 'payment_intent'],
  });
  expect(customer).toMatchObject(EMAIL);
  expect(intent).toMatchObject({ customer: (customer as Stripe.Customer).id });
});

test('a card is saved for later if the payment says so', async () => {
  const world = await testStripe();
  const { id: customer } = await world.stripe.customers.create(EMAIL);
  const { url } = await openPayment(world, {
    customer,
    payment_intent_data: { setup_future_usage: 'off_session' },
  });
  await submit(url);
  expect((await world.stripe.customers.listPaymentMethods(customer)).data).toMatchObject([{ type: 'card' }]);
});

test('a declined card fails the intent, and another card pays the same intent', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const session = await openPayment(world);
  await world.happened();
  const declined = await submit(session.url, { ...EMAIL, card_number: '4000 0000 0000 9995' });
  expect(declined.status).toBe(402);
  expect(await world.happened()).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
  ]);
  const { data: intents } = await stripe.paymentIntents.list();
  expect(intents).toMatchObject([
    {
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
    },
  ]);
  expect((await submit(session.url, EMAIL)).status).toBe(303);
  const intent = intents[0]?.id ?? '';
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_intent: intent });
  expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({
    status: 'succeeded',
    last_payment_error: null,
  });
  const { data: charges } = await stripe.charges.list({ payment_intent: intent });
  expect(charges.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
});

test('an authentication that fails pays nothing', async () => {
  const world = await testStripe();
  const session = await openPayment(world);
  const card = { ...EMAIL, card_number: '4000 0025 0000 3155' };
  expect(await (await submit(session.url, card)).text()).toContain('Complete authentication');
  expect((await submit(session.url, { ...card, authentication: 'fail' })).status).toBe(402);
  expect((await world.stripe.paymentIntents.list()).data).toMatchObject([
    { last_payment_error: { code: 'payment_intent_authentication_failure' } },
  ]);
  expect((await submit(session.url, { ...card, authentication: 'complete' })).status).toBe(303);
});

test('an invoice is made if the session wants one, and the balance of the customer stays', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const { customer } = await customerWith(stripe, 'pm_card_visa', { balance: -500 });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'once' });
  const session = await openPayment(world, {
    customer,
    discounts: [{ coupon }],
    invoice_creation: { enabled: true, invoice_data: { description: 'A gift', metadata: { uid: 'u1' } } },
  });
  await world.happened();
  await submit(session.url);
  expect(await world.happened()).toEqual([
    'customer.discount.created',
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoiceitem.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'checkout.session.completed',
  ]);
  const { invoice } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice'] });
  expect(invoice).toMatchObject({
    amount_paid: 2700,
    billing_reason: 'manual',
    customer,
    description: 'A gift',
    metadata: { uid: 'u1' },
    parent: null,
    status: 'paid',
    subtotal: 3000,
    total: 2700,
  });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -500 });
});

test('a code for 100 % needs no card and makes no payment intent', async () => {
  const world = await testStripe();
  const { id: coupon } = await world.stripe.coupons.create({ percent_off: 100, duration: 'once' });
  const { id, url } = await openPayment(world, { discounts: [{ coupon }] });
  expect(await (await fetch(url)).text()).not.toContain('Card number');
  await submit(url, EMAIL);
  expect(await world.stripe.checkout.sessions.retrieve(id)).toMatchObject({
    payment_intent: null,
    payment_status: 'no_payment_required',
    status: 'complete',
  });
  expect(await world.stripe.coupons.retrieve(coupon)).toMatchObject({ times_redeemed: 1 });
});

test('the page names the items and the amount', async () => {
  const world = await testStripe();
  const { url } = await openPayment(world);
  const page = await (await fetch(url)).text();
  for (const text of ['Buy Pro', '$30.00', 'Pay $30.00']) expect(page).toContain(text);
  expect(page).not.toContain('per once');
});

test('payments are listed and searched by customer', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const { id: customer } = await stripe.customers.create(EMAIL);
  const session = await openPayment(world, { customer });
  await submit(session.url);
  const other = await openPayment(world);
  await submit(other.url, EMAIL);
  const { data: intents } = await stripe.paymentIntents.list({ customer });
  expect(intents).toHaveLength(1);
  const intent = intents[0]?.id ?? '';
  expect((await stripe.charges.list({ customer })).data).toMatchObject([{ payment_intent: intent }]);
  expect((await stripe.charges.search({ query: `customer:'${customer}'` })).data).toHaveLength(1);
  expect((await stripe.checkout.sessions.list({ payment_intent: intent })).data).toMatchObject([
    { id: session.id },
  ]);
  for (const missing of [stripe.paymentIntents.retrieve('pi_x'), stripe.charges.retrieve('ch_x')])
    expect(await stripeError(missing)).toMatchObject({ statusCode: 404, code: 'resource_missing' });
});

test('a plan that is bought once has a price of its own', async () => {
  const { stripe } = await testStripe({
    plans: [
      {
        slug: 'lifetime',
        name: 'Lifetime',
        prices: { once: { lookupKey: 'lifetime', unitAmount: 9900, currency: 'usd' } },
      },
    ],
  });
  expect(await stripe.prices.retrieve('price_local_lifetime_once')).toMatchObject({
    lookup_key: 'lifetime',
    recurring: null,
    type: 'one_time',
    unit_amount: 9900,
  });
});
