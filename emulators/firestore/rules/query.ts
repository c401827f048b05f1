import type * as Rules from '@hearth/security-rules/queries/query';
import type { Filter, Query } from '../query/query.ts';
import { rulesSegments, rulesValue } from './values.ts';

/** A query as rules see it. Cursors are left out: they only narrow the result. */
export function rulesQuery(database: string, query: Query): Rules.Query {
  const { filter, explicitOrders, limit, offset } = query;
  const { parent, collectionId, allDescendants } = query.scope;
  return {
    parent: [...rulesSegments(database), 'documents', ...parent.split('/').filter((id) => id !== '')],
    collectionId,
    allDescendants,
    ...(filter && { where: rulesFilter(filter) }),
    orderBy: explicitOrders.map(({ field, descending }) => ({
      field,
      direction: descending ? 'DESC' : 'ASC',
    })),
    ...(limit !== undefined && { limit }),
    ...(offset > 0 && { offset }),
  };
}

function rulesFilter(filter: Filter): Rules.Filter {
  if (filter.kind !== 'field') return { kind: filter.kind, filters: filter.filters.map(rulesFilter) };
  const { field, op, value } = filter;
  return { kind: 'field', field, operator: op, value: rulesValue(value) };
}
