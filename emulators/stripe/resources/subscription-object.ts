import type { CheckoutDetails, LineItem, Price, Subscription, SubscriptionItem } from '../state.ts';
import { newId } from '../world.ts';
import type { Scope } from '../world.ts';
import { addInterval } from './calendar.ts';
import { planOf } from './prices.ts';

/** An active subscription whose first period starts now; its invoice is the caller's to make. */
export function createSubscription(
  scope: Scope,
  customer: string,
  lineItems: readonly LineItem[],
  { metadata: given, description }: CheckoutDetails['subscription'],
): Subscription {
  const id = newId('sub');
  const now = scope.now();
  const items = lineItems.map(({ price, quantity }) => newItem(id, now, price, quantity));
  const subscription: Subscription = {
    ...blankSubscription(id, now),
    currency: lineItems[0]?.price.currency ?? 'usd',
    customer,
    description,
    items: { object: 'list', data: items, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: given,
  };
  scope.state.subscriptions.push(subscription);
  return subscription;
}

function newItem(subscription: string, now: number, price: Price, quantity: number): SubscriptionItem {
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {};
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: addInterval(now, interval, count),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

const INVOICE_SETTINGS = {
  account_tax_ids: null,
  custom_fields: null,
  description: null,
  footer: null,
  issuer: { type: 'self' },
} satisfies Subscription['invoice_settings'];

function blankSubscription(
  id: string,
  now: number,
): Omit<Subscription, 'currency' | 'customer' | 'description' | 'items' | 'metadata'> {
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: now,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    discounts: [],
    ended_at: null,
    invoice_settings: INVOICE_SETTINGS,
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  };
}
