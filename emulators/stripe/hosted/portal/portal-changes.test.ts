import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import {
  chargeChanges,
  PRO_MONTHLY,
  PRO_YEARLY,
  stripeError,
  subscribe,
  submit,
  testStripe,
} from '../../testing.ts';
import type { TestStripe } from '../../testing.ts';

const START = new Date('2026-01-31T12:00:00Z');
const RETURN = 'http://localhost:5000/account';
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** A subscriber half way through the period, at a portal that charges a change immediately. */
async function atPortal(params: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) {
  const world = await testStripe({ now: () => START });
  await chargeChanges(world.stripe);
  const { customer, subscription: id } = await subscribe(world.stripe);
  await world.pass(14);
  const { url } = await openPortal(world, customer, params);
  return { ...world, customer, id, url, update: `${url}/subscriptions/${id}/update` };
}

/** Gives the subscription a card that can be saved and then fails. */
async function payWithFailingCard({ stripe, customer, id }: Awaited<ReturnType<typeof atPortal>>) {
  const { id: failing } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.subscriptions.update(id, { default_payment_method: failing });
}

const openPortal = (
  { stripe }: TestStripe,
  customer: string,
  params: Partial<Stripe.BillingPortal.SessionCreateParams> = {},
) => stripe.billingPortal.sessions.create({ customer, return_url: RETURN, ...params });

test('the plan is changed in three steps: choose, see the amount due, confirm', async () => {
  const { stripe, id, url, update } = await atPortal();
  expect(await textOf(url)).toContain('Change plan');
  const choice = await textOf(update);
  for (const text of ['Pro, $12.00 per month', 'Pro, $120.00 per year', 'Quantity'])
    expect(choice).toContain(text);
  const confirm = await textOf(`${update}?price=${PRO_MONTHLY}&quantity=3`);
  for (const text of ['Pro × 3', '$36.00 per month', 'Due now', '$12.00', 'Confirm'])
    expect(confirm).toContain(text);
  const changed = await submit(update, { price: PRO_MONTHLY, quantity: '3' });
  expect([changed.status, changed.headers.get('location')]).toEqual([303, url]);
  expect(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).toMatchObject({
    items: { data: [{ quantity: 3 }] },
    latest_invoice: { status: 'paid', total: 1200 },
  });
});

test('another interval is due immediately, less the unused time', async () => {
  const { stripe, id, update } = await atPortal();
  expect(await textOf(`${update}?price=${PRO_YEARLY}&quantity=1`)).toContain('$114.00');
  await submit(update, { price: PRO_YEARLY, quantity: '1' });
  expect((await stripe.subscriptions.retrieve(id)).items.data[0]?.price.id).toBe(PRO_YEARLY);
});

test('a change is not made if the card is declined, and the page shows the reason', async () => {
  const world = await atPortal();
  const { stripe, id, update } = world;
  await payWithFailingCard(world);
  await world.happened();
  const refused = await submit(update, { price: PRO_MONTHLY, quantity: '3' });
  expect([refused.status, (await refused.text()).includes('Your card was declined.')]).toEqual([402, true]);
  expect((await stripe.subscriptions.retrieve(id)).items.data[0]?.quantity).toBe(1);
  expect(await world.happened()).toEqual([]);
});

test.each([
  { price: 'price_x', quantity: '1' },
  { price: PRO_MONTHLY, quantity: '0' },
  { price: PRO_MONTHLY, quantity: 'many' },
])('the choice %j is refused', async (fields) => {
  const { stripe, id, update } = await atPortal();
  expect((await submit(update, fields)).status).toBe(400);
  expect((await stripe.subscriptions.retrieve(id)).items.data[0]).toMatchObject({ quantity: 1 });
});

test('changing the plan cancels a scheduled end', async () => {
  const { stripe, id, url, update } = await atPortal();
  await submit(`${url}/subscriptions/${id}/cancel`);
  await submit(update, { price: PRO_MONTHLY, quantity: '2' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: null });
});

test('another card is saved for the customer, and the subscription keeps its own', async () => {
  const { stripe, customer, id, url, happened } = await atPortal();
  const before = (await stripe.subscriptions.retrieve(id)).default_payment_method;
  const declined = await submit(`${url}/payment-method`, { card_number: '4000 0000 0000 0002' });
  expect([declined.status, (await declined.text()).includes('Your card was declined.')]).toEqual([402, true]);
  await happened();
  const saved = await submit(`${url}/payment-method`, { card_number: '5555 5555 5555 4444' });
  expect(saved.status).toBe(303);
  expect(await textOf(url)).toContain('Mastercard •••• 4444');
  expect(
    await stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] }),
  ).toMatchObject({ invoice_settings: { default_payment_method: { card: { last4: '4444' }, customer } } });
  expect((await stripe.subscriptions.retrieve(id)).default_payment_method).toBe(before);
  expect(await happened()).toEqual(['payment_method.attached', 'customer.updated']);
});

