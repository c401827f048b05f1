import { noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { text, timeRange } from '../api/parameters/params.ts';
import { searchOperation } from '../api/search-operation.ts';

const LIST = { url: '/v1/charges', noun: 'charge' };

/** https://docs.stripe.com/api/charges */
export const chargeOperations = [
  operation({
    method: 'GET',
    path: LIST.url,
    params: { ...pageParams, created: timeRange(), customer: text(), payment_intent: text() },
    unsupported: ['transfer_group'],
    run: ({ scope, params: { created, customer, payment_intent: intent, ...paging } }) =>
      page(
        scope.state.charges,
        (charge) =>
          (created?.(charge.created) ?? true) &&
          (customer === undefined || charge.customer === customer) &&
          (intent === undefined || charge.payment_intent === intent),
        paging,
        LIST,
      ),
  }),
  searchOperation(
    LIST.url,
    ['amount', 'created', 'currency', 'customer', 'metadata', 'status'],
    ({ charges }) => charges,
  ),
  operation({
    method: 'GET',
    path: `${LIST.url}/:id`,
    params: {},
    run: ({ scope, id }) => {
      const charge = scope.state.charges.get(id);
      if (!charge) throw noSuchObject('charge', id);
      return charge;
    },
  }),
];
