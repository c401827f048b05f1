import { parentOf } from '../model/paths.ts';
import type { Database } from '../storage/database.ts';
import type { StoredDocument } from '../storage/document.ts';
import { inScope } from '../storage/scope.ts';
import { matchesFilter } from './filter.ts';
import { nearestOf } from './nearest.ts';
import { compareDocuments, hasOrderedFields, isAfterStart, isBeforeEnd } from './order.ts';
import { planScans } from './plan.ts';
import type { Scan } from './plan.ts';
import { isNameField } from './query.ts';
import type { Query } from './query.ts';

export interface QueryResult {
  readonly documents: readonly StoredDocument[];
  /** How many documents the offset passed over. */
  readonly skipped: number;
}

/** Runs the query on the current state, or on the state at `readTime` (microseconds). */
export function runQuery(database: Database, query: Query, readTime?: number): QueryResult {
  const wanted = query.limit === undefined ? Infinity : query.offset + query.limit;
  const current = readTime === undefined || database.isCurrent(readTime);
  const scans = current ? planScans(database, query) : undefined;
  const matching = scans
    ? matchesIn(database, query, scans, wanted)
    : matchesOfAll(database, query, readTime);
  if (query.nearest) return { documents: nearestOf(query.nearest, matching), skipped: 0 };
  return {
    documents: matching.slice(query.offset, wanted),
    skipped: Math.min(query.offset, matching.length),
  };
}

/** At least the wanted number of first matches. Each scan is in order. A document may be in several scans. */
function matchesIn(
  database: Database,
  query: Query,
  scans: readonly Scan[],
  wanted: number,
): readonly StoredDocument[] {
  const found = new Map<string, StoredDocument>();
  for (const scan of scans) {
    let matches = 0;
    for (const document of scan) {
      if (matches >= wanted) break;
      if (!matchesQuery(database.name, query, document)) continue;
      matches++;
      found.set(document.path, document);
    }
  }
  const matching = [...found.values()];
  return scans.length === 1 ? matching : sorted(query, matching);
}

function matchesOfAll(database: Database, query: Query, readTime?: number): readonly StoredDocument[] {
  const matching: StoredDocument[] = [];
  for (const document of database.scan(query.scope, readTime)) {
    if (matchesBounds(database.name, query, document)) matching.push(document);
  }
  return scansInOrder(query) ? matching : sorted(query, matching);
}

const sorted = ({ orders }: Query, documents: StoredDocument[]): readonly StoredDocument[] =>
  documents.sort((left, right) => compareDocuments(orders, left, right));

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
