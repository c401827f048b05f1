import { expect, test } from 'vitest';
import { customerWith, halfWay, PRO_MONTHLY, testStripe } from '../../testing.ts';

const START = new Date('2026-05-01T00:00:00Z');

/** A customer of the plan Pro who has made 8 calls for 5 cents each. */
async function withUsage({ trialDays }: { trialDays?: number } = {}) {
  const made = await testStripe({ now: () => START });
  const { stripe, pass } = made;
  const { customer } = await customerWith(stripe, 'pm_card_visa');
  const meter = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  });
  const price = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount: 5,
    recurring: { interval: 'month', meter: meter.id, usage_type: 'metered' },
  });
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: PRO_MONTHLY }, { price: price.id }],
    ...(trialDays !== undefined && { trial_period_days: trialDays }),
  });
  const report = (value: number) =>
    stripe.billing.meterEvents.create({
      event_name: 'calls',
      payload: { stripe_customer_id: customer, value: String(value) },
      timestamp: START.getTime() / 1000,
    });
  const invoices = async () => {
    const { data } = await stripe.invoices.list({ customer });
    return data.map(({ status, total, amount_paid: paid }) => ({ status, total, paid }));
  };
  await report(8);
  await pass(1);
  return { ...made, customer, id, report, invoices };
}

test('a subscription that is canceled immediately has a final invoice on demand only', async () => {
  const { stripe, id, invoices } = await withUsage();
  await stripe.subscriptions.cancel(id);
  expect(await invoices()).toEqual([{ status: 'paid', total: 1200, paid: 1200 }]);
});

test('a final invoice stays a draft until its collection is turned on, and counts late usage', async () => {
  const { stripe, id, invoices, report, pass } = await withUsage();
  const ended = await stripe.subscriptions.cancel(id, { invoice_now: true });
  expect(await invoices()).toMatchObject([{ status: 'draft', total: 40 }, {}]);
  await report(2);
  await pass(40);
  expect(await invoices()).toMatchObject([{ status: 'draft' }, {}]);
  await stripe.invoices.update(ended.latest_invoice as string, { auto_advance: true });
  await pass(1);
  expect(await invoices()).toMatchObject([{ status: 'paid', paid: 50 }, {}]);
});

test('a trial that is canceled immediately has no final invoice', async () => {
  const { stripe, id, invoices } = await withUsage({ trialDays: 7 });
  await stripe.subscriptions.cancel(id, { invoice_now: true });
  expect(await invoices()).toEqual([{ status: 'paid', total: 0, paid: 0 }]);
});

test('a final invoice is void if the collection is paused with this behavior', async () => {
  const { stripe, id, invoices } = await withUsage();
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
  await stripe.subscriptions.cancel(id, { invoice_now: true });
  expect(await invoices()).toMatchObject([{ status: 'void', total: 40 }, {}]);
});

test('canceling can credit the unused time, and invoice it', async () => {
  const { stripe, id, customer } = await halfWay();
  const ended = await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
  const { data } = await stripe.invoices.list({ subscription: id });
  expect(data.map(({ status, total }) => [status, total])).toEqual([
    ['draft', -600],
    ['paid', 1200],
  ]);
  await stripe.invoices.finalizeInvoice(ended.latest_invoice as string);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -600 });
});

test.each([
  [{}, 0],
  [{ prorate: true }, 3],
  [{ invoice_now: true }, 0],
])('canceling immediately with %j leaves %i pending prorations', async (params, count) => {
  const { stripe, id, customer, item } = await halfWay();
  await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 2 }] });
  await stripe.subscriptions.cancel(id, params);
  expect((await stripe.invoiceItems.list({ customer, pending: true })).data).toHaveLength(count);
});

test('the draft of a renewal is still charged after the subscription was canceled', async () => {
  const { stripe, customer, id, pass } = await halfWay();
  await pass(14);
  const [renewal] = (await stripe.invoices.list({ customer })).data;
  expect(renewal).toMatchObject({ status: 'draft' });
  await stripe.subscriptions.cancel(id);
  await pass(1);
  expect(await stripe.invoices.retrieve(renewal?.id ?? '')).toMatchObject({ status: 'paid' });
});
