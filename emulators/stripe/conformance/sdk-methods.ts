import type Stripe from 'stripe';

/** The method of the official SDK behind each operation: its types say what may be asked, and what the answer is. */
export interface SdkMethods {
  'POST /v1/customers': Stripe['customers']['create'];
  'GET /v1/customers': Stripe['customers']['list'];
  'GET /v1/customers/search': Stripe['customers']['search'];
  'GET /v1/customers/:id': Stripe['customers']['retrieve'];
  'POST /v1/customers/:id': Stripe['customers']['update'];
  'DELETE /v1/customers/:id': Stripe['customers']['del'];
  'POST /v1/products': Stripe['products']['create'];
  'GET /v1/products': Stripe['products']['list'];
  'GET /v1/products/search': Stripe['products']['search'];
  'GET /v1/products/:id': Stripe['products']['retrieve'];
  'POST /v1/products/:id': Stripe['products']['update'];
  'DELETE /v1/products/:id': Stripe['products']['del'];
  'POST /v1/prices': Stripe['prices']['create'];
  'GET /v1/prices': Stripe['prices']['list'];
  'GET /v1/prices/search': Stripe['prices']['search'];
  'GET /v1/prices/:id': Stripe['prices']['retrieve'];
  'POST /v1/prices/:id': Stripe['prices']['update'];
  'POST /v1/coupons': Stripe['coupons']['create'];
  'GET /v1/coupons': Stripe['coupons']['list'];
  'GET /v1/coupons/:id': Stripe['coupons']['retrieve'];
  'POST /v1/coupons/:id': Stripe['coupons']['update'];
  'DELETE /v1/coupons/:id': Stripe['coupons']['del'];
  'POST /v1/promotion_codes': Stripe['promotionCodes']['create'];
  'GET /v1/promotion_codes': Stripe['promotionCodes']['list'];
  'GET /v1/promotion_codes/:id': Stripe['promotionCodes']['retrieve'];
  'POST /v1/promotion_codes/:id': Stripe['promotionCodes']['update'];
  'POST /v1/checkout/sessions': Stripe['checkout']['sessions']['create'];
  'GET /v1/checkout/sessions': Stripe['checkout']['sessions']['list'];
  'GET /v1/checkout/sessions/:id': Stripe['checkout']['sessions']['retrieve'];
  'POST /v1/checkout/sessions/:id': Stripe['checkout']['sessions']['update'];
  'GET /v1/checkout/sessions/:id/line_items': Stripe['checkout']['sessions']['listLineItems'];
  'POST /v1/checkout/sessions/:id/expire': Stripe['checkout']['sessions']['expire'];
  'POST /v1/payment_links': Stripe['paymentLinks']['create'];
  'GET /v1/payment_links': Stripe['paymentLinks']['list'];
  'GET /v1/payment_links/:id': Stripe['paymentLinks']['retrieve'];
  'POST /v1/payment_links/:id': Stripe['paymentLinks']['update'];
  'GET /v1/payment_links/:id/line_items': Stripe['paymentLinks']['listLineItems'];
  'POST /v1/subscriptions': Stripe['subscriptions']['create'];
  'GET /v1/subscriptions': Stripe['subscriptions']['list'];
  'GET /v1/subscriptions/search': Stripe['subscriptions']['search'];
  'GET /v1/subscriptions/:id': Stripe['subscriptions']['retrieve'];
  'POST /v1/subscriptions/:id': Stripe['subscriptions']['update'];
  'DELETE /v1/subscriptions/:id': Stripe['subscriptions']['cancel'];
  'DELETE /v1/subscriptions/:id/discount': Stripe['subscriptions']['deleteDiscount'];
  'POST /v1/subscriptions/:id/pause': Stripe['subscriptions']['pause'];
  'POST /v1/subscriptions/:id/resume': Stripe['subscriptions']['resume'];
  'POST /v1/subscription_items': Stripe['subscriptionItems']['create'];
  'GET /v1/subscription_items': Stripe['subscriptionItems']['list'];
  'GET /v1/subscription_items/:id': Stripe['subscriptionItems']['retrieve'];
  'POST /v1/subscription_items/:id': Stripe['subscriptionItems']['update'];
  'DELETE /v1/subscription_items/:id': Stripe['subscriptionItems']['del'];
  'POST /v1/invoices/create_preview': Stripe['invoices']['createPreview'];
  'GET /v1/invoices': Stripe['invoices']['list'];
  'GET /v1/invoices/search': Stripe['invoices']['search'];
  'GET /v1/invoices/:id': Stripe['invoices']['retrieve'];
  'POST /v1/invoices/:id': Stripe['invoices']['update'];
  'GET /v1/invoices/:id/lines': Stripe['invoices']['listLineItems'];
  'POST /v1/invoices/:id/pay': Stripe['invoices']['pay'];
  'POST /v1/invoices/:id/finalize': Stripe['invoices']['finalizeInvoice'];
  'POST /v1/invoices/:id/void': Stripe['invoices']['voidInvoice'];
  'POST /v1/invoices/:id/mark_uncollectible': Stripe['invoices']['markUncollectible'];
  'GET /v1/invoiceitems': Stripe['invoiceItems']['list'];
  'GET /v1/invoiceitems/:id': Stripe['invoiceItems']['retrieve'];
  'DELETE /v1/invoiceitems/:id': Stripe['invoiceItems']['del'];
  'POST /v1/payment_methods': Stripe['paymentMethods']['create'];
  'GET /v1/payment_methods': Stripe['paymentMethods']['list'];
  'GET /v1/customers/:id/payment_methods': Stripe['customers']['listPaymentMethods'];
  'GET /v1/payment_methods/:id': Stripe['paymentMethods']['retrieve'];
  'POST /v1/payment_methods/:id': Stripe['paymentMethods']['update'];
  'POST /v1/payment_methods/:id/attach': Stripe['paymentMethods']['attach'];
  'POST /v1/payment_methods/:id/detach': Stripe['paymentMethods']['detach'];
  'GET /v1/payment_intents': Stripe['paymentIntents']['list'];
  'GET /v1/payment_intents/search': Stripe['paymentIntents']['search'];
  'GET /v1/payment_intents/:id': Stripe['paymentIntents']['retrieve'];
  'GET /v1/charges': Stripe['charges']['list'];
  'GET /v1/charges/search': Stripe['charges']['search'];
  'GET /v1/charges/:id': Stripe['charges']['retrieve'];
  'POST /v1/billing/meters': Stripe['billing']['meters']['create'];
  'GET /v1/billing/meters': Stripe['billing']['meters']['list'];
  'GET /v1/billing/meters/:id': Stripe['billing']['meters']['retrieve'];
  'POST /v1/billing/meters/:id': Stripe['billing']['meters']['update'];
  'POST /v1/billing/meters/:id/deactivate': Stripe['billing']['meters']['deactivate'];
  'POST /v1/billing/meters/:id/reactivate': Stripe['billing']['meters']['reactivate'];
  'GET /v1/billing/meters/:id/event_summaries': Stripe['billing']['meters']['listEventSummaries'];
  'POST /v1/billing/meter_events': Stripe['billing']['meterEvents']['create'];
  'POST /v1/billing/meter_event_adjustments': Stripe['billing']['meterEventAdjustments']['create'];
  'POST /v1/billing_portal/configurations': Stripe['billingPortal']['configurations']['create'];
  'GET /v1/billing_portal/configurations': Stripe['billingPortal']['configurations']['list'];
  'GET /v1/billing_portal/configurations/:id': Stripe['billingPortal']['configurations']['retrieve'];
  'POST /v1/billing_portal/configurations/:id': Stripe['billingPortal']['configurations']['update'];
  'POST /v1/billing_portal/sessions': Stripe['billingPortal']['sessions']['create'];
  'POST /v1/customers/:id/tax_ids': Stripe['customers']['createTaxId'];
  'GET /v1/customers/:id/tax_ids': Stripe['customers']['listTaxIds'];
  'GET /v1/customers/:id/tax_ids/:child': Stripe['customers']['retrieveTaxId'];
  'DELETE /v1/customers/:id/tax_ids/:child': Stripe['customers']['deleteTaxId'];
  'POST /v1/tax_ids': Stripe['taxIds']['create'];
  'GET /v1/tax_ids': Stripe['taxIds']['list'];
  'GET /v1/tax_ids/:id': Stripe['taxIds']['retrieve'];
  'DELETE /v1/tax_ids/:id': Stripe['taxIds']['del'];
  'GET /v1/events': Stripe['events']['list'];
  'GET /v1/events/:id': Stripe['events']['retrieve'];
  'POST /v1/test_helpers/test_clocks': Stripe['testHelpers']['testClocks']['create'];
  'GET /v1/test_helpers/test_clocks': Stripe['testHelpers']['testClocks']['list'];
  'GET /v1/test_helpers/test_clocks/:id': Stripe['testHelpers']['testClocks']['retrieve'];
  'POST /v1/test_helpers/test_clocks/:id/advance': Stripe['testHelpers']['testClocks']['advance'];
  'DELETE /v1/test_helpers/test_clocks/:id': Stripe['testHelpers']['testClocks']['del'];
}

type Method = (...args: never[]) => unknown;
type ParamsOf<M extends Method> = AfterIds<Parameters<M>>;
type AfterIds<Given extends unknown[]> = Given[0] extends string
  ? Given[1] extends string
    ? Given[2]
    : Given[1]
  : Given[0];

export type Answers = { [Name in keyof SdkMethods]: Awaited<ReturnType<SdkMethods[Name]>> };
export type Requests = { [Name in keyof SdkMethods]: NonNullable<ParamsOf<SdkMethods[Name]>> };

/** The objects that events tell of. */
export interface EventObjects {
  'billing.meter': Stripe.Billing.Meter;
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  'billing_portal.session': Stripe.BillingPortal.Session;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  coupon: Stripe.Coupon;
  customer: Stripe.Customer;
  discount: Stripe.Discount;
  invoice: Stripe.Invoice;
  invoiceitem: Stripe.InvoiceItem;
  payment_intent: Stripe.PaymentIntent;
  payment_link: Stripe.PaymentLink;
  payment_method: Stripe.PaymentMethod;
  price: Stripe.Price;
  product: Stripe.Product;
  promotion_code: Stripe.PromotionCode;
  subscription: Stripe.Subscription;
  tax_id: Stripe.TaxId;
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock;
}
