import type { Store } from '../store/store.ts';
import { operation } from './operation.ts';
import type { Operation } from './operation.ts';
import { compileSearch, searchPage, searchParams } from './search.ts';

/**
 * A search by Stripe's query language (https://docs.stripe.com/search).
 * @param fields the properties that may be searched
 */
export function searchOperation(
  collection: string,
  fields: readonly string[],
  rows: (state: Store) => Iterable<object>,
): Operation {
  const path = `${collection}/search`;
  return operation({
    method: 'GET',
    path,
    params: searchParams,
    run: ({ scope: { state }, params: { query, limit, page } }) => {
      const matches = compileSearch(query, fields);
      const found = [...rows(state)].filter((row) => matches({ ...row }));
      return searchPage(found, { limit, page }, path);
    },
  });
}
