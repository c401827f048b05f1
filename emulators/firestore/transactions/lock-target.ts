import { parentOf } from '../model/paths.ts';
import { compareDocuments } from '../query/order.ts';
import type { Query } from '../query/query.ts';
import { matchesQuery } from '../query/run.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';
import { inScope } from '../storage/scope.ts';
import type { Scope } from '../storage/scope.ts';

/** The part of a query's order that a transaction has seen. */
export interface RangeLock {
  readonly query: Query;
  /** Where a limit ended the scan; undefined when it ran to the query's end. */
  readonly last: StoredDocument | undefined;
}

/** The locks of a read: documents, present or not, and ranges of queries, so that no phantom enters them. */
export interface LockTarget {
  readonly documents: Iterable<string>;
  readonly ranges: readonly RangeLock[];
}

/** The shared locks that a transaction holds. */
export class LockSet {
  readonly documents = new Set<string>();
  readonly ranges: RangeLock[] = [];

  add({ documents, ranges }: LockTarget): void {
    for (const path of documents) this.documents.add(path);
    this.ranges.push(...ranges);
  }

  get isEmpty(): boolean {
    return this.documents.size === 0 && this.ranges.length === 0;
  }

  copy(): LockSet {
    const copy = new LockSet();
    copy.add(this);
    return copy;
  }

  covers({ documents, ranges }: LockTarget): boolean {
    return ranges.length === 0 && [...documents].every((path) => this.documents.has(path));
  }
}

/** Whether a commit would change what the locks protect. */
export const conflicts = (
  database: string,
  locks: Pick<LockSet, 'documents' | 'ranges'>,
  changes: readonly DocumentChange[],
): boolean =>
  changes.some(
    ({ path, before, after }) =>
      locks.documents.has(path) ||
      locks.ranges.some((range) => inRange(database, range, before) || inRange(database, range, after)),
  );

function inRange(
  database: string,
  { query, last }: RangeLock,
  document: StoredDocument | undefined,
): boolean {
  if (!document || !matchesQuery(database, query, document)) return false;
  return last === undefined || compareDocuments(query.orders, document, last) <= 0;
}

/** Whether two reads may see a common document. A range counts as its whole collection. */
export function overlaps(left: LockTarget, right: LockTarget): boolean {
  const documents = new Set(left.documents);
  for (const path of right.documents) {
    if (documents.has(path) || left.ranges.some(({ query }) => holds(query.scope, path))) return true;
  }
  for (const { query } of right.ranges) {
    for (const path of documents) if (holds(query.scope, path)) return true;
    if (left.ranges.some((range) => scopesMeet(range.query.scope, query.scope))) return true;
  }
  return false;
}

const holds = (scope: Scope, path: string): boolean => inScope(parentOf(path), scope);

function scopesMeet(left: Scope, right: Scope): boolean {
  const sameId =
    left.collectionId === undefined ||
    right.collectionId === undefined ||
    left.collectionId === right.collectionId;
  return sameId && (left.allDescendants || right.allDescendants || left.parent === right.parent);
}
