import { entitlementOperations } from '../entitlements/entitlements.ts';
import { productFeatureOperations } from '../entitlements/product-features.ts';
import { paymentLinkOperations } from '../links/payment-links.ts';
import { chargeOperations } from '../payments/charges.ts';
import { invoicePaymentOperations } from '../payments/invoice-payment-operations.ts';
import { paymentIntentOperations } from '../payments/payment-intents.ts';
import { creditNoteOperations } from '../payments/refunds-and-disputes/credit-notes.ts';
import { disputeOperations } from '../payments/refunds-and-disputes/disputes.ts';
import { refundOperations } from '../payments/refunds-and-disputes/refunds.ts';
import { couponOperations } from '../resources/catalogue/coupons.ts';
import { priceOperations } from '../resources/catalogue/prices.ts';
import { productOperations } from '../resources/catalogue/products.ts';
import { promotionCodeOperations } from '../resources/catalogue/promotion-codes.ts';
import { checkoutSessionOperations } from '../resources/checkout/checkout-sessions.ts';
import { customerOperations } from '../resources/customers/customers.ts';
import { paymentMethodOperations } from '../resources/customers/payment-methods.ts';
import { taxIdOperations } from '../resources/customers/tax-ids.ts';
import { eventOperations } from '../resources/events.ts';
import { invoiceItemOperations } from '../resources/invoices/invoice-items.ts';
import { invoiceOperations } from '../resources/invoices/invoices.ts';
import { portalConfigurationOperations } from '../resources/portal/portal-configurations.ts';
import { portalSessionOperations } from '../resources/portal/portal-sessions.ts';
import { subscriptionScheduleOperations } from '../resources/schedules/subscription-schedules.ts';
import { subscriptionItemOperations } from '../resources/subscription-items/subscription-items.ts';
import { subscriptionOperations } from '../resources/subscriptions/subscriptions.ts';
import { testClockOperations } from '../resources/test-clocks.ts';
import { webhookEndpointOperations } from '../resources/webhook-endpoints.ts';
import { meterEventOperations } from '../usage/meter-events.ts';
import { meterOperations } from '../usage/meters.ts';
import type { Operation } from './operation.ts';

/** The whole API. Within a resource, fixed paths come before `:id`. */
export const OPERATIONS: readonly Operation[] = [
  ...customerOperations,
  ...productOperations,
  ...productFeatureOperations,
  ...entitlementOperations,
  ...priceOperations,
  ...couponOperations,
  ...promotionCodeOperations,
  ...checkoutSessionOperations,
  ...paymentLinkOperations,
  ...subscriptionOperations,
  ...subscriptionItemOperations,
  ...invoiceOperations,
  ...invoiceItemOperations,
  ...paymentMethodOperations,
  ...paymentIntentOperations,
  ...chargeOperations,
  ...meterOperations,
  ...meterEventOperations,
  ...portalConfigurationOperations,
  ...portalSessionOperations,
  ...invoicePaymentOperations,
  ...refundOperations,
  ...disputeOperations,
  ...creditNoteOperations,
  ...subscriptionScheduleOperations,
  ...taxIdOperations,
  ...eventOperations,
  ...testClockOperations,
  ...webhookEndpointOperations,
];