test('the invoices are listed, and an open one can be paid with another card', async () => {
  const world = await atPortal();
  const { stripe, customer, id } = world;
  await payWithFailingCard(world);
  await world.pass(15);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
  const { url: later } = await openPortal(world, customer);
  const home = await textOf(later);
  for (const text of ['Payment failed', 'Invoices', '2026-02-28', 'Open', 'Paid'])
    expect(home).toContain(text);
  const invoice = /href="([^"]+\/i\/[^"]+)"/.exec(home)?.[1] ?? '';
  expect(await textOf(invoice)).toContain('Pay $12.00');
  const declined = await submit(invoice, { card_number: '4000 0000 0000 9995' });
  expect([declined.status, (await declined.text()).includes('insufficient funds')]).toEqual([402, true]);
  expect((await submit(invoice)).status).toBe(303);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
  expect((await submit(invoice)).status).toBe(409);
  expect((await fetch(`${world.local.url}/i/in_x`)).status).toBe(404);
});

test('only the actions that the configuration allows are possible', async () => {
  const world = await atPortal();
  const { stripe, customer, id } = world;
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: { invoice_history: { enabled: true } },
    default_return_url: RETURN,
  });
  const { url } = await openPortal(world, customer, { configuration });
  const home = await textOf(url);
  for (const text of ['Cancel', 'Change plan', 'Payment method']) expect(home).not.toContain(text);
  for (const path of [`subscriptions/${id}/cancel`, `subscriptions/${id}/update`, 'payment-method']) {
    expect((await submit(`${url}/${path}`, { price: PRO_YEARLY })).status).toBe(403);
  }
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at: null });
});

test('a configuration may end immediately, ask why, and offer some prices only', async () => {
  const world = await atPortal();
  const { stripe, customer, id } = world;
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      subscription_cancel: {
        enabled: true,
        mode: 'immediately',
        cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] },
      },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [{ product: 'prod_local_pro', prices: [PRO_YEARLY] }],
      },
    },
  });
  const { url } = await openPortal(world, customer, { configuration });
  expect(
    (await submit(`${url}/subscriptions/${id}/update`, { price: PRO_MONTHLY, quantity: '2' })).status,
  ).toBe(400);
  const cancel = `${url}/subscriptions/${id}/cancel`;
  expect(await textOf(cancel)).toContain('too expensive');
  await submit(cancel, { feedback: 'too_expensive', comment: 'Too much for me' });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    cancellation_details: { feedback: 'too_expensive', comment: 'Too much for me' },
  });
});

test('a portal can be opened for one action, and returns to the URL of the flow', async () => {
  const world = await atPortal();
  const { customer, id } = world;
  const after = { type: 'redirect' as const, redirect: { return_url: 'http://localhost:5000/done' } };
  const { url } = await openPortal(world, customer, {
    flow_data: {
      type: 'subscription_cancel',
      subscription_cancel: { subscription: id },
      after_completion: after,
    },
  });
  const page = await textOf(url);
  expect(page).toContain('You can use it until 2026-02-28');
  expect(page).toContain(`href="${RETURN}"`);
  const done = await submit(`${url}/subscriptions/${id}/cancel`);
  expect(done.headers.get('location')).toBe('http://localhost:5000/done');
});

test.each([
  [{ type: 'payment_method_update' }, 'Save card'],
  [{ type: 'subscription_update', subscription_update: { subscription: 'ID' } }, 'Continue'],
  [
    {
      type: 'subscription_update_confirm',
      subscription_update_confirm: { subscription: 'ID', items: [{ id: 'ITEM', quantity: 2 }] },
    },
    'Confirm',
  ],
] as const)('the flow %j shows its page immediately', async (flow, text) => {
  const world = await atPortal();
  const { items } = await world.stripe.subscriptions.retrieve(world.id);
  const filled = JSON.stringify(flow)
    .replaceAll('ID', world.id)
    .replace('ITEM', items.data[0]?.id ?? '');
  const data = JSON.parse(filled) as Stripe.BillingPortal.SessionCreateParams.FlowData;
  const { url } = await openPortal(world, world.customer, { flow_data: data });
  expect(await textOf(url)).toContain(`<button type="submit">${text}</button>`);
});

test.each([
  [{ flow_data: { type: 'subscription_cancel' } }, 'flow_data[subscription_cancel]'],
  [
    { flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: 'sub_x' } } },
    'flow_data[subscription_cancel][subscription]',
  ],
  [{ configuration: 'bpc_x' }, 'configuration'],
  [
    { flow_data: { type: 'payment_method_update', after_completion: { type: 'redirect' } } },
    'flow_data[after_completion][redirect]',
  ],
])('the session %j is refused', async (params, param) => {
  const world = await atPortal();
  const opening = openPortal(world, world.customer, params);
  expect(await stripeError(opening)).toMatchObject({ statusCode: 400, param });
});

test('configurations are listed, changed and retired, but not the default one', async () => {
  const { stripe } = await testStripe();
  const { billingPortal } = stripe;
  const { data } = await billingPortal.configurations.list({ is_default: true });
  expect(data).toMatchObject([{ id: 'bpc_local', features: { subscription_update: { enabled: true } } }]);
  const { id } = await billingPortal.configurations.create({
    features: { invoice_history: { enabled: false } },
    name: 'Small',
  });
  const changed = await billingPortal.configurations.update(id, {
    features: { subscription_cancel: { enabled: true, mode: 'immediately' } },
    active: false,
  });
  expect(changed).toMatchObject({
    active: false,
    features: {
      subscription_cancel: { enabled: true, mode: 'immediately' },
      invoice_history: { enabled: false },
    },
  });
  const retiring = billingPortal.configurations.update('bpc_local', { active: false });
  expect(await stripeError(retiring)).toMatchObject({ param: 'active' });
});
