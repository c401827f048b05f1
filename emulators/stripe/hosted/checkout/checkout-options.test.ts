import { expect, test } from 'vitest';
import { openCheckout, PRO_MONTHLY, stripeError, submit, testStripe } from '../../testing.ts';

const START = new Date('2026-01-31T12:00:00Z');
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

test.each([
  ['4000 0000 0000 0002', 402, 'Your card was declined.'],
  ['4000000000009995', 402, 'Your card has insufficient funds.'],
  ['4000-0000-0000-0069', 402, 'Your card has expired.'],
  ['4000 0000 0000 0127', 402, "Your card's security code is incorrect."],
  ['4000 0000 0000 0341', 402, 'Your card was declined.'],
  ['4242 4242 4242 4241', 400, 'Your card number is invalid.'],
  ['', 400, 'Your card number is invalid.'],
])('the card %j answers %i: %s', async (number, status, message) => {
  const { stripe } = await testStripe();
  const { url, id } = await openCheckout(stripe);
  const refused = await submit(url, { email: 'ada@example.com', card_number: number });
  expect(refused.status).toBe(status);
  const page = await refused.text();
  expect(page).toContain(message);
  expect(page).toMatch(/role="alert"/);
  expect(page).toMatch(/id="card_number"[^>]*aria-invalid="true"/);
  expect(page).toContain('value="ada@example.com"');
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
  expect((await stripe.customers.list()).data).toEqual([]);
  expect((await submit(url, { email: 'ada@example.com' })).status).toBe(303);
});

test.each([
  [{ card_expiry: '01 / 20' }, 'card_expiry'],
  [{ card_expiry: 'soon' }, 'card_expiry'],
  [{ card_cvc: '12' }, 'card_cvc'],
])('the form with %j is refused, and names the field', async (fields, name) => {
  const { stripe } = await testStripe();
  const { url } = await openCheckout(stripe, { customer_email: 'ada@example.com' });
  const refused = await submit(url, fields);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true"`));
});

test('the bank may ask for authentication, which can be completed or fail', async () => {
  const { stripe } = await testStripe();
  const { url, id } = await openCheckout(stripe, { customer_email: 'ada@example.com' });
  const fields = { card_number: '4000 0025 0000 3155' };
  const asked = await submit(url, fields);
  expect(asked.status).toBe(200);
  const page = await asked.text();
  expect(page).toContain('Complete authentication');
  expect(page).toContain('name="card_number" value="4000 0025 0000 3155"');
  const failed = await submit(url, { ...fields, authentication: 'fail' });
  expect(failed.status).toBe(402);
  expect(await failed.text()).toContain('unable to authenticate');
  expect((await submit(url, { ...fields, authentication: 'complete' })).status).toBe(303);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ payment_status: 'paid' });
});

test('a card that needs authentication once pays the renewals; a card that needs it each time does not', async () => {
  const world = await testStripe({ now: () => START });
  const status = async (number: string): Promise<string> => {
    const { url, id } = await openCheckout(world.stripe, { customer_email: 'ada@example.com' });
    await submit(url, { card_number: number, authentication: 'complete' });
    const { subscription } = await world.stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
    await world.pass(32);
    const renewed = typeof subscription === 'object' && subscription ? subscription.id : '';
    return (await world.stripe.subscriptions.retrieve(renewed)).status;
  };
  expect(await status('4000002500003155')).toBe('active');
  expect(await status('4000002760003184')).toBe('past_due');
});

test('a trial is free now, keeps the card, and is paid with it at its end', async () => {
  const world = await testStripe({ now: () => START });
  const { stripe } = world;
  const { url, id, ...session } = await openCheckout(stripe, {
    customer_email: 'ada@example.com',
    subscription_data: { trial_period_days: 14 },
  });
  expect(session).toMatchObject({ amount_total: 0 });
  const page = await textOf(url);
  for (const text of ['Try Pro', '14 days free', 'Then $12.00', 'Start trial', 'Card number'])
    expect(page).toContain(text);
  expect((await submit(url)).status).toBe(303);
  const complete = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
  expect(complete).toMatchObject({
    payment_status: 'no_payment_required',
    subscription: { status: 'trialing', default_payment_method: expect.stringMatching(/^pm_/) as string },
  });
  await world.pass(15);
  expect(await stripe.subscriptions.list()).toMatchObject({ data: [{ status: 'active' }] });
});

