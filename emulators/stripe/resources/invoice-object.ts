import type { Customer, Invoice, InvoiceLine, Subscription } from '../state.ts';
import { newId } from '../world.ts';
import type { Scope } from '../world.ts';

const NOT_TAXED = {
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  default_tax_rates: [],
  total_taxes: [],
};
const NOT_SHIPPED = {
  amount_shipping: 0,
  customer_shipping: null,
  shipping_cost: null,
  shipping_details: null,
};
const NOT_DISCOUNTED = { discounts: [], total_discount_amounts: [], total_pretax_credit_amounts: [] };

/** The paid invoice of a subscription's first period; the event is the caller's to emit. */
export function invoiceFirstPeriod(scope: Scope, subscription: Subscription, customer: Customer): Invoice {
  const id = newId('in');
  const now = scope.now();
  const lines = subscription.items.data.map((item) => invoiceLine(id, subscription, item));
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  const invoice: Invoice = {
    ...blankInvoice(id, now, subscription.currency),
    amount_due: total,
    amount_paid: total,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    number: `${customer.invoice_prefix ?? 'LOCAL'}-${String(sequence).padStart(4, '0')}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
  scope.state.invoices.push(invoice);
  return invoice;
}

function invoiceLine(
  invoice: string,
  subscription: Subscription,
  item: Subscription['items']['data'][number],
): InvoiceLine {
  const amount = item.price.unit_amount * item.quantity;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: item.price.currency,
    description: `${item.quantity} × ${item.price.nickname ?? item.price.product}`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

type Computed =
  | 'amount_due'
  | 'amount_paid'
  | 'customer'
  | 'customer_email'
  | 'customer_name'
  | 'lines'
  | 'number'
  | 'parent'
  | 'subtotal'
  | 'subtotal_excluding_tax'
  | 'total'
  | 'total_excluding_tax';

/** What every paid first invoice has in common; the amounts, customer and lines are missing. */
function blankInvoice(id: string, now: number, currency: string): Omit<Invoice, Computed> {
  return {
    id,
    object: 'invoice',
    account_country: null,
    account_name: null,
    account_tax_ids: null,
    amount_overpaid: 0,
    amount_remaining: 0,
    application: null,
    attempt_count: 1,
    attempted: true,
    auto_advance: false,
    ...NOT_TAXED,
    automatically_finalizes_at: null,
    billing_reason: 'subscription_create',
    collection_method: 'charge_automatically',
    created: now,
    currency,
    custom_fields: null,
    customer_account: null,
    customer_address: null,
    customer_phone: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    description: null,
    ...NOT_SHIPPED,
    ...NOT_DISCOUNTED,
    due_date: null,
    effective_at: now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    on_behalf_of: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'paid',
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: now, voided_at: null },
    test_clock: null,
    webhooks_delivered_at: null,
  };
}
