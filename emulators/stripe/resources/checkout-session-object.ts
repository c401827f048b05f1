import type { CheckoutSession, Customer, LineItem, Metadata } from '../state.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';

interface NewSession {
  allow_promotion_codes?: boolean | undefined;
  automatic_tax?: { enabled: boolean } | undefined;
  billing_address_collection?: 'auto' | 'required' | undefined;
  cancel_url?: string | undefined;
  client_reference_id?: string | undefined;
  customer: Customer | null;
  customer_email?: string | undefined;
  discounts: CheckoutSession['discounts'];
  expires_at: number;
  lineItems: readonly LineItem[];
  locale?: string | undefined;
  metadata: Metadata;
  payment_method_collection?: 'always' | 'if_required' | undefined;
  success_url: string;
  tax_id_collection?: { enabled: boolean; required?: 'never' | undefined } | undefined;
}

/** An open, unpaid session in subscription mode; its amounts are the caller's to work out. */
export function newCheckoutSession(world: World, given: NewSession): CheckoutSession {
  const id = newId('cs_test', 58);
  const { customer } = given;
  const email = customer?.email ?? given.customer_email ?? null;
  return {
    ...blankSession(id),
    ...echoed(given),
    amount_subtotal: 0,
    amount_total: 0,
    automatic_tax: automaticTax(given.automatic_tax?.enabled ?? false),
    created: world.now(),
    currency: given.lineItems[0]?.currency ?? null,
    customer: customer?.id ?? null,
    customer_creation: customer ? null : 'always',
    customer_details: email === null ? null : customerDetails(email, customer?.name ?? null),
    ...taxIdCollection(given.tax_id_collection),
    url: `${world.origin}/c/pay/${id}`,
  };
}

function taxIdCollection(given: NewSession['tax_id_collection']): Pick<CheckoutSession, 'tax_id_collection'> {
  return given ? { tax_id_collection: { enabled: given.enabled, required: given.required ?? 'never' } } : {};
}

function automaticTax(enabled: boolean): CheckoutSession['automatic_tax'] {
  if (!enabled) return { enabled, liability: null, provider: null, status: null };
  return { enabled, liability: { type: 'self' }, provider: 'stripe', status: 'requires_location_inputs' };
}

/** The parameters that a session repeats as they were given. */
function echoed(given: NewSession) {
  return {
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    billing_address_collection: given.billing_address_collection ?? null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    customer_email: given.customer_email ?? null,
    discounts: given.discounts,
    expires_at: given.expires_at,
    locale: given.locale ?? null,
    metadata: given.metadata,
    payment_method_collection: given.payment_method_collection ?? ('always' as const),
    success_url: given.success_url,
  };
}

type CustomerDetails = NonNullable<CheckoutSession['customer_details']>;

/** Who pays, as far as the session knows. */
export function customerDetails(
  email: string,
  name: string | null,
  {
    address = null,
    taxIds = [],
  }: { address?: CustomerDetails['address']; taxIds?: CustomerDetails['tax_ids'] } = {},
): CustomerDetails {
  return {
    address,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: taxIds,
  };
}

type Given =
  | keyof ReturnType<typeof echoed>
  | 'amount_subtotal'
  | 'amount_total'
  | 'automatic_tax'
  | 'created'
  | 'currency'
  | 'customer'
  | 'customer_creation'
  | 'customer_details'
  | 'url';

function blankSession(id: string): Omit<CheckoutSession, Given> {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allowed_payment_method_types: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    managed_payments: null,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    wallet_options: null,
  };
}
