import { paymentError, noSuchObject, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { operation } from '../../api/operation.ts';
import { flag, oneOf, text, timeRange } from '../../api/parameters/params.ts';
import { searchOperation } from '../../api/search-operation.ts';
import { collect, finalizeAndCollect, markPaid } from '../../billing/invoices/collect.ts';
import { finalize, markUncollectible, subscriptionOf, voidInvoice } from '../../billing/invoices/invoices.ts';
import { markResumed } from '../../billing/subscriptions/payment-outcome.ts';
import { expirePendingUpdate, isPendingInvoice } from '../../billing/subscriptions/pending-update.ts';
import { expireIncomplete } from '../../billing/subscriptions/starting.ts';
import type { Invoice } from '../../objects.ts';
import { debitUnderWay } from '../../payments/debits.ts';
import { inTimeOf, update } from '../../world.ts';
import type { Scope, World } from '../../world.ts';
import { referencedMethod } from '../customers/payment-methods.ts';
import { attachPaymentOperation } from './attach-payment.ts';
import { previewOperation } from './invoice-preview.ts';
import { changeInvoice, invoiceParams, unsupportedInvoiceParams } from './invoice-update.ts';

const LIST = { url: '/v1/invoices', noun: 'invoice' };

interface Paying {
  method: string | undefined;
  elsewhere: boolean;
}

/** Pays an invoice now. A declined payment is an error, and its consequences are stored. */
function pay(scope: Scope, given: Invoice, { method, elsewhere }: Paying): Invoice {
  assertStatus(given, ['draft', 'open', 'uncollectible'], 'paid');
  const invoice = given.status === 'draft' ? finalize(scope, given) : given;
  if (elsewhere) return markPaid(scope, invoice);
  if (debitUnderWay(scope, invoice)) throw notAllowed('The payment of this invoice is processing.');
  const card =
    method === undefined
      ? {}
      : { method: referencedMethod(scope, method, { id: invoice.customer }, 'payment_method') };
  const failure = collect(scope, invoice, { ...card, asked: true });
  if (failure) throw paymentError(failure);
  return scope.state.invoices.latest(invoice);
}

function assertStatus(invoice: Invoice, allowed: string[], verb: string): void {
  if (invoice.status === 'paid' && verb === 'paid') throw notAllowed('Invoice is already paid');
  if (!allowed.includes(invoice.status ?? '')) {
    throw notAllowed(
      `An invoice that is ${String(invoice.status)} cannot be ${verb}.`,
      'invoice_not_editable',
    );
  }
}

/** https://docs.stripe.com/api/invoices */
export const invoiceOperations = [
  previewOperation,
  attachPaymentOperation,
  operation({
    method: 'GET',
    path: '/v1/invoices',
    params: {
      ...pageParams,
      collection_method: oneOf('charge_automatically', 'send_invoice'),
      created: timeRange(),
      customer: text(),
      status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
      subscription: text(),
    },
    unsupported: ['customer_account', 'due_date'],
    run: ({
      scope,
      params: { collection_method: method, created, customer, status, subscription, ...paging },
    }) =>
      page(
        scope.state.invoices,
        (invoice) =>
          (created?.(invoice.created) ?? true) &&
          (customer === undefined || invoice.customer === customer) &&
          (method === undefined || invoice.collection_method === method) &&
          (status === undefined || invoice.status === status) &&
          (subscription === undefined || invoice.parent?.subscription_details?.subscription === subscription),
        paging,
        LIST,
      ),
  }),
  searchOperation(
    LIST.url,
    ['created', 'currency', 'customer', 'metadata', 'number', 'status', 'total'],
    (state) => state.invoices,
  ),
  operation({
    method: 'GET',
    path: '/v1/invoices/:id',
    params: {},
    run: ({ scope, id }) => requestedInvoice(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/invoices/:id',
    params: invoiceParams,
    unsupported: unsupportedInvoiceParams,
    run: ({ scope, id, params }) => {
      const invoice = requestedInvoice(scope, id);
      return changeInvoice(inTimeOf(scope, invoice), invoice, params);
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/invoices/:id/lines',
    params: pageParams,
    run: ({ scope, id, params }) => {
      const { lines } = scope.state.previewLines.get(id) ?? requestedInvoice(scope, id);
      return page(lines.data.toReversed(), () => true, params, { url: lines.url, noun: 'line_item' });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    params: { paid_out_of_band: flag(), payment_method: text() },
    unsupported: ['forgive', 'mandate', 'off_session', 'source'],
    run: ({ scope, id, params }) => {
      const invoice = requestedInvoice(scope, id);
      return pay(inTimeOf(scope, invoice), invoice, {
        method: params.payment_method,
        elsewhere: params.paid_out_of_band ?? false,
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    params: { auto_advance: flag() },
    run: ({ scope, id, params: { auto_advance: advance } }) => {
      const invoice = requestedInvoice(scope, id);
      assertStatus(invoice, ['draft'], 'finalized');
      const { invoices } = scope.state;
      const draft = invoices.patch(id, { auto_advance: advance ?? invoice.auto_advance });
      const local = inTimeOf(scope, draft);
      if (!draft.auto_advance) return finalize(local, draft);
      finalizeAndCollect(local, draft);
      return invoices.latest(draft);
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/invoices/:id/void',
    params: {},
    run: ({ scope, id }) => {
      const invoice = requestedInvoice(scope, id);
      assertStatus(invoice, ['open', 'uncollectible'], 'voided');
      const local = inTimeOf(scope, invoice);
      const closed = voidInvoice(local, invoice);
      afterVoid(local, closed);
      return closed;
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    params: {},
    run: ({ scope, id }) => {
      const invoice = requestedInvoice(scope, id);
      assertStatus(invoice, ['draft', 'open'], 'marked uncollectible');
      const local = inTimeOf(scope, invoice);
      if (invoice.status === 'draft') finalize(local, invoice);
      const closed = markUncollectible(local, invoice);
      afterGivingUp(local, closed);
      return closed;
    },
  }),
];

/** A subscription that waits for its resumption's invoice is resumed. */
function afterGivingUp(scope: Scope, invoice: Invoice): void {
  const subscription = subscriptionOf(scope, invoice);
  if (subscription?.status === 'paused' && subscription.latest_invoice === invoice.id)
    markResumed(scope, subscription, 'active');
}

/**
 * Voiding the latest invoice settles the debt of a subscription. Voiding the first invoice ends a subscription that
 * never began.
 */
function afterVoid(scope: Scope, invoice: Invoice): void {
  for (const subscription of scope.state.subscriptions) {
    if (subscription.latest_invoice !== invoice.id) continue;
    if (isPendingInvoice(scope, invoice)) {
      expirePendingUpdate(scope, subscription);
      continue;
    }
    if (subscription.status === 'incomplete') expireIncomplete(scope, subscription);
    else if (['past_due', 'unpaid'].includes(subscription.status)) {
      update(scope, 'customer.subscription.updated', subscription, { status: 'active' });
    }
  }
}

function requestedInvoice({ state }: World, id: string): Invoice {
  const invoice = state.invoices.get(id);
  if (!invoice) throw noSuchObject('invoice', id);
  return invoice;
}
