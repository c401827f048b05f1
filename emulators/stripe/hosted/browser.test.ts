import { BACKSTOP_MS } from '@hearth/testing/backstop';
import { AXE_FILE, launchChromium } from '@hearth/testing/chromium';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCheckout, receiver, subscribe, testStripe } from '../testing.ts';
import type { TestStripe } from '../testing.ts';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

async function newPage(javaScriptEnabled: boolean): Promise<Page> {
  // Axe is injected, which the pages' own policy would not allow.
  if (browser === undefined) throw new Error('The browser is launched before the first test.');
  const context = await browser.newContext({ javaScriptEnabled, bypassCSP: javaScriptEnabled });
  context.setDefaultTimeout(BACKSTOP_MS);
  return context.newPage();
}

/** The violations that axe finds on the open page. */
async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE_FILE });
  const results: AxeResults = await page.evaluate('axe.run()');
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** A checkout that asks for everything, of a customer who does not exist yet. */
async function fullCheckout({ stripe }: TestStripe, successUrl: string) {
  const { id: coupon } = await stripe.coupons.create({ percent_off: 25, duration: 'once' });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'SPRING' });
  return openCheckout(stripe, {
    success_url: successUrl,
    allow_promotion_codes: true,
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    line_items: [{ price: 'price_local_pro_month', quantity: 1, adjustable_quantity: { enabled: true } }],
  });
}

test('without JavaScript: a code, a declined card, 3D Secure, and paid', async () => {
  const world = await testStripe();
  const shop = await receiver();
  const { url, id } = await fullCheckout(world, shop.url);
  const page = await newPage(false);
  await page.goto(url);
  await page.getByLabel('Promotion code').fill('SPRING');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Pay $9.00' }).waitFor();
  await page.getByLabel('How many of Pro').fill('2');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByRole('button', { name: 'Pay $18.00' }).waitFor();
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Card number').fill('4000 0000 0000 9995');
  await page.getByRole('button', { name: 'Pay $18.00' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: /^\s*Your card has insufficient funds\.\s*$/ })
    .waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
  await page.getByLabel('Card number').fill('4000 0025 0000 3155');
  await page.getByRole('button', { name: 'Pay $18.00' }).click();
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await page.waitForURL(shop.url);
  expect(await world.stripe.checkout.sessions.retrieve(id)).toMatchObject({
    payment_status: 'paid',
    amount_total: 1800,
    customer_details: { email: 'ada@example.com', address: { country: 'US' } },
  });
});

test('without JavaScript: another plan, another card, cancelled and kept at the portal', async () => {
  const { stripe } = await testStripe();
  const { customer, subscription } = await subscribe(stripe);
  const { url } = await stripe.billingPortal.sessions.create({ customer });
  const page = await newPage(false);
  await page.goto(url);
  await page.getByRole('link', { name: 'Change plan' }).click();
  await page.getByLabel('Pro, $120.00 per year').check();
  await page.getByLabel('Quantity').fill('3');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('link', { name: 'Change payment method' }).click();
  await page.getByLabel('Card number').fill('5555 5555 5555 4444');
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByText('Mastercard •••• 4444').waitFor();
  await page.getByRole('button', { name: 'Cancel Pro' }).click();
  await page.getByText('Active, ends on').waitFor();
  await page.getByRole('button', { name: 'Keep Pro' }).click();
  await page.getByText('Active, renews on').waitFor();
  await page.getByRole('table', { name: 'Invoices' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: /Invoice/ }).waitFor();
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
    cancel_at: null,
    items: { data: [{ quantity: 3, price: { recurring: { interval: 'year' } } }] },
  });
});

test('axe finds no problem on any page', async () => {
  const world = await testStripe();
  const { customer, subscription } = await subscribe(world.stripe);
  const { url } = await world.stripe.billingPortal.sessions.create({ customer });
  const { data } = await world.stripe.invoices.list({ customer });
  const checkout = await fullCheckout(world, 'http://localhost:5000/');
  const page = await newPage(true);
  const pages = [
    checkout.url,
    url,
    `${url}/payment-method`,
    `${url}/subscriptions/${subscription}/update`,
    `${url}/subscriptions/${subscription}/update?price=price_local_pro_year&quantity=2`,
    `${url}/subscriptions/${subscription}/cancel`,
    data[0]?.hosted_invoice_url ?? '',
    `${world.local.url}/c/pay/nothing`,
  ];
  for (const address of pages) {
    await page.goto(address);
    expect([address, await violations(page)]).toEqual([address, []]);
  }
  await page.goto(checkout.url);
  await page.getByLabel('Card number').fill('4000 0025 0000 3155');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('button', { name: 'Complete authentication' }).waitFor();
  expect(await violations(page)).toEqual([]);
});
