import { parentOf } from '../model/paths.ts';
import { inScope } from '../storage/database.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import { matchesFilter } from './filter.ts';
import { compareDocuments, hasOrderedFields, isAfterStart, isBeforeEnd } from './order.ts';
import { isNameField } from './query.ts';
import type { Query } from './query.ts';

export interface QueryResult {
  readonly documents: readonly StoredDocument[];
  /** How many documents the offset passed over. */
  readonly skipped: number;
}

/** Runs the query on the current state, or on the state at `readTime` (microseconds). */
export function runQuery(database: Database, query: Query, readTime?: number): QueryResult {
  const candidates = database.scan(query.scope, readTime);
  const wanted = query.limit === undefined ? Infinity : query.offset + query.limit;
  const matching: StoredDocument[] = [];
  const sorted = scansInOrder(query);
  for (const document of candidates) {
    if (sorted && matching.length >= wanted) break;
    if (matchesBounds(database.name, query, document)) matching.push(document);
  }
  if (!sorted) matching.sort((left, right) => compareDocuments(query.orders, left, right));
  const window = matching.slice(query.offset, wanted);
  return { documents: window, skipped: Math.min(query.offset, matching.length) };
}

/** Whether the document is in the query's result before offset and limit. */
export const matchesQuery = (database: string, query: Query, document: StoredDocument): boolean =>
  inScope(parentOf(document.path), query.scope) && matchesBounds(database, query, document);

function matchesBounds(
  database: string,
  { filter, orders, start, end }: Query,
  document: StoredDocument,
): boolean {
  return (
    (!filter || matchesFilter(database, filter, document)) &&
    hasOrderedFields(orders, document) &&
    (!start || isAfterStart(database, orders, start, document)) &&
    (!end || isBeforeEnd(database, orders, end, document))
  );
}

/** A single collection is scanned by document id. */
function scansInOrder({ scope, orders }: Query): boolean {
  const [first] = orders;
  const byName = first !== undefined && isNameField(first.field) && !first.descending;
  return byName && !scope.allDescendants && scope.collectionId !== undefined;
}
