import type Stripe from 'stripe';

/**
 * The objects as they are on the wire and in the state: the SDK's own types, with references held as ids and decimals as
 * text (the SDK turns those into its Decimal after reading).
 */
type With<T, Changes> = Omit<T, keyof Changes> & Changes;

export type Customer = With<Stripe.Customer, { metadata: Metadata; test_clock: string | null }>;
export type DeletedCustomer = Stripe.DeletedCustomer;
export type Product = With<Stripe.Product, { default_price: string | null }>;
export type Price = With<Stripe.Price, { product: string; unit_amount_decimal: string }>;
export type Plan = With<Stripe.Plan, { product: string; amount_decimal: string | null }>;
export type SubscriptionItem = With<Stripe.SubscriptionItem, { price: Price; plan: Plan }>;
export type Subscription = With<
  Stripe.Subscription,
  {
    customer: string;
    default_payment_method: string | null;
    discounts: string[];
    items: ApiList<SubscriptionItem>;
    latest_invoice: string | null;
    pending_update: With<
      Stripe.Subscription.PendingUpdate,
      { subscription_items: SubscriptionItem[] | null }
    > | null;
    schedule: string | null;
    test_clock: string | null;
  }
>;
export type LineItem = With<Stripe.LineItem, { price: Price }>;
export type CheckoutSession = With<
  Stripe.Checkout.Session,
  {
    customer: string | null;
    subscription: string | null;
    invoice: string | null;
    metadata: Metadata;
    payment_intent: string | null;
    payment_link: string | null;
  }
>;
export type InvoiceLine = With<
  Stripe.InvoiceLineItem,
  { quantity_decimal: string; pricing: With<Stripe.InvoiceLineItem.Pricing, { unit_amount_decimal: string }> }
>;
export type Invoice = With<
  Stripe.Invoice,
  {
    id: string;
    auto_advance: boolean;
    customer: string;
    default_payment_method: string | null;
    discounts: string[];
    ending_balance: number | null;
    lines: ApiList<InvoiceLine>;
    test_clock: string | null;
  }
>;
export type InvoiceItem = With<
  Stripe.InvoiceItem,
  {
    customer: string;
    invoice: string | null;
    pricing: With<
      Stripe.InvoiceItem.Pricing,
      { price_details: { price: string; product: string }; unit_amount_decimal: string }
    >;
    quantity_decimal: string;
    test_clock: string | null;
  }
>;
export type PaymentMethod = With<
  Stripe.PaymentMethod,
  { card: Stripe.PaymentMethod.Card; customer: string | null }
>;
export type PaymentIntent = With<
  Stripe.PaymentIntent,
  { customer: string | null; latest_charge: string | null; payment_method: string | null }
>;
export type Charge = With<Stripe.Charge, { customer: string | null; payment_intent: string | null }>;
export type PaymentLink = Stripe.PaymentLink;
export type Meter = Stripe.Billing.Meter;
export type Feature = Stripe.Entitlements.Feature;
export type Coupon = With<Stripe.Coupon, { metadata: Metadata }>;
export type PromotionCode = With<
  Stripe.PromotionCode,
  { customer: string | null; metadata: Metadata; promotion: { coupon: string; type: 'coupon' } }
>;
export type Discount = With<
  Stripe.Discount,
  { customer: string; promotion_code: string | null; source: { coupon: string; type: 'coupon' } }
>;
export type InvoicePayment = With<
  Stripe.InvoicePayment,
  { invoice: string; payment: { payment_intent: string; type: 'payment_intent' } }
>;
export type Refund = With<Stripe.Refund, { charge: string; payment_intent: string | null }>;
export type Dispute = With<Stripe.Dispute, { charge: string; payment_intent: string | null }>;
export type CreditNote = With<
  Stripe.CreditNote,
  {
    customer: string;
    invoice: string;
    lines: ApiList<With<Stripe.CreditNoteLineItem, { unit_amount_decimal: string }>>;
  }
>;
export type SchedulePhase = With<
  Stripe.SubscriptionSchedule.Phase,
  {
    items: With<Stripe.SubscriptionSchedule.Phase.Item, { plan: string; price: string }>[];
  }
>;
export type SubscriptionSchedule = With<
  Stripe.SubscriptionSchedule,
  { customer: string; phases: SchedulePhase[]; subscription: string | null; test_clock: string | null }
>;
export type TaxId = With<Stripe.TaxId, { customer: string | null; type: string }>;
export type TestClock = Stripe.TestHelpers.TestClock;
export type PortalSession = With<Stripe.BillingPortal.Session, { configuration: string }>;
export type PortalConfiguration = With<Stripe.BillingPortal.Configuration, { metadata: Metadata }>;
export type WebhookEndpoint = Omit<Stripe.WebhookEndpoint, 'secret'>;
/** The signing secret of a webhook endpoint, by the id of the endpoint. */
export interface WebhookSecret {
  id: string;
  secret: string;
}
export type Metadata = Stripe.Metadata;
export type ApiList<T> = Stripe.ApiList<T>;

