import { noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { oneOf, text, timeRange } from '../api/params.ts';
import { byId } from '../state.ts';

const LIST = { url: '/v1/invoices', noun: 'invoice' };
/** https://docs.stripe.com/api/invoices */
export const invoiceOperations = [
  operation({
    method: 'GET',
    path: '/v1/invoices',
    params: {
      ...pageParams,
      created: timeRange(),
      customer: text(),
      status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
      subscription: text(),
    },
    unsupported: ['collection_method', 'customer_account', 'due_date'],
    run: ({ scope, params: { created, customer, status, subscription, ...paging } }) =>
      page(
        scope.state.invoices,
        (invoice) =>
          (created?.(invoice.created) ?? true) &&
          (customer === undefined || invoice.customer === customer) &&
          (status === undefined || invoice.status === status) &&
          (subscription === undefined || invoice.parent?.subscription_details?.subscription === subscription),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/invoices/:id',
    params: {},
    run: ({ scope, id }) => {
      const invoice = byId(scope.state.invoices, id);
      if (!invoice) throw noSuchObject('invoice', id);
      return invoice;
    },
  }),
];
