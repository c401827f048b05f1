import type Stripe from 'stripe';
import { customerWith, openCheckout, PRO_MONTHLY, PRO_YEARLY, submit, subscribe } from '../testing.ts';
import { debit, givenBack, pendingUpdate, schedules, taxIds } from './scenario-changes.ts';
import { sell } from './scenario-sales.ts';

const START = Date.parse('2026-01-31T12:00:00Z') / 1000;
const DAY = 86_400;

/** Every operation of the API, each in the states in which its answer has another shape. */
export async function useEverything(stripe: Stripe): Promise<void> {
  await catalogue(stripe);
  await checkout(stripe);
  await sell(stripe);
  await customers(stripe);
  await debit(stripe);
  await lives(stripe);
  await changes(stripe);
  await taxIds(stripe);
  await schedules(stripe);
  await givenBack(stripe);
  await portal(stripe);
  await webhookEndpoints(stripe);
  const [event] = (await stripe.events.list()).data;
  await stripe.events.retrieve(event?.id ?? '');
}

async function catalogue(stripe: Stripe): Promise<void> {
  const { id: product } = await stripe.products.create({ name: 'Extra', metadata: { a: '1' } });
  const { id: price } = await stripe.prices.create({
    product,
    currency: 'eur',
    unit_amount: 500,
    recurring: { interval: 'week' },
    lookup_key: 'extra',
  });
  await stripe.prices.create({ product, currency: 'eur', unit_amount: 900 });
  await stripe.products.update(product, { default_price: price, description: 'More' });
  await stripe.products.retrieve(product, { expand: ['default_price'] });
  await stripe.products.list();
  await stripe.prices.update(price, { nickname: 'weekly' });
  await stripe.prices.retrieve(price, { expand: ['product'] });
  await stripe.prices.list({ lookup_keys: ['extra'] });
  await stripe.products.search({ query: "name~'extra'" });
  await stripe.prices.search({ query: "lookup_key:'extra'" });
  const { id: unused } = await stripe.products.create({ name: 'Unused' });
  await stripe.products.del(unused);
}

async function checkout(stripe: Stripe): Promise<void> {
  const { id: coupon } = await stripe.coupons.create({ percent_off: 12.5, duration: 'forever' });
  await stripe.coupons.create({
    amount_off: 100,
    currency: 'usd',
    duration: 'repeating',
    duration_in_months: 2,
  });
  await stripe.coupons.update(coupon, { name: 'An eighth' });
  await stripe.coupons.retrieve(coupon);
  await stripe.coupons.list();
  const promotion = { type: 'coupon' as const, coupon };
  const { id: code } = await stripe.promotionCodes.create({ promotion, code: 'EIGHTH' });
  await stripe.promotionCodes.update(code, { metadata: { a: '1' } });
  await stripe.promotionCodes.retrieve(code, { expand: ['promotion.coupon'] });
  await stripe.promotionCodes.list();

  const session = await openCheckout(stripe, {
    automatic_tax: { enabled: true },
    billing_address_collection: 'required',
    discounts: [{ promotion_code: code }],
    line_items: [{ price: PRO_MONTHLY, quantity: 2, adjustable_quantity: { enabled: true } }],
    tax_id_collection: { enabled: true },
    metadata: { a: '1' },
  });
  await stripe.checkout.sessions.update(session.id, { metadata: { b: '2' } });
  await submit(session.url, { email: 'ada@example.com', tax_id: 'ATU12345678' });
  const { customer } = await stripe.checkout.sessions.retrieve(session.id, {
    expand: [
      'line_items',
      'subscription.latest_invoice',
      'customer',
      'discounts.promotion_code',
      'invoice.discounts',
    ],
  });
  await stripe.checkout.sessions.listLineItems(session.id);
  const trial = await openCheckout(stripe, {
    customer: typeof customer === 'object' && customer ? customer.id : '',
    payment_method_collection: 'if_required',
    subscription_data: { trial_period_days: 5, description: 'A trial' },
  });
  await submit(trial.url);
  await stripe.checkout.sessions.expire((await openCheckout(stripe)).id);
  await stripe.checkout.sessions.list({ expand: ['data.line_items'] });
  await stripe.coupons.del(coupon);
}

async function customers(stripe: Stripe): Promise<void> {
  const { customer, method } = await customerWith(stripe, 'pm_card_visa', {
    address: { city: 'Wien', country: 'AT' },
    metadata: { uid: 'u1' },
  });
  await stripe.customers.retrieve(customer, {
    expand: ['subscriptions', 'invoice_settings.default_payment_method'],
  });
  await stripe.customers.list();
  await stripe.customers.search({ query: "metadata['uid']:'u1'" });
  await stripe.customers.listPaymentMethods(customer);
  await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
  await stripe.paymentMethods.retrieve(method, { expand: ['customer'] });
  await stripe.paymentMethods.update(method, { metadata: { a: '1' } });
  await stripe.paymentMethods.list({ customer });
  await stripe.paymentMethods.detach(method);
  await stripe.customers.del(customer);
  await stripe.customers.retrieve(customer);
}

