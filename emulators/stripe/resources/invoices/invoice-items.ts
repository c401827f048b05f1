import { noSuchObject, notAllowed } from '../../api/errors.ts';
import { page, pageParams } from '../../api/list.ts';
import { operation } from '../../api/operation.ts';
import { flag, text, timeRange } from '../../api/parameters/params.ts';
import type { InvoiceItem } from '../../objects.ts';
import { emit } from '../../world.ts';
import type { World } from '../../world.ts';

const LIST = { url: '/v1/invoiceitems', noun: 'invoiceitem' };

/** Proration items, which wait for an invoice or are on one; https://docs.stripe.com/api/invoiceitems. */
export const invoiceItemOperations = [
  operation({
    method: 'GET',
    path: '/v1/invoiceitems',
    params: { ...pageParams, created: timeRange(), customer: text(), invoice: text(), pending: flag() },
    unsupported: ['customer_account'],
    run: ({ scope, params: { created, customer, invoice, pending, ...paging } }) =>
      page(
        scope.state.invoiceItems,
        (item) =>
          (created?.(item.date) ?? true) &&
          (customer === undefined || item.customer === customer) &&
          (invoice === undefined || item.invoice === invoice) &&
          (pending === undefined || pending === (item.invoice === null)),
        paging,
        LIST,
      ),
  }),
  operation({
    method: 'GET',
    path: '/v1/invoiceitems/:id',
    params: {},
    run: ({ scope, id }) => requestedItem(scope, id),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/invoiceitems/:id',
    params: {},
    run: ({ scope, id }) => {
      const item = requestedItem(scope, id);
      if (item.invoice !== null) throw notAllowed('An item that is on an invoice cannot be deleted.');
      scope.state.invoiceItems.remove(item.id);
      emit(scope, 'invoiceitem.deleted', item);
      return { id, object: 'invoiceitem', deleted: true };
    },
  }),
];

function requestedItem({ state }: World, id: string): InvoiceItem {
  const item = state.invoiceItems.get(id);
  if (!item) throw noSuchObject('invoiceitem', id);
  return item;
}
