import type { CreditNote, Invoice, Metadata } from '../../objects.ts';
import { newId } from '../../world.ts';
import type { Scope } from '../../world.ts';

interface NewCreditNote {
  /** All amounts are in the currency's smallest unit. */
  amount: number;
  memo: string | null;
  metadata: Metadata;
  outOfBand: number | null;
  reason: CreditNote['reason'];
  refunds: CreditNote['refunds'];
}

/** An issued credit note with one line; the caller stores it and takes it off the invoice. */
export function newCreditNote(scope: Scope, invoice: Invoice, given: NewCreditNote): CreditNote {
  const id = newId('cn');
  const { amount } = given;
  const before = scope.state.creditNotes.where((row) => row.invoice === invoice.id).length;
  const paid = invoice.status === 'paid';
  return {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: scope.now(),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: scope.now(),
    invoice: invoice.id,
    lines: {
      object: 'list',
      data: [lineOf(amount, given.memo)],
      has_more: false,
      url: `/v1/credit_notes/${id}/lines`,
    },
    livemode: false,
    memo: given.memo,
    metadata: given.metadata,
    number: `${invoice.number ?? 'LOCAL'}-CN-${String(before + 1).padStart(2, '0')}`,
    out_of_band_amount: given.outOfBand,
    pdf: `${scope.origin}/i/${invoice.id}/pdf`,
    post_payment_amount: paid ? amount : 0,
    pre_payment_amount: paid ? 0 : amount,
    pretax_credit_amounts: [],
    reason: given.reason,
    refunds: given.refunds,
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: paid ? 'post_payment' : 'pre_payment',
    voided_at: null,
  };
}

function lineOf(amount: number, description: string | null): CreditNote['lines']['data'][number] {
  return {
    id: newId('cnli'),
    object: 'credit_note_line_item',
    amount,
    description: description ?? 'Credit',
    discount_amount: 0,
    discount_amounts: [],
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: [],
    taxes: [],
    type: 'custom_line_item',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  };
}
