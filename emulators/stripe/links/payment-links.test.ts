import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { oneTimePrice, PRO_MONTHLY, stripeError, submit, testStripe } from '../testing.ts';
import type { TestStripe } from '../testing.ts';

const EMAIL = { email: 'ada@example.com' };

function createLink(
  { stripe }: Pick<TestStripe, 'stripe'>,
  params: Partial<Stripe.PaymentLinkCreateParams> = {},
) {
  return stripe.paymentLinks.create({ line_items: [{ price: PRO_MONTHLY, quantity: 1 }], ...params });
}

/** Opens a link like a browser, and answers the URL of the page that it leads to. */
async function visit(url: string, query: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${url}?${String(new URLSearchParams(query))}`, { redirect: 'manual' });
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}

test('a paid link makes a customer and a subscription, and its session names link and reference', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const link = await createLink(world, {
    metadata: { campaign: 'may' },
    subscription_data: { metadata: { source: 'link' } },
  });
  const page = await visit(link.url, { client_reference_id: 'u1', prefilled_email: EMAIL.email });
  expect(await (await fetch(page)).text()).toContain('value="ada@example.com"');
  await world.happened();
  const paid = await submit(page);
  expect(paid.headers.get('location')).toBe(page);
  expect(await (await fetch(page)).text()).toContain('Thanks for your payment');
  expect((await submit(page)).status).toBe(409);
  expect(await world.happened()).toContain('checkout.session.completed');
  const { data } = await stripe.checkout.sessions.list({
    payment_link: link.id,
    expand: ['data.customer', 'data.subscription', 'data.payment_link'],
  });
  expect(data).toMatchObject([
    {
      client_reference_id: 'u1',
      customer: EMAIL,
      customer_creation: 'always',
      metadata: { campaign: 'may' },
      payment_link: { id: link.id },
      payment_status: 'paid',
      status: 'complete',
      subscription: { status: 'active', metadata: { source: 'link' } },
      success_url: null,
    },
  ]);
});

test('each visit has a session of its own', async () => {
  const world = await testStripe();
  const link = await createLink(world);
  const pages = [await visit(link.url), await visit(link.url)];
  expect(new Set(pages).size).toBe(2);
  for (const page of pages) expect((await submit(page, EMAIL)).status).toBe(303);
  expect((await world.stripe.customers.list()).data).toHaveLength(2);
});

test('a link for a single payment keeps guests, and redirects after the payment', async () => {
  const world = await testStripe();
  const price = await oneTimePrice(world.stripe);
  const link = await createLink(world, {
    line_items: [{ price, quantity: 2 }],
    after_completion: {
      type: 'redirect',
      redirect: { url: 'https://example.com/?s={CHECKOUT_SESSION_ID}' },
    },
    payment_intent_data: { description: 'Two' },
  });
  expect(link).toMatchObject({ customer_creation: 'if_required', subscription_data: null });
  const paid = await submit(await visit(link.url, { locked_prefilled_email: EMAIL.email }));
  const [session] = (await world.stripe.checkout.sessions.list({ expand: ['data.payment_intent'] })).data;
  expect(paid.headers.get('location')).toBe(`https://example.com/?s=${session?.id ?? ''}`);
  expect(session).toMatchObject({
    amount_total: 6000,
    customer: null,
    customer_details: EMAIL,
    customer_email: EMAIL.email,
    mode: 'payment',
    payment_intent: { amount: 6000, description: 'Two', status: 'succeeded' },
  });
});

test('a promotion code can be in the URL, and is ignored if it is unknown or not allowed', async () => {
  const world = await testStripe();
  const { stripe } = world;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25, duration: 'once' });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'SPRING' });
  const open = await createLink(world, { allow_promotion_codes: true });
  const closed = await createLink(world);
  const total = async (url: string, code: string) =>
    /Pay ([^\s<]+)</.exec(await (await fetch(await visit(url, { prefilled_promo_code: code }))).text())?.[1];
  expect(await total(open.url, 'SPRING')).toBe('$9.00');
  expect(await total(open.url, 'AUTUMN')).toBe('$12.00');
  expect(await total(closed.url, 'SPRING')).toBe('$12.00');
});

test('a link that is not active sells nothing', async () => {
  const world = await testStripe();
  const { stripe, happened } = world;
  const link = await createLink(world, { inactive_message: 'Sold out' });
  await happened();
  expect(await stripe.paymentLinks.update(link.id, { active: false })).toMatchObject({ active: false });
  expect(await happened()).toEqual(['payment_link.updated']);
  const response = await fetch(link.url, { redirect: 'manual' });
  expect([response.status, (await response.text()).includes('Sold out')]).toEqual([410, true]);
  expect((await stripe.paymentLinks.list({ active: true })).data).toEqual([]);
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test('a link ends after its maximum number of payments', async () => {
  const world = await testStripe();
  const link = await createLink(world, { restrictions: { completed_sessions: { limit: 1 } } });
  await submit(await visit(link.url), EMAIL);
  expect(await world.stripe.paymentLinks.retrieve(link.id)).toMatchObject({
    active: false,
    restrictions: { completed_sessions: { count: 1, limit: 1 } },
  });
  expect((await fetch(link.url, { redirect: 'manual' })).status).toBe(410);
});

test('an archived price cannot be bought by a link', async () => {
  const world = await testStripe();
  const link = await createLink(world);
  await world.stripe.prices.update(PRO_MONTHLY, { active: false });
  expect((await fetch(link.url, { redirect: 'manual' })).status).toBe(410);
});

test('an unknown link is 404', async () => {
  const { local, stripe } = await testStripe();
  expect((await fetch(`${local.url}/buy/plink_x`)).status).toBe(404);
  expect(await stripeError(stripe.paymentLinks.retrieve('plink_x'))).toMatchObject({ statusCode: 404 });
});

test.each<[string, Partial<Stripe.PaymentLinkCreateParams>, object]>([
  ['no price', { line_items: [{ quantity: 1 }] }, { code: 'parameter_missing' }],
  ['an unknown price', { line_items: [{ price: 'price_x', quantity: 1 }] }, { code: 'resource_missing' }],
  [
    'settings for no trial',
    { subscription_data: { trial_settings: { end_behavior: { missing_payment_method: 'cancel' } } } },
    { param: 'subscription_data[trial_settings]' },
  ],
  [
    'a phone number',
    { phone_number_collection: { enabled: true } },
    { code: 'emulator_unsupported', param: 'phone_number_collection' },
  ],
])('a link with %s is refused, and nothing is made', async (_case, params, expected) => {
  const world = await testStripe();
  expect(await stripeError(createLink(world, params))).toMatchObject({ statusCode: 400, ...expected });
  expect((await world.stripe.paymentLinks.list()).data).toEqual([]);
  expect((await world.stripe.checkout.sessions.list()).data).toEqual([]);
});
