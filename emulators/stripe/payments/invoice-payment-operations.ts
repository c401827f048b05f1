import { noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { builtOf, oneOf, required, shape, text, timeRange } from '../api/parameters/params.ts';

const LIST = { url: '/v1/invoice_payments', noun: 'invoice_payment' };

const payment = shape(
  { payment_intent: text(), type: required(builtOf(['payment_intent'], ['payment_record'])) },
  ['payment_record'],
);

/** Connects invoices with payment intents; https://docs.stripe.com/api/invoice-payment. */
export const invoicePaymentOperations = [
  operation({
    method: 'GET',
    path: LIST.url,
    params: {
      ...pageParams,
      created: timeRange(),
      invoice: text(),
      payment,
      status: oneOf('canceled', 'open', 'paid'),
    },
    run: ({ scope, params: { created, invoice, payment: given, status, ...paging } }) =>
      page(
        scope.state.invoicePayments,
        (row) =>
          (created?.(row.created) ?? true) &&
          (invoice === undefined || row.invoice === invoice) &&
          (given?.payment_intent === undefined || row.payment.payment_intent === given.payment_intent) &&
          (status === undefined || row.status === status),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => {
      const row = scope.state.invoicePayments.get(id);
      if (!row) throw noSuchObject('invoice_payment', id);
      return row;
    },
  }),
];