export type EventType = Extract<
  Stripe.Event['type'],
  | `checkout.session.${'completed' | 'expired'}`
  | `customer.${'created' | 'updated' | 'deleted'}`
  | `subscription_schedule.${'canceled' | 'completed' | 'created' | 'released' | 'updated'}`
  | `customer.tax_id.${'created' | 'deleted'}`
  | `customer.subscription.${'created' | 'updated' | 'deleted' | 'paused' | 'resumed' | 'trial_will_end'}`
  | `customer.subscription.${'pending_update_applied' | 'pending_update_expired'}`
  | `invoice.${'created' | 'updated' | 'finalized' | 'paid' | 'payment_succeeded' | 'payment_failed'}`
  | `invoice.${'payment_action_required' | 'voided' | 'marked_uncollectible'}`
  | `billing_portal.configuration.${'created' | 'updated'}`
  | 'billing_portal.session.created'
  | `charge.${'failed' | 'refunded' | 'succeeded'}`
  | `charge.dispute.${'closed' | 'created' | 'funds_reinstated' | 'funds_withdrawn' | 'updated'}`
  | `refund.${'created' | 'updated'}`
  | `credit_note.${'created' | 'updated'}`
  | `payment_link.${'created' | 'updated'}`
  | `payment_intent.${'created' | 'payment_failed' | 'succeeded'}`
  | `billing.meter.${'created' | 'updated' | 'deactivated' | 'reactivated'}`
  | 'entitlements.active_entitlement_summary.updated'
  | `coupon.${'created' | 'updated' | 'deleted'}`
  | `customer.discount.${'created' | 'deleted'}`
  | `promotion_code.${'created' | 'updated'}`
  | `invoiceitem.${'created' | 'deleted'}`
  | `payment_method.${'attached' | 'detached' | 'updated'}`
  | `product.${'created' | 'updated' | 'deleted'}`
  | `price.${'created' | 'updated'}`
  | `test_helpers.test_clock.${'created' | 'advancing' | 'ready' | 'deleted'}`
>;

/** The API request that caused an event. Both are null for a hosted page or the passing of time. */
export interface RequestOrigin {
  id: string | null;
  idempotency_key: string | null;
}

export interface Event {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: RequestOrigin;
  type: EventType;
}

/** The values of a checkout session that it does not show, for the subscription or payment that follows. */
export interface CheckoutDetails {
  id: string;
  lineItems: LineItem[];
  subscription: {
    metadata: Metadata;
    description: string | null;
    /** Days of trial from the payment on, or (as `trialEnd`) its end in seconds since 1970. */
    trialDays: number | null;
    trialEnd: number | null;
    missingPaymentMethod: 'cancel' | 'create_invoice' | 'pause';
  };
  /** The values of the payment intent, in payment mode. */
  payment: {
    description: string | null;
    metadata: Metadata;
    receiptEmail: string | null;
    setupFutureUsage: 'off_session' | 'on_session' | null;
    statementDescriptor: string | null;
  };
  /** The e-mail address that the page is filled with. */
  prefilledEmail: string | null;
  /** The properties of an existing customer that the page may change. */
  customerUpdate: { address: boolean; name: boolean };
}

/** The line items of a payment link (the id). */
export interface LinkItems {
  id: string;
  lineItems: LineItem[];
}

/** An event that a meter counts. Times are in seconds since 1970. */
export interface UsageEvent {
  id: string;
  /** Unique within 24 hours. */
  identifier: string;
  created: number;
  customer: string;
  eventName: string;
  payload: Record<string, string>;
  timestamp: number;
  value: number;
}

/** The amounts of a price (the id) in other currencies, per unit and as text. */
export interface CurrencyAmounts {
  id: string;
  amounts: Record<string, string>;
}

/** A feature that is attached to a product. */
export interface ProductFeature {
  id: string;
  product: string;
  feature: string;
}

/** A feature that a customer has now. */
export interface Entitlement {
  id: string;
  customer: string;
  feature: string;
}

/** The number behind a payment method (the id), which says how the bank behaves. */
export interface CardNumber {
  id: string;
  number: string;
  /** The card was authenticated when it was set up for payments without the customer. */
  authenticated: boolean;
}

/** The trial end for which `trial_will_end` was sent; the id is that of the subscription. */
export interface TrialNotice {
  id: string;
  trialEnd: number;
}

/** A change that waits for its invoice to be paid; the id is that of its subscription. */
export interface PendingUpdate {
  id: string;
  invoice: string;
  /** The properties of the subscription that the change sets. */
  after: Partial<Subscription>;
}

/** The answer kept for an idempotency key (the id), for 24 hours. */
export interface StoredAnswer {
  id: string;
  fingerprint: string;
  created: number;
  status: number;
  body: string;
}

/** The element of a list within an object, such as an item of a subscription. */
export function byId<T extends { id: string }>(rows: readonly T[], id: string): T | undefined {
  return rows.find((row) => row.id === id);
}
