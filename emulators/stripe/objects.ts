import type Stripe from 'stripe';

/**
 * The objects as they are on the wire and in the state: the SDK's own types, with references held as ids and decimals
 * as text (the SDK turns those into its Decimal after reading).
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
export type PaymentMethod = With<Stripe.PaymentMethod, { customer: string | null }>;
export type CardMethod = PaymentMethod & { card: Stripe.PaymentMethod.Card };
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
    discounts: With<Stripe.SubscriptionSchedule.Phase.Discount, { discount: string | null }>[];
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
type PortalFeatures = Stripe.BillingPortal.Configuration.Features;
/** Without the products, which Stripe leaves out unless they are expanded: `state.portalProducts` has them. */
export type PortalConfiguration = With<
  Stripe.BillingPortal.Configuration,
  {
    features: With<
      PortalFeatures,
      { subscription_update: Omit<PortalFeatures['subscription_update'], 'products'> }
    >;
    metadata: Metadata;
  }
>;
export type WebhookEndpoint = Omit<Stripe.WebhookEndpoint, 'secret'>;
export type Metadata = Stripe.Metadata;
export type ApiList<T> = Stripe.ApiList<T>;

/** The element of a list within an object, such as an item of a subscription. */
export function byId<T extends { id: string }>(rows: readonly T[], id: string): T | undefined {
  return rows.find((row) => row.id === id);
}
