import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  customerWith,
  oneTimePrice,
  openCheckout,
  PRO_MONTHLY,
  PRO_YEARLY,
  stripeError,
  submit,
  testStripe,
} from '../../testing.ts';

const START = new Date('2026-05-01T00:00:00Z');

async function monthlyPrice(stripe: Stripe, params: Partial<Stripe.PriceCreateParams> = {}): Promise<string> {
  const { id: product } = await stripe.products.create({ name: 'Seat' });
  const { id } = await stripe.prices.create({
    product,
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
    ...params,
  });
  return id;
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

test('a base price and seats are sold together, and the seats are adjustable', async () => {
  const { stripe } = await testStripe();
  const seat = await monthlyPrice(stripe);
  const { url, id } = await openCheckout(stripe, {
    customer_email: 'ada@example.com',
    line_items: [
      { price: PRO_MONTHLY, quantity: 1 },
      { price: seat, quantity: 2, adjustable_quantity: { enabled: true, minimum: 1, maximum: 9 } },
    ],
  });
  const page = await textOf(url);
  for (const text of ['Subscribe to Pro and 1 more', '$22.00', 'per month', 'How many of Seat'])
    expect(page).toContain(text);
  const item = /name="item" value="([^"]+)"/.exec(page)?.[1] ?? '';
  expect((await submit(`${url}/quantity`, { item, quantity: '4' })).status).toBe(303);
  await submit(url);
  const { subscription } = await stripe.checkout.sessions.retrieve(id, {
    expand: ['subscription.latest_invoice'],
  });
  expect(subscription).toMatchObject({
    items: {
      data: [
        { price: { id: PRO_MONTHLY }, quantity: 1 },
        { price: { id: seat }, quantity: 4 },
      ],
    },
    latest_invoice: { amount_paid: 3200 },
  });
});

test('a seat that is added later is prorated, and the base price stays', async () => {
  const world = await testStripe({ now: () => START });
  const { stripe, pass } = world;
  const seat = await monthlyPrice(stripe);
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const { id, items } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }, { price: seat, quantity: 2 }],
  });
  await stripe.subscriptions.update(id, { items: [{ id: items.data[1]?.id ?? '', quantity: 3 }] });
  await pass(32);
  const { data } = await stripe.invoices.list({ customer });
  expect(data.map(({ total }) => total)).toEqual([1200 + 1500 + 500, 2200]);
});

test('a one-time price is billed by the first invoice only', async () => {
  const world = await testStripe({ now: () => START });
  const { stripe, pass } = world;
  const setup = await oneTimePrice(stripe);
  const { url, id } = await openCheckout(stripe, {
    customer_email: 'ada@example.com',
    line_items: [
      { price: PRO_MONTHLY, quantity: 1 },
      { price: setup, quantity: 1 },
    ],
  });
  expect(await textOf(url)).not.toContain('per month');
  await submit(url);
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'invoice'] });
  expect(session).toMatchObject({
    amount_total: 4200,
    subscription: { items: { data: [{ price: { id: PRO_MONTHLY } }] } },
    invoice: {
      amount_paid: 4200,
      lines: {
        data: [
          { amount: 1200 },
          { amount: 3000, parent: { type: 'invoice_item_details', subscription_item_details: null } },
        ],
      },
    },
  });
  await pass(32);
  expect((await stripe.invoices.list()).data.map(({ total }) => total)).toEqual([1200, 4200]);
});

test('a one-time price is paid immediately, although a trial comes first', async () => {
  const { stripe } = await testStripe();
  const setup = await oneTimePrice(stripe);
  const {
    url,
    id,
    amount_total: total,
  } = await openCheckout(stripe, {
    customer_email: 'ada@example.com',
    line_items: [
      { price: PRO_MONTHLY, quantity: 1 },
      { price: setup, quantity: 1 },
    ],
    subscription_data: { trial_period_days: 7 },
  });
  expect(total).toBe(3000);
  await submit(url);
  expect(
    await stripe.checkout.sessions.retrieve(id, { expand: ['subscription.latest_invoice'] }),
  ).toMatchObject({
    payment_status: 'paid',
    subscription: { status: 'trialing', latest_invoice: { amount_paid: 3000 } },
  });
});

