import type { Customer, Invoice, InvoiceLine, Subscription } from '../../objects.ts';
import type { Scope, World } from '../../world.ts';

const NOT_TAXED = {
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  default_tax_rates: [],
  total_taxes: [],
};
const NOT_SHIPPED = {
  amount_shipping: 0,
  shipping_cost: null,
  shipping_details: null,
};
const NOT_DISCOUNTED = { discounts: [], total_discount_amounts: [], total_pretax_credit_amounts: [] };

interface NewInvoice {
  id: string;
  customer: Customer;
  /** Null for an invoice of single items. */
  subscription: Subscription | null;
  currency: string;
  reason: 'manual' | 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  lines: InvoiceLine[];
  period: { start: number; end: number };
}

/** A draft with its amounts added up. The caller stores it and emits its event. */
export function newInvoice(scope: Scope, given: NewInvoice): Invoice {
  const { id, customer, subscription, lines } = given;
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  return {
    ...blankInvoice(id, scope.now(), given.currency),
    amount_due: Math.max(0, subtotal),
    amount_remaining: Math.max(0, subtotal),
    billing_reason: given.reason,
    customer: customer.id,
    ...customerFields(scope, customer),
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: given.period.end,
    period_start: given.period.start,
    starting_balance: customer.balance,
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: customer.test_clock,
    total: subtotal,
    total_excluding_tax: subtotal,
  };
}

/** The customer's details on an invoice. Those of a draft follow the customer until it is finalized. */
export function customerFields({ state }: World, customer: Customer) {
  const {
    address = null,
    invoice_settings: settings,
    name = null,
    phone = null,
    tax_exempt: exempt,
  } = customer;
  return {
    custom_fields: settings.custom_fields,
    customer_address: address,
    customer_email: customer.email,
    customer_name: name,
    customer_phone: phone,
    customer_shipping: customer.shipping,
    customer_tax_exempt: exempt ?? null,
    customer_tax_ids: state.taxIds
      .where((taxId) => taxId.customer === customer.id)
      .map(({ type, value }) => ({ type, value })),
    footer: settings.footer,
  } satisfies Partial<Invoice>;
}

type Computed =
  | keyof ReturnType<typeof customerFields>
  | 'amount_due'
  | 'amount_remaining'
  | 'billing_reason'
  | 'customer'
  | 'lines'
  | 'parent'
  | 'period_end'
  | 'period_start'
  | 'starting_balance'
  | 'subtotal'
  | 'subtotal_excluding_tax'
  | 'test_clock'
  | 'total'
  | 'total_excluding_tax';

/** The properties that every draft has; the amounts, customer and lines are missing. */
function blankInvoice(id: string, now: number, currency: string): Omit<Invoice, Computed> {
  return {
    id,
    object: 'invoice',
    account_country: null,
    account_name: null,
    account_tax_ids: null,
    amount_overpaid: 0,
    amount_paid: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    ...NOT_TAXED,
    automatically_finalizes_at: null,
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer_account: null,
    default_payment_method: null,
    default_source: null,
    description: null,
    ...NOT_SHIPPED,
    ...NOT_DISCOUNTED,
    due_date: null,
    effective_at: null,
    ending_balance: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    webhooks_delivered_at: null,
  };
}