test('if a card is asked for only when required, a trial needs none', async () => {
  const { stripe } = await testStripe();
  const { url } = await openCheckout(stripe, {
    customer_email: 'ada@example.com',
    payment_method_collection: 'if_required',
    subscription_data: {
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    },
  });
  expect(await textOf(url)).not.toContain('Card number');
  await submit(url);
  expect(await stripe.subscriptions.list()).toMatchObject({
    data: [
      {
        status: 'trialing',
        default_payment_method: null,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    ],
  });
});

test('a promotion code can be entered on the page, and removed', async () => {
  const { stripe } = await testStripe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25, duration: 'once', name: 'Spring' });
  const code = await stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon },
    code: 'SPRING25',
    max_redemptions: 1,
  });
  const { url, id } = await openCheckout(stripe, {
    allow_promotion_codes: true,
    customer_email: 'ada@example.com',
  });
  const wrong = await submit(`${url}/promotion-code`, { promotion_code: 'nothing' });
  expect([wrong.status, (await wrong.text()).includes('This code is invalid.')]).toEqual([400, true]);
  expect((await submit(`${url}/promotion-code`, { promotion_code: 'spring25' })).status).toBe(303);
  const page = await textOf(url);
  for (const text of ['SPRING25', '-$3.00', 'Pay $9.00', 'Remove promotion code'])
    expect(page).toContain(text);
  await submit(`${url}/promotion-code`);
  expect(await textOf(url)).toContain('Pay $12.00');
  await submit(`${url}/promotion-code`, { promotion_code: 'SPRING25' });
  await submit(url);
  const paid = await stripe.checkout.sessions.retrieve(id, {
    expand: ['invoice', 'line_items', 'discounts.promotion_code'],
  });
  expect(paid).toMatchObject({
    amount_subtotal: 1200,
    amount_total: 900,
    total_details: { amount_discount: 300 },
    invoice: { subtotal: 1200, total: 900, amount_paid: 900 },
    line_items: { data: [{ amount_discount: 300 }] },
    discounts: [{ promotion_code: { id: code.id, times_redeemed: 1, active: false } }],
  });
});

test('codes are refused unless the session allows them', async () => {
  const { stripe } = await testStripe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25 });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'SPRING25' });
  const { url } = await openCheckout(stripe);
  expect(await textOf(url)).not.toContain('Promotion code');
  expect((await submit(`${url}/promotion-code`, { promotion_code: 'SPRING25' })).status).toBe(400);
});

test('a coupon that expires while the page is open is not applied', async () => {
  const world = await testStripe({ now: () => START });
  const { stripe } = world;
  const redeemBy = START.getTime() / 1000 + 3600;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, redeem_by: redeemBy });
  const { url } = await openCheckout(stripe, { discounts: [{ coupon }] });
  expect(await textOf(url)).toContain('Pay $6.00');
  await world.pass(0.1);
  expect(await textOf(url)).toContain('Pay $12.00');
  expect(await stripeError(openCheckout(stripe, { discounts: [{ coupon }] }))).toMatchObject({
    code: 'coupon_expired',
  });
});

test('the quantity can be chosen within its limits', async () => {
  const { stripe } = await testStripe();
  const { url, id } = await openCheckout(stripe, {
    customer_email: 'ada@example.com',
    line_items: [
      { price: PRO_MONTHLY, quantity: 2, adjustable_quantity: { enabled: true, minimum: 2, maximum: 5 } },
    ],
  });
  const item = /name="item" value="([^"]+)"/.exec(await textOf(url))?.[1] ?? '';
  for (const quantity of ['1', '6', 'many', '2.5']) {
    expect((await submit(`${url}/quantity`, { item, quantity })).status).toBe(400);
  }
  expect((await submit(`${url}/quantity`, { item, quantity: '4' })).status).toBe(303);
  expect(await textOf(url)).toContain('Pay $48.00');
  await submit(url);
  const { subscription } = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] });
  expect(subscription).toMatchObject({ items: { data: [{ quantity: 4 }] } });
});

test('a fixed quantity cannot be changed', async () => {
  const { stripe } = await testStripe();
  const { url, id } = await openCheckout(stripe);
  const { data } = await stripe.checkout.sessions.listLineItems(id);
  expect((await submit(`${url}/quantity`, { item: data[0]?.id ?? '', quantity: '4' })).status).toBe(400);
});

test('with automatic tax the address is requested, and saved if the session allows it', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' });
  const refused = openCheckout(stripe, { customer, automatic_tax: { enabled: true } });
  expect(await stripeError(refused)).toMatchObject({ code: 'customer_tax_location_invalid' });
  const { url, id } = await openCheckout(stripe, {
    customer,
    automatic_tax: { enabled: true },
    customer_update: { address: 'auto', name: 'auto' },
    tax_id_collection: { enabled: true },
  });
  expect((await submit(url, { city: '' })).status).toBe(400);
  expect((await submit(url, { country: 'XX' })).status).toBe(400);
  await submit(url, { city: 'Wien', country: 'AT', business_name: 'Ada GmbH', tax_id: 'ATU12345678' });
  const address = { line1: '1 Main Street', city: 'Wien', country: 'AT' };
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })).toMatchObject({
    automatic_tax: { enabled: true, status: 'complete' },
    customer_details: { name: 'Ada GmbH', address, tax_ids: [{ type: 'eu_vat', value: 'ATU12345678' }] },
    subscription: { automatic_tax: { enabled: true } },
  });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ name: 'Ada GmbH', address });
});

test('without permission, the page does not change an existing customer', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada' });
  const { url } = await openCheckout(stripe, { customer, billing_address_collection: 'required' });
  await submit(url, { name: 'Somebody', city: 'Wien' });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ name: 'Ada', address: null });
});

test('the page accepts the code of the customer among several with the same text', async () => {
  const { stripe } = await testStripe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25 });
  const newCustomer = async () => (await stripe.customers.create()).id;
  const withCode = async () => {
    const customer = await newCustomer();
    await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'WELCOME', customer });
    return customer;
  };
  const customers = [await withCode(), await withCode(), await newCustomer()];
  const statusFor = async (customer: string) => {
    const { url } = await openCheckout(stripe, { customer, allow_promotion_codes: true });
    return (await submit(`${url}/promotion-code`, { promotion_code: 'welcome' })).status;
  };
  expect(await Promise.all(customers.map(statusFor))).toEqual([303, 303, 400]);
});
