import type { CheckoutSession, Customer, LineItem, Metadata } from '../state.ts';
import { newId } from '../world.ts';
import type { World } from '../world.ts';

interface NewSession {
  allow_promotion_codes?: boolean | undefined;
  cancel_url?: string | undefined;
  client_reference_id?: string | undefined;
  customer: Customer | null;
  customer_email?: string | undefined;
  expires_at: number;
  lineItems: readonly LineItem[];
  metadata: Metadata;
  payment_method_collection?: 'always' | 'if_required' | undefined;
  success_url: string;
}

/** An open, unpaid session in subscription mode. */
export function newCheckoutSession(world: World, given: NewSession): CheckoutSession {
  const id = newId('cs_test', 58);
  const { customer } = given;
  const total = given.lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  const email = customer?.email ?? given.customer_email ?? null;
  return {
    ...blankSession(id),
    ...echoed(given),
    amount_subtotal: total,
    amount_total: total,
    created: world.now(),
    currency: given.lineItems[0]?.currency ?? null,
    customer: customer?.id ?? null,
    customer_creation: customer ? null : 'always',
    customer_details: email === null ? null : customerDetails(email, customer?.name ?? null),
    url: `${world.origin}/c/pay/${id}`,
  };
}

/** The parameters that a session repeats as they were given. */
function echoed(given: NewSession) {
  return {
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    customer_email: given.customer_email ?? null,
    expires_at: given.expires_at,
    metadata: given.metadata,
    payment_method_collection: given.payment_method_collection ?? ('always' as const),
    success_url: given.success_url,
  };
}

/** Who pays, as far as the session knows. */
export function customerDetails(
  email: string,
  name: string | null,
): NonNullable<CheckoutSession['customer_details']> {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

type Given =
  | keyof ReturnType<typeof echoed>
  | 'amount_subtotal'
  | 'amount_total'
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
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
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
    discounts: [],
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
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
