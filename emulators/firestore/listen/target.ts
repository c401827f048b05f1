import { invalidArgument } from '../errors.ts';
import type { FieldPath } from '../model/field-path.ts';
import { parseDocumentName, parseParent } from '../model/paths.ts';
import type { IndexPolicy } from '../query/indexes/policy.ts';
import { parseQuery } from '../query/parsing/query.ts';
import { assertListenable } from '../query/parsing/restrictions.ts';
import { isNameField } from '../query/query.ts';
import type { Query } from '../query/query.ts';
import type { Guard } from '../rules/guard.ts';
import type { Snapshot } from '../rules/snapshot.ts';
import type { Database } from '../storage/database.ts';
import type { WireTarget } from '../wire/messages.ts';
import { DocumentsView } from './documents-view.ts';
import { FilterView } from './filter-view.ts';
import type { TargetView } from './target-view.ts';
import { WindowView } from './window-view.ts';

/** One thing that a stream listens to. */
export interface Target {
  readonly id: number;
  readonly view: TargetView;
  readonly billing: 'lookup' | 'query';
  /** The fields that a query selects; undefined for whole documents. */
  readonly mask: readonly FieldPath[] | undefined;
  /** Evaluates the rules. Rejects with PERMISSION_DENIED, or resolves with the state that the rules read. */
  evaluateBy(guard: Guard): Promise<Snapshot>;
}

/** Reads a Target message. Throws INVALID_ARGUMENT, or FAILED_PRECONDITION if an index is missing. */
export function openTarget(
  wire: WireTarget,
  id: number,
  database: Database,
  indexes: IndexPolicy | undefined,
): Target {
  if (wire.documents) {
    const paths = (wire.documents.documents ?? []).map((name) => pathIn(database, name));
    return {
      id,
      view: new DocumentsView(database, paths),
      billing: 'lookup',
      mask: undefined,
      evaluateBy: (guard) => guard.get(database, paths, database.readTime()),
    };
  }
  if (!wire.query) throw invalidArgument('A target must name documents or a query.');
  const parent = parseParent(wire.query.parent ?? '');
  assertInDatabase(database, parent.database, wire.query.parent ?? '');
  const query = parseQuery(wire.query.structuredQuery ?? {}, parent);
  assertListenable(query);
  indexes?.assertServed(query);
  const mask = query.projection?.filter((field) => !isNameField(field));
  return {
    id,
    view: viewOf(database, query),
    billing: 'query',
    mask,
    evaluateBy: (guard) => guard.list(database, query, database.readTime()),
  };
}

function viewOf(database: Database, query: Query): TargetView {
  const isWindow = query.limit !== undefined || query.offset > 0;
  return isWindow ? new WindowView(database, query) : new FilterView(database, query);
}

function pathIn(database: Database, name: string): string {
  const resource = parseDocumentName(name);
  assertInDatabase(database, resource.database, name);
  return resource.path;
}

function assertInDatabase(database: Database, named: string, name: string): void {
  if (named === database.name) return;
  throw invalidArgument(`"${name}" is not in the database "${database.name}" of the stream.`);
}
