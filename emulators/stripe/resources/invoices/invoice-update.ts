import { notAllowed } from '../../api/errors.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { clearable, flag, integer, metadata, names, text } from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { DRAFT_TIME } from '../../billing/invoices/invoices.ts';
import type { Invoice } from '../../objects.ts';
import { update } from '../../world.ts';
import type { Scope } from '../../world.ts';
import { referencedMethod } from '../customers/payment-methods.ts';

export const invoiceParams = {
  auto_advance: flag(),
  automatically_finalizes_at: integer(0),
  default_payment_method: text(),
  description: clearable(text(1500)),
  footer: clearable(text()),
  metadata: clearable(metadata()),
};

export const unsupportedInvoiceParams = names(`
  account_tax_ids application_fee_amount automatic_tax collection_method custom_fields days_until_due default_source
  default_tax_rates discounts due_date effective_at issuer number on_behalf_of payment_settings rendering
  shipping_cost shipping_details statement_descriptor transfer_data
`);

/** Changes a draft or an open invoice; a closed one can change its metadata only. */
export function changeInvoice(scope: Scope, invoice: Invoice, params: Parsed<typeof invoiceParams>): Invoice {
  const { auto_advance: advance, default_payment_method: method, metadata: patch, ...texts } = params;
  const { automatically_finalizes_at: finalizes, description, footer } = texts;
  const others = [advance, method, finalizes, description, footer];
  if (!['draft', 'open'].includes(invoice.status ?? '') && others.some((value) => value !== undefined)) {
    throw notAllowed(
      `An invoice that is ${String(invoice.status)} cannot be changed.`,
      'invoice_not_editable',
    );
  }
  return update(scope, 'invoice.updated', invoice, {
    ...(advance !== undefined && advancing(scope, invoice, advance)),
    ...(finalizes !== undefined && { automatically_finalizes_at: finalizes }),
    ...(method !== undefined && {
      default_payment_method: referencedMethod(
        scope,
        method,
        { id: invoice.customer },
        'default_payment_method',
      ).id,
    }),
    ...(description !== undefined && { description }),
    ...(footer !== undefined && { footer }),
    metadata: mergeMetadata(invoice.metadata ?? {}, patch),
  });
}

/** With `auto_advance`, a draft is finalized and an open invoice is charged, an hour later. */
function advancing(
  scope: Scope,
  { status, next_payment_attempt: next }: Invoice,
  advance: boolean,
): Partial<Invoice> {
  const later = advance ? scope.now() + DRAFT_TIME : null;
  return {
    auto_advance: advance,
    ...(status === 'draft' && { automatically_finalizes_at: later }),
    ...(status === 'open' && { next_payment_attempt: advance ? (next ?? later) : null }),
  };
}
