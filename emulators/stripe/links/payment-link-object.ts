import { mergeMetadata } from '../api/metadata.ts';
import type { LineItem, PaymentLink } from '../objects.ts';
import { invoiceCreation } from '../resources/checkout/checkout-session-object.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';
import type { CreateParams } from './payment-link-params.ts';

/** An active link to the line items; the caller stores it. */
export function newPaymentLink(world: World, params: CreateParams, lineItems: LineItem[]): PaymentLink {
  const id = newId('plink');
  const single = lineItems.every(({ price }) => price.recurring === null);
  return {
    ...blankLink(id),
    after_completion: afterCompletion(params.after_completion),
    ...pageOptions(params),
    currency: lineItems[0]?.currency ?? 'usd',
    customer_creation: params.customer_creation ?? (single ? 'if_required' : 'always'),
    invoice_creation: single ? invoiceCreation(params.invoice_creation) : null,
    metadata: mergeMetadata({}, params.metadata),
    payment_intent_data: single ? paymentData(params.payment_intent_data) : null,
    payment_method_collection: params.payment_method_collection ?? (single ? 'if_required' : 'always'),
    restrictions: restrictions(params.restrictions),
    subscription_data: single ? null : subscriptionData(params.subscription_data),
    url: `${world.origin}/buy/${id}`,
  };
}

/** The parameters that a link repeats, with Stripe's defaults. */
function pageOptions(params: CreateParams) {
  const { automatic_tax: tax, tax_id_collection: taxIds } = params;
  return {
    allow_promotion_codes: params.allow_promotion_codes ?? false,
    automatic_tax: automaticTax(tax?.enabled ?? false),
    billing_address_collection: params.billing_address_collection ?? 'auto',
    inactive_message: params.inactive_message ?? null,
    submit_type: params.submit_type ?? 'auto',
    tax_id_collection: { enabled: taxIds?.enabled ?? false, required: taxIds?.required ?? 'never' },
  } satisfies Partial<PaymentLink>;
}

/** After a payment: a confirmation page of Stripe, or another URL. */
export function afterCompletion(given: CreateParams['after_completion']): PaymentLink['after_completion'] {
  if (given?.redirect) return { redirect: given.redirect, type: 'redirect' };
  const message = given?.hosted_confirmation?.custom_message ?? null;
  return { hosted_confirmation: { custom_message: message }, type: 'hosted_confirmation' };
}

export function restrictions(
  given: CreateParams['restrictions'] | null,
  count = 0,
): PaymentLink['restrictions'] {
  return given ? { completed_sessions: { count, limit: given.completed_sessions.limit } } : null;
}

function automaticTax(enabled: boolean): PaymentLink['automatic_tax'] {
  return { enabled, liability: enabled ? { type: 'self' } : null };
}

function paymentData(given: CreateParams['payment_intent_data']): PaymentLink['payment_intent_data'] {
  return {
    capture_method: given?.capture_method ?? null,
    description: given?.description ?? null,
    metadata: mergeMetadata({}, given?.metadata),
    setup_future_usage: given?.setup_future_usage ?? null,
    statement_descriptor: given?.statement_descriptor ?? null,
    statement_descriptor_suffix: null,
    transfer_group: null,
  };
}

function subscriptionData(given: CreateParams['subscription_data']): PaymentLink['subscription_data'] {
  return {
    description: given?.description ?? null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    metadata: mergeMetadata({}, given?.metadata),
    trial_period_days: given?.trial_period_days ?? null,
    trial_settings: given?.trial_settings ?? null,
  };
}

type Given =
  | keyof ReturnType<typeof pageOptions>
  | 'after_completion'
  | 'currency'
  | 'customer_creation'
  | 'invoice_creation'
  | 'metadata'
  | 'payment_intent_data'
  | 'payment_method_collection'
  | 'restrictions'
  | 'subscription_data'
  | 'url';

function blankLink(id: string): Omit<PaymentLink, Given> {
  return {
    id,
    object: 'payment_link',
    active: true,
    application: null,
    application_fee_amount: null,
    application_fee_percent: null,
    consent_collection: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    livemode: false,
    managed_payments: null,
    on_behalf_of: null,
    payment_method_options: null,
    payment_method_types: null,
    phone_number_collection: { enabled: false },
    shipping_address_collection: null,
    shipping_options: [],
    transfer_data: null,
  };
}
