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
} from '../api/parameters/params.ts';
import type { Parsed } from '../api/parameters/params.ts';
import {
  createParams as ofSession,
  endBehavior,
  lineItemFields,
} from '../resources/checkout/checkout-params.ts';

const afterCompletion = shape({
  hosted_confirmation: shape({ custom_message: text(500) }),
  redirect: shape({ url: required(webUrl()) }),
  type: required(oneOf('hosted_confirmation', 'redirect')),
});

const restrictions = shape({
  completed_sessions: required(shape({ limit: required(integer(1)) })),
});

const paymentIntentData = shape(
  {
    capture_method: builtOf(['automatic', 'automatic_async'], ['manual']),
    description: text(1000),
    metadata: clearable(metadata()),
    setup_future_usage: oneOf('off_session', 'on_session'),
    statement_descriptor: text(22),
  },
  names('statement_descriptor_suffix transfer_group'),
);

const subscriptionData = shape(
  {
    description: text(500),
    metadata: clearable(metadata()),
    trial_period_days: integer(1, 730),
    trial_settings: shape({ end_behavior: required(endBehavior) }),
  },
  ['invoice_settings'],
);

/** The supported parameters of https://docs.stripe.com/api/payment-link/create. */
export const createParams = {
  after_completion: afterCompletion,
  allow_promotion_codes: flag(),
  automatic_tax: ofSession.automatic_tax,
  billing_address_collection: ofSession.billing_address_collection,
  currency: ofSession.currency,
  customer_creation: ofSession.customer_creation,
  inactive_message: text(500),
  invoice_creation: ofSession.invoice_creation,
  line_items: required(list(shape(lineItemFields, ['price_data']), 20)),
  metadata: clearable(metadata()),
  payment_intent_data: paymentIntentData,
  payment_method_collection: ofSession.payment_method_collection,
  restrictions,
  submit_type: ofSession.submit_type,
  subscription_data: subscriptionData,
  tax_id_collection: ofSession.tax_id_collection,
};
export type CreateParams = Parsed<typeof createParams>;

/** The supported parameters of https://docs.stripe.com/api/payment-link/update. */
export const updateParams = {
  active: flag(),
  after_completion: afterCompletion,
  allow_promotion_codes: flag(),
  inactive_message: clearable(text(500)),
  metadata: clearable(metadata()),
  restrictions: clearable(restrictions),
};

const unsupported = names(`
  application_fee_amount application_fee_percent consent_collection custom_fields custom_text
  name_collection on_behalf_of optional_items payment_method_options payment_method_types
  phone_number_collection shipping_address_collection shipping_options transfer_data
`);
export const unsupportedAtFirst = [...unsupported, 'managed_payments'];
export const unsupportedLater = [
  ...unsupported,
  ...names(`automatic_tax billing_address_collection customer_creation invoice_creation line_items
    payment_intent_data payment_method_collection submit_type subscription_data tax_id_collection`),
];
