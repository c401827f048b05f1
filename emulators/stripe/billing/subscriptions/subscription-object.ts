import type { Customer, Metadata, Price, Subscription, SubscriptionItem } from '../../objects.ts';
import { planOf } from '../../resources/catalogue/price.ts';
import { newId } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { addInterval } from '../calendar.ts';
import { redeem } from '../discounts/discounts.ts';
import type { DiscountRequest } from '../discounts/discounts.ts';
import { isMetered } from '../invoices/amounts.ts';
import type { OneTimePurchase } from '../invoices/one-time.ts';

export interface NewItem {
  price: Price;
  /** Left out for a metered price. */
  quantity?: number;
  metadata?: Metadata;
}

/** The values of a new subscription. Times are seconds since 1970. */
export interface NewSubscription {
  customer: Customer;
  items: readonly NewItem[];
  /** One-time items on the first invoice. */
  oneTime?: readonly OneTimePurchase[];
  /** Without it, the currency of the first price. */
  currency?: string | undefined;
  metadata: Metadata;
  description: string | null;
  /** The end of the trial; without one, the first period is paid immediately. */
  trialEnd: number | null;
  /** The outcome if there is no card at the end of the trial. */
  missingPaymentMethod: 'cancel' | 'create_invoice' | 'pause';
  paymentMethod: string | null;
  automaticTax: boolean;
  /** The coupons and promotion codes that are redeemed for it. */
  discounts: readonly DiscountRequest[];
  /** The checkout session that it comes from. */
  session?: string;
}

/** A subscription that is incomplete, or trialing; the caller stores it, makes its invoice and emits its event. */
export function newSubscription(scope: Scope, given: NewSubscription): Subscription {
  const id = newId('sub');
  const now = scope.now();
  const { trialEnd } = given;
  const data = given.items.map((item) => newItem(id, now, item, trialEnd));
  return {
    ...blankSubscription(id, now),
    automatic_tax: {
      disabled_reason: null,
      enabled: given.automaticTax,
      liability: given.automaticTax ? { type: 'self' } : null,
    },
    billing_cycle_anchor: trialEnd ?? now,
    currency: given.currency ?? given.items[0]?.price.currency ?? 'usd',
    customer: given.customer.id,
    default_payment_method: given.paymentMethod,
    description: given.description,
    discounts: redeem(scope, given.discounts, given.customer, {
      subscription: id,
      session: given.session ?? null,
    }).map(({ id: discount }) => discount),
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: given.metadata,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: given.customer.test_clock,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: given.missingPaymentMethod },
    },
    trial_start: trialEnd === null ? null : now,
  };
}

/** @param end the end of its first period; without it, the period that its price says */
export function newItem(
  subscription: string,
  now: number,
  { price, quantity = 1, metadata = {} }: NewItem,
  end: number | null,
): SubscriptionItem {
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {};
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: end ?? addInterval(now, interval, count),
    current_period_start: now,
    current_trial: null,
    discounts: [],
    metadata,
    plan: planOf(price),
    price,
    ...(!isMetered(price) && { quantity }),
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

type Given =
  | 'automatic_tax'
  | 'billing_cycle_anchor'
  | 'currency'
  | 'customer'
  | 'default_payment_method'
  | 'description'
  | 'discounts'
  | 'items'
  | 'metadata'
  | 'status'
  | 'test_clock'
  | 'trial_end'
  | 'trial_settings'
  | 'trial_start';

function blankSubscription(id: string, now: number): Omit<Subscription, Given> {
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
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
    default_source: null,
    default_tax_rates: [],
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
    transfer_data: null,
  };
}
