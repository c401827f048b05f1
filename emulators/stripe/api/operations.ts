import { checkoutSessionOperations } from '../resources/checkout-sessions.ts';
import { couponOperations } from '../resources/coupons.ts';
import { customerOperations } from '../resources/customers.ts';
import { eventOperations } from '../resources/events.ts';
import { invoiceOperations } from '../resources/invoices.ts';
import { invoiceItemOperations } from '../resources/invoice-items.ts';
import { paymentMethodOperations } from '../resources/payment-methods.ts';
import { portalConfigurationOperations } from '../resources/portal-configurations.ts';
import { portalSessionOperations } from '../resources/portal-sessions.ts';
import { priceOperations } from '../resources/prices.ts';
import { productOperations } from '../resources/products.ts';
import { promotionCodeOperations } from '../resources/promotion-codes.ts';
import { subscriptionItemOperations } from '../resources/subscription-items.ts';
import { subscriptionOperations } from '../resources/subscriptions.ts';
import { creditNoteOperations } from '../payments/credit-notes.ts';
import { disputeOperations } from '../payments/disputes.ts';
import { invoicePaymentOperations } from '../payments/invoice-payment-operations.ts';
import { refundOperations } from '../payments/refunds.ts';
import { subscriptionScheduleOperations } from '../resources/subscription-schedules.ts';
import { taxIdOperations } from '../resources/tax-ids.ts';
import { testClockOperations } from '../resources/test-clocks.ts';
import { chargeOperations } from '../payments/charges.ts';
import { paymentIntentOperations } from '../payments/payment-intents.ts';
import { paymentLinkOperations } from '../links/payment-links.ts';
import { meterEventOperations } from '../usage/meter-events.ts';
import { meterOperations } from '../usage/meters.ts';
import { entitlementOperations } from '../entitlements/entitlements.ts';
import { productFeatureOperations } from '../entitlements/product-features.ts';
import { webhookEndpointOperations } from '../resources/webhook-endpoints.ts';
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
