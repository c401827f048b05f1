import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { customerWith, receiver, stripeError, testStripe, WEBHOOK_SECRET } from '../../testing.ts';

/** A paid subscription with 12 items, so that its invoice has 12 lines. */
async function withManyLines(options = {}) {
  const world = await testStripe(options);
  const { stripe } = world;
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const prices = [];
  for (let amount = 100; amount <= 1200; amount += 100) {
    const price = await stripe.prices.create({
      product: 'prod_local_pro',
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval: 'month' },
    });
    prices.push({ price: price.id });
  }
  const { id, latest_invoice: latest } = await stripe.subscriptions.create({ customer, items: prices });
  return { ...world, customer, id, invoice: typeof latest === 'string' ? latest : '' };
}

const amountsOf = (lines: readonly Stripe.InvoiceLineItem[]) => lines.map(({ amount }) => amount);

test('an invoice has its first ten lines, and the list of lines has all', async () => {
  const { stripe, id, invoice, customer } = await withManyLines();
  const { lines, total } = await stripe.invoices.retrieve(invoice);
  expect(lines.data).toHaveLength(10);
  expect(lines).toMatchObject({ has_more: true, url: `/v1/invoices/${invoice}/lines` });
  const all = await stripe.invoices.listLineItems(invoice, { limit: 5 }).autoPagingToArray({ limit: 100 });
  expect(amountsOf(all)).toHaveLength(12);
  expect(amountsOf(all.slice(0, 10))).toEqual(amountsOf(lines.data));
  expect(amountsOf(all).reduce((sum, amount) => sum + amount, 0)).toBe(total);

  const [listed] = (await stripe.invoices.list({ customer })).data;
  const { latest_invoice: expanded } = await stripe.subscriptions.retrieve(id, {
    expand: ['latest_invoice'],
  });
  for (const found of [listed, expanded as Stripe.Invoice]) {
    expect(found?.lines.data).toHaveLength(10);
    expect(found?.lines.has_more).toBe(true);
  }
});

test('an event of an invoice has its first ten lines', async () => {
  const endpoint = await receiver();
  const { stripe, local } = await withManyLines({
    webhooks: [{ url: endpoint.url, secret: WEBHOOK_SECRET }],
  });
  await local.idle();
  const sent = endpoint.received.map(({ payload }) => JSON.parse(payload) as Stripe.Event);
  const [listed] = (await stripe.events.list({ type: 'invoice.paid' })).data;
  for (const event of [listed, sent.find(({ type }) => type === 'invoice.paid')]) {
    const { lines } = event?.data.object as Stripe.Invoice;
    expect(lines.data).toHaveLength(10);
    expect(lines.has_more).toBe(true);
  }
});

test('a preview has its first ten lines, and its lines can be listed', async () => {
  const { stripe, id } = await withManyLines();
  const preview = await stripe.invoices.createPreview({ subscription: id });
  expect(preview.lines.data).toHaveLength(10);
  expect(preview.lines.has_more).toBe(true);
  const all = await stripe.invoices.listLineItems(preview.id, { limit: 100 });
  expect(all).toMatchObject({ has_more: false, url: preview.lines.url });
  expect(amountsOf(all.data).reduce((sum, amount) => sum + amount, 0)).toBe(preview.total);
  expect(await stripeError(stripe.invoices.retrieve(preview.id))).toMatchObject({ statusCode: 404 });
});
