import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCheckout, submit, testStripe } from '../../testing.ts';

test('the page shows the plan, the price and who pays', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' });
  const { url } = await openCheckout(stripe, { customer });
  const response = await fetch(url);
  const page = await response.text();
  expect(response.status).toBe(200);
  for (const text of ['Subscribe to Pro', '$12.00', 'per month', 'ada@example.com', 'Pay $12.00']) {
    expect(page).toContain(text);
  }
  expect(page).toContain('href="http://localhost:5000/plans">Cancel</a>');
});

test('its policy allows its own style and forms that lead anywhere, and nothing else', async () => {
  const { stripe } = await testStripe();
  const response = await fetch((await openCheckout(stripe)).url);
  const style = /<style>(.*?)<\/style>/s.exec(await response.text())?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(response.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
  );
});

test('paying makes the subscription, completes the session and leads to the success page', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' });
  const session = await openCheckout(stripe, {
    customer,
    subscription_data: { metadata: { uid: 'u1' }, description: 'Team A' },
  });
  const paid = await submit(session.url);
  expect(paid.status).toBe(303);
  expect(paid.headers.get('location')).toBe(`http://localhost:5000/welcome?session=${session.id}`);
  const complete = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice', 'customer', 'invoice'],
  });
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    customer: { id: customer },
    subscription: {
      status: 'active',
      metadata: { uid: 'u1' },
      description: 'Team A',
      latest_invoice: { total: 1200 },
    },
    invoice: { status: 'paid' },
  });
});

test('paying again, also at the same time, has no further effect', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' });
  const { url } = await openCheckout(stripe, { customer });
  const answers = await Promise.all(Array.from({ length: 5 }, () => submit(url)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409]);
  const again = await submit(url);
  expect(again.status).toBe(409);
  expect(await again.text()).toContain('Already paid');
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(1);
  expect((await stripe.invoices.list()).data).toHaveLength(1);
});

test('an expired session cannot be paid', async () => {
  const { stripe } = await testStripe();
  const { id, url } = await openCheckout(stripe);
  await stripe.checkout.sessions.expire(id);
  for (const response of [await fetch(url), await submit(url, { email: 'ada@example.com' })]) {
    expect(response.status).toBe(410);
    expect(await response.text()).toContain('expired');
  }
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
});

test('a page that does not exist is 404', async () => {
  const { local } = await testStripe();
  expect((await fetch(`${local.url}/c/pay/cs_test_x`)).status).toBe(404);
  expect((await submit(`${local.url}/c/pay/__proto__`)).status).toBe(404);
});

test('without a customer, the page asks for an e-mail address and makes the customer', async () => {
  const { stripe } = await testStripe();
  const { id, url } = await openCheckout(stripe);
  expect(await (await fetch(url)).text()).toContain('type="email"');
  const refused = await submit(url, { email: 'nobody' });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('value="nobody"');
  expect((await submit(url, { email: 'ada@example.com' })).status).toBe(303);
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['customer'] })).toMatchObject({
    customer: { email: 'ada@example.com' },
    customer_details: { email: 'ada@example.com' },
  });
});

test('a customer without an e-mail address gets the one that was typed', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ name: 'Ada' });
  const { url } = await openCheckout(stripe, { customer });
  await submit(url, { email: 'ada@example.com' });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: 'ada@example.com' });
});

test('names and addresses are text on every page, never markup', async () => {
  const { stripe } = await testStripe();
  const script = `<script>alert("x")</script>'&`;
  await stripe.products.update('prod_local_pro', { name: script });
  const { id: customer } = await stripe.customers.create({ name: script, email: `"<b>"@example.com` });
  const { url } = await openCheckout(stripe, { customer, cancel_url: `http://localhost/"><b>` });
  const typed = await submit((await openCheckout(stripe)).url, { email: script });
  const portal = await stripe.billingPortal.sessions.create({ customer });
  await submit(url);
  for (const page of [await fetch(url), typed, await fetch(portal.url)]) {
    const text = await page.text();
    expect(text).not.toContain('<script');
    expect(text).not.toContain('<b>');
  }
});

test('nobody pays for a customer who was deleted', async () => {
  const { stripe } = await testStripe();
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' });
  const { url } = await openCheckout(stripe, { customer });
  await stripe.customers.del(customer);
  expect((await submit(url)).status).toBe(410);
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
});
