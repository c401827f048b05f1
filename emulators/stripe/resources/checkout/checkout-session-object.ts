import { mergeMetadata } from '../../api/metadata.ts';
import type { CheckoutSession, Customer, LineItem, Metadata } from '../../objects.ts';
import { newId } from '../../world.ts';
import type { World } from '../../world.ts';

interface NewSession {
  allow_promotion_codes?: boolean | undefined;
  automatic_tax?: { enabled: boolean } | undefined;
  billing_address_collection?: 'auto' | 'required' | undefined;
  cancel_url?: string | undefined;
  client_reference_id?: string | undefined;
  customer: Customer | null;
  customer_email?: string | undefined;
  customer_creation?: 'always' | 'if_required' | undefined;
  discounts: CheckoutSession['discounts'];
  expires_at: number;
  invoice_creation?: InvoiceCreation | undefined;
  lineItems: readonly LineItem[];
  locale?: string | undefined;
  metadata: Metadata;
  mode: 'payment' | 'subscription';
  payment_method_collection?: 'always' | 'if_required' | undefined;
  submit_type?: CheckoutSession['submit_type'] | undefined;
  success_url?: string | undefined;
  tax_id_collection?: { enabled: boolean; required?: 'if_supported' | 'never' | undefined } | undefined;
}

interface InvoiceCreation {
  enabled: boolean;
  invoice_data?:
    | {
        description?: string | undefined;
        footer?: string | undefined;
        metadata?: ReadonlyMap<string, string> | null | undefined;
      }
    | undefined;
}

/** An open, unpaid session; the caller works out its amounts. */
export function newCheckoutSession(world: World, given: NewSession): CheckoutSession {
  const id = newId('cs_test', 58);
  const { customer } = given;
  return {
    ...blankSession(id),
    ...echoed(given),
    amount_subtotal: 0,
    amount_total: 0,
    automatic_tax: automaticTax(given.automatic_tax?.enabled ?? false),
    created: world.now(),
    currency: given.lineItems[0]?.currency ?? null,
    customer: customer?.id ?? null,
    ...payerOf(given),
    invoice_creation: given.mode === 'payment' ? invoiceCreation(given.invoice_creation) : null,
    ...taxIdCollection(given.tax_id_collection),
    url: `${world.origin}/c/pay/${id}`,
  };
}

/** The payer's details in a session, and whether paying creates a customer. */
function payerOf(given: NewSession): Pick<CheckoutSession, 'customer_creation' | 'customer_details'> {
  const { customer, customer_creation: creation } = given;
  const email = customer?.email ?? given.customer_email ?? null;
  return {
    customer_creation: customer ? null : (creation ?? ifMode(given, 'if_required', 'always')),
    customer_details: email === null ? null : customerDetails(email, customer?.name ?? null),
  };
}

/** The value for payment mode or for subscription mode. */
function ifMode<T>({ mode }: NewSession, payment: T, subscription: T): T {
  return mode === 'payment' ? payment : subscription;
}

/** The invoice settings of a one-time payment, for a session or a payment link. */
export function invoiceCreation(given: InvoiceCreation | undefined): CheckoutSession['invoice_creation'] {
  const { description = null, footer = null, metadata } = given?.invoice_data ?? {};
  return {
    enabled: given?.enabled ?? false,
    invoice_data: {
      account_tax_ids: null,
      custom_fields: null,
      description,
      footer,
      issuer: null,
      metadata: mergeMetadata({}, metadata),
      rendering_options: null,
    },
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
    mode: given.mode,
    payment_method_collection:
      given.payment_method_collection ?? ifMode(given, 'if_required' as const, 'always' as const),
    submit_type: given.submit_type ?? null,
    success_url: given.success_url ?? null,
  };
}

type CustomerDetails = NonNullable<CheckoutSession['customer_details']>;
/** The customer's details as typed, or as the session knew them. */
export type Payer = CustomerDetails;

/** The payer, as far as the session knows. */
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
  | 'invoice_creation'
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
    livemode: false,
    managed_payments: null,
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
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    wallet_options: null,
  };
}