test.each<[string, (stripe: Stripe) => Promise<Stripe.Checkout.SessionCreateParams.LineItem[]>]>([
  ['only one-time prices', async (stripe) => [{ price: await oneTimePrice(stripe), quantity: 1 }]],
  [
    'two intervals',
    () =>
      Promise.resolve([
        { price: PRO_MONTHLY, quantity: 1 },
        { price: PRO_YEARLY, quantity: 1 },
      ]),
  ],
])('a subscription of %s is refused', async (_case, items) => {
  const { stripe } = await testStripe();
  const opening = openCheckout(stripe, { line_items: await items(stripe) });
  expect(await stripeError(opening)).toMatchObject({ statusCode: 400, param: 'line_items' });
});

test('a price is sold in the currency that the session chooses', async () => {
  const world = await testStripe({ now: () => START });
  const { stripe, pass } = world;
  const price = await monthlyPrice(stripe, { currency_options: { eur: { unit_amount: 450 } } });
  const session = await openCheckout(stripe, {
    currency: 'eur',
    customer_email: 'ada@example.com',
    line_items: [{ price, quantity: 2 }],
  });
  expect(session).toMatchObject({ currency: 'eur', amount_total: 900 });
  expect(await textOf(session.url)).toContain('Pay €9.00');
  await submit(session.url);
  const { subscription, line_items: items } = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice', 'line_items'],
  });
  expect(items?.data).toMatchObject([{ currency: 'eur', amount_total: 900, price: { currency: 'usd' } }]);
  expect(subscription).toMatchObject({
    currency: 'eur',
    latest_invoice: { currency: 'eur', amount_paid: 900, lines: { data: [{ currency: 'eur' }] } },
  });
  await pass(32);
  expect((await stripe.invoices.list()).data).toMatchObject([
    { currency: 'eur', total: 900 },
    { currency: 'eur', total: 900 },
  ]);
});

test('without a chosen currency the own currency of the price is used', async () => {
  const { stripe } = await testStripe();
  const price = await monthlyPrice(stripe, { currency_options: { eur: { unit_amount: 450 } } });
  expect(await openCheckout(stripe, { line_items: [{ price, quantity: 1 }] })).toMatchObject({
    currency: 'usd',
    amount_total: 500,
  });
});

test('a change of quantity is prorated in the currency of the subscription', async () => {
  const { stripe } = await testStripe({ now: () => START });
  const price = await monthlyPrice(stripe, { currency_options: { eur: { unit_amount: 450 } } });
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const { id, items } = await stripe.subscriptions.create({ customer, currency: 'eur', items: [{ price }] });
  await stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', quantity: 2 }] });
  expect((await stripe.invoiceItems.list({ customer })).data).toMatchObject([
    { amount: 900, currency: 'eur' },
    { amount: -450, currency: 'eur' },
  ]);
});

test('a currency that a price does not have is refused', async () => {
  const { stripe } = await testStripe();
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  expect(await stripeError(openCheckout(stripe, { currency: 'eur' }))).toMatchObject({ param: 'currency' });
  const creating = stripe.subscriptions.create({
    customer,
    currency: 'eur',
    items: [{ price: PRO_MONTHLY }],
  });
  expect(await stripeError(creating)).toMatchObject({ param: 'items' });
});

