import {
  builtOf,
  clearable,
  flag,
  integer,
  list,
  metadata,
  names,
  oneOf,
  required,
  shape,
  text,
  webUrl,
} from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { automaticTax, missingPaymentMethod } from '../subscriptions/subscription-params.ts';

const adjustableQuantity = shape({
  enabled: required(flag()),
  maximum: integer(1, 999_999),
  minimum: integer(0, 999_998),
});

/** The fields of a line item that sessions and payment links have in common. */
export const lineItemFields = {
  adjustable_quantity: adjustableQuantity,
  price: text(),
  quantity: integer(1, 999_999),
};
const lineItem = shape({ ...lineItemFields, metadata: clearable(metadata()) }, names('price_data tax_rates'));

export const endBehavior = shape({ missing_payment_method: required(missingPaymentMethod) });

const subscriptionData = shape(
  {
    description: text(500),
    metadata: clearable(metadata()),
    trial_end: integer(0),
    trial_period_days: integer(1, 730),
    trial_settings: shape({ end_behavior: required(endBehavior) }),
  },
  names(`
  application_fee_percent billing_cycle_anchor billing_cycle_anchor_config billing_mode
  default_tax_rates invoice_settings on_behalf_of pending_invoice_item_interval proration_behavior
  transfer_data
`),
);

const paymentIntentData = shape(
  {
    capture_method: builtOf(['automatic', 'automatic_async'], ['manual']),
    description: text(1000),
    metadata: clearable(metadata()),
    receipt_email: text(512),
    setup_future_usage: oneOf('off_session', 'on_session'),
    statement_descriptor: text(22),
  },
  names(
    `application_fee_amount on_behalf_of shipping statement_descriptor_suffix transfer_data transfer_group`,
  ),
);

const invoiceCreation = shape({
  enabled: required(flag()),
  invoice_data: shape(
    { description: text(1500), footer: text(5000), metadata: clearable(metadata()) },
    names('account_tax_ids custom_fields issuer rendering_options'),
  ),
});

/** The supported parameters of https://docs.stripe.com/api/checkout/sessions/create. */
export const createParams = {
  allow_promotion_codes: flag(),
  automatic_tax: automaticTax,
  billing_address_collection: oneOf('auto', 'required'),
  cancel_url: webUrl(),
  client_reference_id: text(200),
  currency: text(3),
  customer: text(),
  customer_creation: oneOf('always', 'if_required'),
  customer_email: text(512),
  customer_update: shape({ address: oneOf('auto', 'never'), name: oneOf('auto', 'never') }, ['shipping']),
  discounts: list(shape({ coupon: text(), promotion_code: text() }), 1),
  expires_at: integer(0),
  invoice_creation: invoiceCreation,
  line_items: list(lineItem, 20),
  locale: text(10),
  metadata: clearable(metadata()),
  mode: required(builtOf(['payment', 'subscription'], ['setup'])),
  payment_intent_data: paymentIntentData,
  payment_method_collection: oneOf('always', 'if_required'),
  submit_type: oneOf('auto', 'book', 'donate', 'pay', 'subscribe'),
  subscription_data: subscriptionData,
  success_url: required(webUrl()),
  tax_id_collection: shape({ enabled: required(flag()), required: oneOf('if_supported', 'never') }),
  ui_mode: oneOf('elements', 'embedded_page', 'form', 'hosted_page'),
};

export const unsupported = names(`
  adaptive_pricing after_expiration allowed_payment_method_types branding_settings consent_collection
  custom_fields custom_text customer_account excluded_payment_method_types
  integration_identifier managed_payments name_collection optional_items
  origin_context payment_method_configuration payment_method_data
  payment_method_options permissions phone_number_collection redirect_on_completion return_url
  saved_payment_method_options setup_intent_data shipping_address_collection shipping_options
  wallet_options
`);

export type CreateParams = Parsed<typeof createParams>;
