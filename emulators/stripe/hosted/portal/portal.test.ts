import { expect, test } from 'vitest';
import { stripeError, submit, subscribe, testStripe } from '../../testing.ts';

test('the portal shows the subscriptions, and a link back', async () => {
  const { stripe } = await testStripe();
  const { customer } = await subscribe(stripe);
  const portal = await stripe.billingPortal.sessions.create({
    customer,
    return_url: 'http://localhost:5000/account',
  });
  expect(portal).toMatchObject({ object: 'billing_portal.session', customer });
  const page = await (await fetch(portal.url)).text();
  for (const text of ['Ada', 'Pro', '$12.00 per month', 'Active, renews on', 'Cancel Pro'])
    expect(page).toContain(text);
  expect(page).toContain('href="http://localhost:5000/account">Return</a>');
});

test('one button ends the subscription with its period, and another one undoes that', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  const { url } = await stripe.billingPortal.sessions.create({ customer });
  const form = async (): Promise<string> =>
    /action="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
  const cancelled = await submit(new URL(await form(), url).href);
  expect([cancelled.status, cancelled.headers.get('location')]).toEqual([303, url]);
  const ending = await stripe.subscriptions.retrieve(subscription);
  // As Stripe does in flexible billing mode.
  expect(ending).toMatchObject({
    status: 'active',
    cancel_at_period_end: false,
    cancel_at: ending.items.data[0]?.current_period_end,
    cancellation_details: { reason: 'cancellation_requested' },
  });
  expect(await (await fetch(url)).text()).toContain('Active, ends on');
  await submit(new URL(await form(), url).href);
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
    cancel_at: null,
    canceled_at: null,
  });
});

test("another customer's subscription cannot be opened", async () => {
  const { stripe } = await testStripe();
  const mine = await subscribe(stripe);
  const theirs = await subscribe(stripe);
  const { url } = await stripe.billingPortal.sessions.create({ customer: mine.customer });
  const response = await submit(`${url}/subscriptions/${theirs.subscription}/cancel`);
  expect(response.status).toBe(404);
  expect(await stripe.subscriptions.retrieve(theirs.subscription)).toMatchObject({ cancel_at: null });
});

test('a subscription that has ended cannot be changed', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  await stripe.subscriptions.cancel(subscription);
  const { url } = await stripe.billingPortal.sessions.create({ customer });
  expect((await submit(`${url}/subscriptions/${subscription}/resume`)).status).toBe(409);
  expect(await (await fetch(url)).text()).toContain('Ended on');
});

test('a portal link is valid for an hour', async () => {
  let now = new Date('2026-05-01T00:00:00Z');
  const { stripe, local } = await testStripe({ now: () => now });
  const { id: customer } = await stripe.customers.create();
  const { url } = await stripe.billingPortal.sessions.create({ customer });
  expect(await (await fetch(url)).text()).toContain('You have no subscription');
  now = new Date('2026-05-01T01:00:00Z');
  expect((await fetch(url)).status).toBe(410);
  expect((await fetch(`${local.url}/p/session/x`)).status).toBe(404);
});

test.each([
  [{}, 'parameter_missing'],
  [{ customer: 'cus_x' }, 'resource_missing'],
  [{ customer: 'cus_x', return_url: 'javascript:1' }, 'url_invalid'],
])('a session with %j is refused with %s', async (params, code) => {
  const { stripe } = await testStripe();
  const error = await stripeError(stripe.billingPortal.sessions.create(params));
  expect(error).toMatchObject({ statusCode: 400, code });
});