test('currency options are shown on demand, changed one by one, and removed', async () => {
  const { stripe } = await testStripe();
  const id = await monthlyPrice(stripe, {
    currency_options: { eur: { unit_amount: 450 }, gbp: { unit_amount: 400 } },
  });
  const amounts = async () => {
    const { currency_options: shown } = await stripe.prices.retrieve(id, { expand: ['currency_options'] });
    return Object.entries(shown ?? {}).map(([code, { unit_amount: amount }]) => [code, amount]);
  };
  expect((await stripe.prices.retrieve(id)).currency_options).toBeUndefined();
  expect(await amounts()).toEqual([
    ['usd', 500],
    ['eur', 450],
    ['gbp', 400],
  ]);
  await stripe.prices.update(id, { currency_options: { eur: { unit_amount: 460 } } });
  expect(await amounts()).toContainEqual(['eur', 460]);
  expect(await amounts()).toContainEqual(['gbp', 400]);
  await stripe.prices.update(id, { currency_options: '' });
  expect(await amounts()).toEqual([['usd', 500]]);
  const wrong = stripe.prices.update(id, { currency_options: { usd: { unit_amount: 1 } } });
  expect(await stripeError(wrong)).toMatchObject({ param: 'currency_options[usd]' });
});

test('the plans may name prices in several currencies', async () => {
  const month = { lookupKey: 'pro_monthly', unitAmount: 1200, currency: 'usd', currencies: { eur: 1100 } };
  const { stripe } = await testStripe({ plans: [{ slug: 'pro', name: 'Pro', prices: { month } }] });
  expect(await openCheckout(stripe, { currency: 'EUR' })).toMatchObject({
    currency: 'eur',
    amount_total: 1100,
  });
});

describe('a customer with a subscription in euros', () => {
  const NO_SECOND = 'You cannot combine currencies on a single customer.';

  async function subscriber(stripe: Stripe) {
    const { customer } = await customerWith(stripe, 'pm_card_visa');
    const price = await monthlyPrice(stripe, { currency_options: { eur: { unit_amount: 450 } } });
    const { id } = await stripe.subscriptions.create({ customer, currency: 'eur', items: [{ price }] });
    return { customer, price, subscription: id, line_items: [{ price, quantity: 1 }] };
  }

  test('subscribes in no other currency until it has ended', async () => {
    const { stripe } = await testStripe();
    const { customer, price, subscription, line_items } = await subscriber(stripe);
    const inDollars = () => openCheckout(stripe, { customer, currency: 'usd', line_items });
    expect(await stripeError(inDollars())).toMatchObject({
      type: 'StripeInvalidRequestError',
      code: undefined,
      message: expect.stringMatching(new RegExp(`^${NO_SECOND}.* with currency eur\\.$`)) as string,
    });
    const created = stripe.subscriptions.create({ customer, items: [{ price }] });
    expect((await stripeError(created)).message).toContain(NO_SECOND);
    await stripe.subscriptions.cancel(subscription);
    expect(await inDollars()).toMatchObject({ currency: 'usd' });
  });

  test('subscribes in this currency without a choice, if the price has it', async () => {
    const { stripe } = await testStripe();
    const { customer, line_items } = await subscriber(stripe);
    expect(await openCheckout(stripe, { customer, line_items })).toMatchObject({ currency: 'eur' });
    expect((await stripeError(openCheckout(stripe, { customer }))).message).toBe(
      "The price specified only supports `usd`. This doesn't match the expected currency: `eur`.",
    );
  });

  test('may pay once in another one', async () => {
    const { stripe } = await testStripe();
    const { customer } = await subscriber(stripe);
    const line_items = [{ price: await oneTimePrice(stripe), quantity: 1 }];
    expect(await openCheckout(stripe, { customer, mode: 'payment', line_items })).toMatchObject({
      currency: 'usd',
    });
  });
});

test('an open page for a subscription decides the currency of the next one', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create();
  const price = await monthlyPrice(stripe, { currency_options: { eur: { unit_amount: 450 } } });
  const open = (currency: string) =>
    openCheckout(stripe, { customer, currency, line_items: [{ price, quantity: 1 }] });
  const { id } = await open('usd');
  expect((await stripeError(open('eur'))).message).toContain('with currency usd.');
  await stripe.checkout.sessions.expire(id);
  expect(await open('eur')).toMatchObject({ currency: 'eur' });
});
