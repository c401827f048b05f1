import { failedPrecondition, invalidArgument } from '../../errors.ts';
import { formatFieldPath } from '../../model/field-path.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { fieldFiltersOf, isNameField } from '../query.ts';
import type { Query } from '../query.ts';
import { assertCombination } from './combinations.ts';

/** Throws INVALID_ARGUMENT or FAILED_PRECONDITION for a query that no index could serve in production. */
export function assertSupported(query: Query): void {
  assertCombination(query);
  const { parent, collectionId, allDescendants } = query.scope;
  if (collectionId !== undefined && (!allDescendants || parent === '')) return;
  if (usesFields(query)) {
    throw invalidArgument(
      parent === ''
        ? 'kind is required for all filters and orders except __key__ ascending'
        : 'collection group queries are only allowed at the root parent',
    );
  }
  if (!query.orders[0]?.descending) return;
  if (collectionId !== undefined) throw failedPrecondition('The query requires an index.');
  throw invalidArgument('kind is required for all orders except __key__ ascending');
}

/** Throws INVALID_ARGUMENT for a query that can be run but not listened to. */
export function assertListenable({ scope: { parent, collectionId, allDescendants }, nearest }: Query): void {
  if (nearest) throw invalidArgument('Vector search is not supported by real-time queries.');
  if (collectionId === undefined) {
    throw invalidArgument('All-collection queries are not supported by real-time queries.');
  }
  if (!allDescendants || parent === '') return;
  throw invalidArgument(
    "'all_descendants' in CollectionSelector with document parent is not supported by real-time queries.",
  );
}

/** Throws INVALID_ARGUMENT for a query other than a whole collection group in the order of names. */
export function assertPartitionable(query: Query): void {
  const { scope, filter, orders, start, end, limit, offset } = query;
  if (!scope.allDescendants) throw invalidArgument('A partitioned query must select all descendants.');
  const [order] = orders;
  const byName = orders.length === 1 && order !== undefined && isNameField(order.field) && !order.descending;
  if (filter || start || end || limit !== undefined || offset > 0 || !byName) {
    throw invalidArgument(
      'A partitioned query must be ordered by __name__ ascending, without filters, cursors, offset or limit.',
    );
  }
}

/** Throws INVALID_ARGUMENT where the aggregated fields would have to follow the name in an index. */
export function assertAggregable({ scope }: Query, fields: readonly FieldPath[]): void {
  if (fields.length === 0 || !scope.allDescendants || scope.parent === '') return;
  throw invalidArgument(
    `This query requires an index with fields [${fields.map(formatFieldPath).join(', ')}] after __name__ and Firestore ` +
      'does not currently support such an index. Please try the query again with additional ordering on those fields.',
  );
}

const usesFields = ({ filter, orders }: Query): boolean =>
  !orders.every(({ field }) => isNameField(field)) ||
  fieldFiltersOf(filter).some(({ field }) => !isNameField(field));
