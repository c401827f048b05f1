import Stripe from 'stripe';
import { customerWith, oneTimePrice, openCheckout, PRO_MONTHLY, submit, subscribe } from '../testing.ts';

const START = Date.parse('2026-01-31T12:00:00Z') / 1000;
const DAY = 86_400;

/** Everything that is sold beside plain subscriptions: single payments, links and usage. */
export async function sell(stripe: Stripe): Promise<void> {
  await payments(stripe);
  await severalItems(stripe);
  await links(stripe);
  await usage(stripe);
  await entitlements(stripe);
}

async function payments(stripe: Stripe): Promise<void> {
  const price = await oneTimePrice(stripe);
  const buy = (params: Partial<Stripe.Checkout.SessionCreateParams>) =>
    openCheckout(stripe, { mode: 'payment', line_items: [{ price, quantity: 2 }], ...params });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10 });
  const guest = await buy({ payment_intent_data: { description: 'Two' } });
  await submit(guest.url, { email: 'ada@example.com', card_number: '4000 0000 0000 0002' });
  const { data: failed } = await stripe.paymentIntents.list();
  await stripe.paymentIntents.retrieve(failed[0]?.id ?? '', { expand: ['latest_charge', 'payment_method'] });
  await submit(guest.url, { email: 'ada@example.com' });
  const invoiced = await buy({
    invoice_creation: { enabled: true, invoice_data: { footer: 'Thanks', metadata: { a: '1' } } },
    discounts: [{ coupon }],
    payment_intent_data: { setup_future_usage: 'off_session' },
  });
  await submit(invoiced.url, { email: 'ada@example.com' });
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(invoiced.id, {
    expand: ['invoice', 'payment_intent.customer'],
  });
  const { data: charges } = await stripe.charges.list({
    payment_intent: typeof intent === 'object' && intent ? intent.id : '',
  });
  await stripe.charges.retrieve(charges[0]?.id ?? '', { expand: ['payment_intent', 'customer'] });
  await stripe.paymentIntents.search({ query: "status:'succeeded'" });
  await stripe.charges.search({ query: "currency:'usd'" });
}

async function links(stripe: Stripe): Promise<void> {
  const { id, url } = await stripe.paymentLinks.create({
    line_items: [{ price: PRO_MONTHLY, quantity: 1, adjustable_quantity: { enabled: true } }],
    subscription_data: { trial_period_days: 3, metadata: { a: '1' } },
    restrictions: { completed_sessions: { limit: 3 } },
  });
  await stripe.paymentLinks.create({
    line_items: [{ price: await oneTimePrice(stripe), quantity: 1 }],
    after_completion: { type: 'redirect', redirect: { url: 'https://example.com/paid' } },
    invoice_creation: { enabled: true },
  });
  const visited = await fetch(`${url}?client_reference_id=u1`, { redirect: 'manual' });
  await submit(visited.headers.get('location') ?? '', { email: 'ada@example.com' });
  await stripe.checkout.sessions.list({ payment_link: id, expand: ['data.payment_link'] });
  await stripe.paymentLinks.update(id, { active: false, metadata: { a: '1' } });
  await stripe.paymentLinks.retrieve(id, { expand: ['line_items'] });
  await stripe.paymentLinks.list({ active: true });
  await stripe.paymentLinks.listLineItems(id);
}

async function usage(stripe: Stripe): Promise<void> {
  const { id: meter } = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  });
  await stripe.billing.meters.update(meter, { display_name: 'API calls' });
  await stripe.billing.meters.retrieve(meter);
  await stripe.billing.meters.list({ status: 'active' });
  const { id: price } = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'usd',
    unit_amount_decimal: Stripe.Decimal.from('0.5'),
    recurring: { interval: 'month', meter, usage_type: 'metered' },
  });
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START });
  const { customer } = await customerWith(stripe, 'pm_card_visa', { test_clock: clock.id });
  const { url } = await openCheckout(stripe, {
    customer,
    line_items: [{ price: PRO_MONTHLY, quantity: 1 }, { price }],
  });
  await submit(url);
  for (const identifier of ['a', 'b']) {
    await stripe.billing.meterEvents.create({
      event_name: 'calls',
      identifier,
      payload: { stripe_customer_id: customer, value: '30' },
    });
  }
  await stripe.billing.meterEventAdjustments.create({
    event_name: 'calls',
    type: 'cancel',
    cancel: { identifier: 'a' },
  });
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: START + 32 * DAY });
  await stripe.billing.meters.listEventSummaries(meter, {
    customer,
    start_time: START,
    end_time: START + DAY,
    value_grouping_window: 'hour',
  });
  await stripe.invoices.list({ customer });
  await stripe.checkout.sessions.list({ customer, expand: ['data.line_items'] });
  await stripe.subscriptions.list({ customer });
  await stripe.billing.meters.deactivate(meter);
  await stripe.billing.meters.reactivate(meter);
}

async function severalItems(stripe: Stripe): Promise<void> {
  const { id: seat } = await stripe.prices.create({
    product: 'prod_local_pro',
    currency: 'eur',
    unit_amount: 500,
    recurring: { interval: 'month' },
    currency_options: { usd: { unit_amount: 600 } },
  });
  await stripe.prices.retrieve(seat, { expand: ['currency_options'] });
  const { url } = await openCheckout(stripe, {
    currency: 'usd',
    line_items: [
      { price: PRO_MONTHLY, quantity: 1 },
      { price: seat, quantity: 3 },
      { price: await oneTimePrice(stripe), quantity: 1 },
    ],
  });
  await submit(url, { email: 'ada@example.com' });
  await stripe.invoices.list({ limit: 1 });
  await stripe.invoiceItems.list({ limit: 1 });
}

async function entitlements(stripe: Stripe): Promise<void> {
  const product = 'prod_local_pro';
  const { features, activeEntitlements } = stripe.entitlements;
  const { id: feature } = await features.create({ lookup_key: 'export', name: 'Export' });
  await features.update(feature, { metadata: { a: '1' } });
  await features.retrieve(feature);
  await features.list({ archived: false });
  const { id } = await stripe.products.createFeature(product, { entitlement_feature: feature });
  await stripe.products.retrieveFeature(product, id);
  await stripe.products.listFeatures(product);
  const { customer } = await subscribe(stripe);
  const { data } = await activeEntitlements.list({ customer, expand: ['data.feature'] });
  await activeEntitlements.retrieve(data[0]?.id ?? '');
  await stripe.products.deleteFeature(product, id);
}