/** Subscriptions by a test clock: paid, failing and tried again, paused, incomplete. */
async function lives(stripe: Stripe): Promise<void> {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START, name: 'Life' });
  const items = [{ price: PRO_MONTHLY }];
  const { customer } = await customerWith(stripe, 'pm_card_chargeCustomerFail', { test_clock: clock.id });
  const trial = await stripe.subscriptions.create({ customer, items, trial_period_days: 4 });
  const incomplete = await stripe.subscriptions.create({
    customer,
    items,
    payment_behavior: 'default_incomplete',
  });
  await stripe.subscriptions.create({
    customer,
    items,
    trial_period_days: 4,
    cancel_at_period_end: true,
    automatic_tax: { enabled: true },
  });
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: START + 5 * DAY });
  await stripe.testHelpers.testClocks.retrieve(clock.id);
  await stripe.testHelpers.testClocks.list();
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(trial.id, {
    expand: ['latest_invoice', 'customer', 'test_clock'],
  });
  const open = typeof invoice === 'object' && invoice ? invoice.id : '';
  await stripe.invoices.markUncollectible(open);
  await stripe.invoices.pay(open, { paid_out_of_band: true });
  const { id: visa } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.subscriptions.update(trial.id, { default_payment_method: visa });
  await stripe.subscriptions.pause(trial.id);
  await stripe.subscriptions.resume(trial.id, { payment_behavior: 'resume_on_payment_success' });
  await stripe.subscriptions.update(trial.id, { pause_collection: { behavior: 'keep_as_draft' } });
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: START + 70 * DAY });
  const [draft, second] = (await stripe.invoices.list({ subscription: trial.id, status: 'draft' })).data;
  await stripe.invoices.update(draft?.id ?? '', { description: 'Late', metadata: { a: '1' } });
  await stripe.invoices.finalizeInvoice(draft?.id ?? '', { auto_advance: false });
  await stripe.invoices.voidInvoice(draft?.id ?? '');
  await stripe.invoices.listLineItems(second?.id ?? '');
  await stripe.subscriptions.retrieve(incomplete.id);
  await stripe.subscriptions.list({ status: 'all', test_clock: clock.id });
  await stripe.testHelpers.testClocks.del(clock.id);
}

async function changes(stripe: Stripe): Promise<void> {
  const { customer, subscription: id } = await subscribe(stripe);
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'forever' });
  const { items } = await stripe.subscriptions.retrieve(id);
  const item = items.data[0]?.id ?? '';
  await stripe.subscriptionItems.retrieve(item);
  await pendingUpdate(stripe, customer, id);
  await stripe.subscriptionItems.update(item, { quantity: 3 });
  await stripe.subscriptions.search({ query: "status:'active'" });
  await stripe.invoices.search({ query: `customer:'${customer}' AND total>0` });
  const { data: pending } = await stripe.invoiceItems.list({ customer, expand: ['data.customer'] });
  await stripe.invoiceItems.retrieve(pending[0]?.id ?? '');
  await stripe.invoiceItems.del(pending[0]?.id ?? '');
  await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { cancel_at_period_end: false },
  });
  await stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: 'now' },
    discounts: [{ coupon }],
    items: [{ id: item, price: PRO_YEARLY }],
    expand: ['latest_invoice.total_discount_amounts.discount', 'discounts'],
  });
  const { id: yearly } = await stripe.prices.create({
    product: 'prod_local_free',
    currency: 'usd',
    unit_amount: 700,
    recurring: { interval: 'year' },
  });
  const added = await stripe.subscriptionItems.create({ subscription: id, price: yearly });
  await stripe.subscriptionItems.list({ subscription: id });
  await stripe.subscriptionItems.del(added.id);
  await stripe.subscriptions.deleteDiscount(id);
  const { latest_invoice: latest } = await stripe.subscriptions.cancel(id, {
    prorate: true,
    invoice_now: true,
  });
  await stripe.invoices.retrieve(typeof latest === 'string' ? latest : '', {
    expand: ['parent.subscription_details.subscription', 'customer'],
  });
}

async function webhookEndpoints(stripe: Stripe): Promise<void> {
  const { id } = await stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/webhook',
    enabled_events: ['product.deleted'],
    metadata: { made: 'here' },
  });
  await stripe.webhookEndpoints.update(id, { enabled_events: ['price.deleted'], disabled: true });
  await stripe.webhookEndpoints.retrieve(id);
  await stripe.webhookEndpoints.list();
  await stripe.webhookEndpoints.del(id);
}

async function portal(stripe: Stripe): Promise<void> {
  const { customer, subscription } = await subscribe(stripe);
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      subscription_cancel: { enabled: true, cancellation_reason: { enabled: true, options: ['other'] } },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        schedule_at_period_end: { conditions: [{ type: 'shortening_interval' }] },
        products: [{ product: 'prod_local_pro', prices: [PRO_YEARLY] }],
      },
    },
  });
  await stripe.billingPortal.configurations.update(configuration, { name: 'Small' });
  await stripe.billingPortal.configurations.retrieve(configuration);
  await stripe.billingPortal.configurations.list();
  await stripe.billingPortal.sessions.create({ customer, expand: ['configuration'] });
  await stripe.billingPortal.sessions.create({
    customer,
    configuration,
    flow_data: {
      type: 'subscription_cancel',
      subscription_cancel: { subscription },
      after_completion: { type: 'redirect', redirect: { return_url: 'https://example.com/' } },
    },
  });
}
