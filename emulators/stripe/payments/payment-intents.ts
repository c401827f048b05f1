import { noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { text, timeRange } from '../api/parameters/params.ts';
import { searchOperation } from '../api/search-operation.ts';
import { confirmedPaymentOperation } from './confirmed-payment.ts';

const LIST = { url: '/v1/payment_intents', noun: 'payment_intent' };

/** The payments of checkouts and invoices, and of saved cards; https://docs.stripe.com/api/payment_intents. */
export const paymentIntentOperations = [
  confirmedPaymentOperation,
  operation({
    method: 'GET',
    path: LIST.url,
    params: { ...pageParams, created: timeRange(), customer: text() },
    unsupported: ['customer_account'],
    run: ({ scope, params: { created, customer, ...paging } }) =>
      page(
        scope.state.paymentIntents,
        (intent) =>
          (created?.(intent.created) ?? true) && (customer === undefined || intent.customer === customer),
        paging,
        LIST,
      ),
  }),
  searchOperation(
    LIST.url,
    ['amount', 'created', 'currency', 'customer', 'metadata', 'status'],
    ({ paymentIntents }) => paymentIntents,
  ),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    unsupported: ['client_secret'],
    run: ({ scope, id }) => {
      const intent = scope.state.paymentIntents.get(id);
      if (!intent) throw noSuchObject('payment_intent', id);
      return intent;
    },
  }),
];
