import { expect, test } from 'vitest';
import { halfWay, HALF_WAY_START, stripeError } from '../../testing.ts';

const NOW = HALF_WAY_START.getTime() / 1000 + 14 * 86_400;

/** A subscription whose invoices are sent to the customer. */
async function withSentInvoices() {
  const world = await halfWay('pm_card_visa');
  await world.stripe.subscriptions.update(world.id, {
    collection_method: 'send_invoice',
    days_until_due: 30,
  });
  return world;
}

test('a change takes effect, and its invoice waits for the customer', async () => {
  const { stripe, id, item, method } = await withSentInvoices();
  const changed = await stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  });
  expect(changed).toMatchObject({
    status: 'active',
    pending_update: null,
    items: { data: [{ quantity: 3 }] },
    latest_invoice: {
      status: 'open',
      collection_method: 'send_invoice',
      attempted: false,
      due_date: NOW + 30 * 86_400,
    },
  });
  const { latest_invoice: sent } = await stripe.subscriptions.retrieve(id);
  const invoice = typeof sent === 'string' ? sent : '';
  expect(await stripe.invoices.pay(invoice, { payment_method: method })).toMatchObject({ status: 'paid' });
});

test('a renewal is sent too, and a later one is charged again', async () => {
  const { stripe, id, pass } = await withSentInvoices();
  await pass(32);
  const [sent] = (await stripe.invoices.list({ subscription: id })).data;
  expect(sent).toMatchObject({ billing_reason: 'subscription_cycle', status: 'open', attempted: false });
  await stripe.subscriptions.update(id, { collection_method: 'charge_automatically' });
  await pass(31);
  const [charged] = (await stripe.invoices.list({ subscription: id })).data;
  expect(charged).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid', due_date: null });
});

test('an invoice that is not paid by its due date makes the subscription past due, and its payment active', async () => {
  const { stripe, id, method, pass, happened } = await withSentInvoices();
  await stripe.subscriptions.update(id, { days_until_due: 10 });
  await pass(18);
  const { latest_invoice: sent, status } = await stripe.subscriptions.retrieve(id);
  expect(status).toBe('active');
  await happened();
  await pass(10);
  expect(await happened()).toEqual(['customer.subscription.updated']);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due', latest_invoice: sent });
  await stripe.invoices.pay(typeof sent === 'string' ? sent : '', { payment_method: method });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('a pending update is refused', async () => {
  const { stripe, id, item } = await withSentInvoices();
  const change = stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 3 }],
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
  });
  expect(await stripeError(change)).toMatchObject({ statusCode: 400, param: 'payment_behavior' });
});

test('a time to pay belongs to sent invoices', async () => {
  const { stripe, id } = await halfWay('pm_card_visa');
  const wrong = [{ days_until_due: 30 }, { collection_method: 'send_invoice' as const }];
  for (const params of wrong) {
    const error = await stripeError(stripe.subscriptions.update(id, params));
    expect(error).toMatchObject({ statusCode: 400, param: 'days_until_due' });
  }
});
