import { InvalidParameter, noSuchObject, noSuchReference, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { mergeMetadata } from '../../api/metadata.ts';
import { operation } from '../../api/operation.ts';
import {
  clearable,
  integer,
  metadata,
  names,
  oneOf,
  required,
  text,
  timeRange,
} from '../../api/parameters/params.ts';
import type { Parsed } from '../../api/parameters/params.ts';
import { markPaid } from '../../billing/invoices/collect.ts';
import { customerOf } from '../../billing/invoices/invoices.ts';
import type { CreditNote, Invoice } from '../../objects.ts';
import { emit, imagine, inTimeOf, tentatively, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { chargeOf } from '../invoice-payments.ts';
import { newCreditNote } from './credit-note-object.ts';
import { refundCharge } from './refunds.ts';

const LIST = { url: '/v1/credit_notes', noun: 'credit_note' };

const createParams = {
  amount: integer(1),
  credit_amount: integer(0),
  invoice: required(text()),
  memo: text(),
  metadata: metadata(),
  out_of_band_amount: integer(0),
  reason: oneOf('duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory'),
  refund_amount: integer(0),
};
const unsupported = names('effective_at email_type lines refunds shipping_cost');
type Given = Parsed<typeof createParams>;

/** Takes an amount off an invoice: off the amount due while it is open, and otherwise back to the customer. */
function issue(unscoped: Scope, given: Given): CreditNote {
  return tentatively(unscoped, (trial) => {
    const invoice = trial.state.invoices.get(given.invoice);
    if (!invoice) throw noSuchReference('invoice', given.invoice, 'invoice');
    const scope = inTimeOf(trial, invoice);
    const amount = amountOf(scope, invoice, given);
    const refunds = invoice.status === 'paid' ? giveBack(scope, invoice, given) : [];
    const note = newCreditNote(scope, invoice, {
      amount,
      memo: given.memo ?? null,
      metadata: mergeMetadata({}, given.metadata),
      outOfBand: given.out_of_band_amount ?? null,
      reason: given.reason ?? null,
      refunds,
    });
    scope.state.creditNotes.insert(note);
    emit(scope, 'credit_note.created', note);
    settle(scope, invoice, note);
    return note;
  });
}

function amountOf(scope: World, invoice: Invoice, given: Given): number {
  const { credit_amount: credit = 0, out_of_band_amount: elsewhere = 0, refund_amount: refund = 0 } = given;
  const parts = credit + elsewhere + refund;
  const amount = given.amount ?? parts;
  const paid = invoice.status === 'paid';
  if (invoice.status !== 'open' && !paid) {
    throw notAllowed('A credit note is for an invoice that is open or paid.', 'invoice_not_editable');
  }
  if (paid ? parts !== amount : parts > 0) {
    throw new InvalidParameter(
      'The sum of credit_amount, refund_amount and out_of_band_amount must be the amount of a paid invoice that is credited, and 0 for an open one.',
      'amount',
    );
  }
  const most = paid ? invoice.amount_paid - credited(scope, invoice) : invoice.amount_remaining;
  if (amount < 1 || amount > most) {
    throw new InvalidParameter(`The amount must be from 1 to ${most}.`, 'amount');
  }
  return amount;
}

function credited({ state }: World, { id }: Invoice): number {
  const issued = state.creditNotes.where((row) => row.invoice === id && row.status === 'issued');
  return issued.reduce((sum, { post_payment_amount: amount }) => sum + amount, 0);
}

function giveBack(scope: Scope, invoice: Invoice, given: Given): CreditNote['refunds'] {
  const { credit_amount: credit = 0, refund_amount: amount = 0 } = given;
  if (credit > 0) {
    const customer = customerOf(scope, invoice);
    update(scope, 'customer.updated', customer, { balance: customer.balance - credit });
  }
  if (amount === 0) return [];
  const charge = chargeOf(scope, invoice);
  if (!charge) throw notAllowed('This invoice was not paid by a charge that could be refunded.');
  const refund = refundCharge(scope, charge, { amount, metadata: {}, reason: null });
  return [{ amount_refunded: amount, payment_record_refund: null, refund: refund.id, type: 'refund' }];
}

function settle(
  scope: Scope,
  invoice: Invoice,
  { post_payment_amount: post, pre_payment_amount: pre }: CreditNote,
): void {
  const reduced = update(scope, 'invoice.updated', invoice, {
    amount_due: invoice.amount_due - pre,
    amount_remaining: invoice.amount_remaining - pre,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + post,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + pre,
  });
  if (reduced.status === 'open' && reduced.amount_remaining === 0) markPaid(scope, reduced);
}

/** https://docs.stripe.com/api/credit_notes */
export const creditNoteOperations = [
  operation({
    method: 'POST',
    path: LIST.url,
    params: createParams,
    unsupported,
    run: ({ scope, params }) => issue(scope, params),
  }),
  operation({
    method: 'GET',
    path: LIST.url,
    params: { ...pageParams, created: timeRange(), customer: text(), invoice: text() },
    unsupported: ['customer_account'],
    run: ({ scope, params: { created, customer, invoice, ...paging } }) =>
      page(
        scope.state.creditNotes,
        (row) =>
          (created?.(row.created) ?? true) &&
          (customer === undefined || row.customer === customer) &&
          (invoice === undefined || row.invoice === invoice),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/preview`,
    params: createParams,
    unsupported,
    run: ({ scope, params }) => imagine(scope, (copy) => issue(copy, params)),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => requestedNote(scope, id),
  }),
  operation({
    method: 'POST',
    path: `${LIST.url}/:id`,
    params: { memo: text(), metadata: clearable(metadata()) },
    run: ({ scope, id, params: { memo, metadata: patch } }) => {
      const note = requestedNote(scope, id);
      return update(scope, 'credit_note.updated', note, {
        memo: memo ?? note.memo,
        metadata: mergeMetadata(note.metadata ?? {}, patch),
      });
    },
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id/lines`,
    params: pageParams,
    run: ({ scope, id, params }) => {
      const { lines } = requestedNote(scope, id);
      return page(lines.data, () => true, params, { url: lines.url, noun: 'credit_note_line_item' });
    },
  }),
];

function requestedNote({ state }: World, id: string): CreditNote {
  const note = state.creditNotes.get(id);
  if (!note) throw noSuchObject('credit_note', id);
  return note;
}
