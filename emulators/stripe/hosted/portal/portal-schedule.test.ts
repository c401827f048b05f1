import { expect, test } from 'vitest';
import { halfWay, PRO_MONTHLY, PRO_YEARLY, submit } from '../../testing.ts';

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** A subscription with three seats, at a portal that puts cheaper plans off until the end of the period. */
async function atPortal() {
  const world = await halfWay();
  const { stripe, customer, id, item } = world;
  await stripe.subscriptions.update(id, { items: [{ id: item, quantity: 3 }], proration_behavior: 'none' });
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      subscription_cancel: { enabled: true },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price', 'quantity'],
        products: [
          {
            product: 'prod_local_pro',
            prices: [PRO_MONTHLY, PRO_YEARLY],
            adjustable_quantity: { enabled: true },
          },
        ],
        proration_behavior: 'always_invoice',
        schedule_at_period_end: {
          conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
        },
      },
    },
  });
  const { url } = await stripe.billingPortal.sessions.create({ customer, configuration });
  const page = `${url}/subscriptions/${id}`;
  return { ...world, url, page, update: `${page}/update` };
}

test('a cheaper choice waits for the end of the period, and the page shows the date', async () => {
  const world = await atPortal();
  const { stripe, id, url, update } = world;
  const confirm = await textOf(`${update}?price=${PRO_MONTHLY}&quantity=1`);
  for (const text of ['Begins', '2026-02-28', '$0.00']) expect(confirm).toContain(text);
  expect((await submit(update, { price: PRO_MONTHLY, quantity: '1' })).status).toBe(303);
  const quantity = async () => (await stripe.subscriptions.retrieve(id)).items.data[0]?.quantity;
  expect(await quantity()).toBe(3);
  expect(await textOf(url)).toContain('Changes to Pro on 2026-02-28');
  expect((await submit(update, { price: PRO_MONTHLY, quantity: '2' })).status).toBe(409);
  await world.pass(14);
  expect(await quantity()).toBe(1);
});

test('a more expensive choice is applied immediately', async () => {
  const { stripe, id, update } = await atPortal();
  await submit(update, { price: PRO_MONTHLY, quantity: '4' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    schedule: null,
    items: { data: [{ quantity: 4 }] },
  });
});

test('a planned change can be discarded', async () => {
  const world = await atPortal();
  const { stripe, id, page, update } = world;
  await submit(update, { price: PRO_MONTHLY, quantity: '1' });
  expect((await submit(`${page}/keep-plan`)).status).toBe(303);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: null });
  await world.pass(14);
  expect((await stripe.subscriptions.retrieve(id)).items.data[0]).toMatchObject({ quantity: 3 });
});

test('canceling discards the planned change', async () => {
  const { stripe, id, page, update } = await atPortal();
  await submit(update, { price: PRO_MONTHLY, quantity: '1' });
  await submit(`${page}/cancel`);
  const { schedule, cancel_at: cancelAt, items } = await stripe.subscriptions.retrieve(id);
  expect([schedule, cancelAt]).toEqual([null, items.data[0]?.current_period_end]);
});

test('an open invoice is paid in the portal with the saved card', async () => {
  const world = await halfWay('pm_card_chargeCustomerFail');
  const { stripe, customer, id, method } = world;
  await world.pass(15);
  const { url } = await stripe.billingPortal.sessions.create({ customer });
  const home = await textOf(url);
  expect(home).toContain('Pay $12.00');
  const pay = `${world.local.url}${/action="([^"]+\/pay)"/.exec(home)?.[1] ?? ''}`;
  const declined = await submit(pay);
  expect([declined.status, (await declined.text()).includes('Pay with another card')]).toEqual([402, true]);
  await stripe.subscriptions.update(id, { default_payment_method: method });
  expect([(await submit(pay)).status, (await submit(pay)).status]).toEqual([303, 409]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
  expect(await textOf(url)).not.toContain('Pay $12.00');
});

test("another customer's invoice cannot be paid in the portal", async () => {
  const { stripe, url, customer } = await atPortal();
  const { id: other } = await stripe.customers.create();
  const { url: foreign } = await stripe.billingPortal.sessions.create({ customer: other });
  const [invoice] = (await stripe.invoices.list({ customer })).data;
  expect((await submit(`${foreign}/invoices/${invoice?.id ?? ''}/pay`)).status).toBe(404);
  expect((await submit(`${url}/invoices/in_x/pay`)).status).toBe(404);
});
