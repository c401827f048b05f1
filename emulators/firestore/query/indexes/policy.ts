import { readFileSync, statSync } from 'node:fs';
import { failedPrecondition } from '../../errors.ts';
import { formatFieldPath } from '../../model/field-path.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { disjunctiveForm } from '../normal-form.ts';
import type { Query } from '../query.ts';
import { parseIndexes } from './catalog.ts';
import type { CompositeIndex, IndexCatalog, QueryScope } from './catalog.ts';
import { isServed, needOf, suggestedFields } from './need.ts';
import type { IndexNeed } from './need.ts';

/** Refuses the queries that production would refuse for want of an index. */
export class IndexPolicy {
  readonly #file: string;
  #readAt: number | undefined;
  #catalog: IndexCatalog;

  /** `file` is a firestore.indexes.json. Throws when it cannot be read. */
  constructor(file: string) {
    this.#file = file;
    this.#catalog = this.#read();
  }

  /**
   * Throws FAILED_PRECONDITION unless deployed indexes serve the query, together with the fields that it sums or
   * averages. The file is read again when it changed since.
   */
  assertServed(query: Query, aggregated: readonly FieldPath[] = []): void {
    if (!this.#missing(query, aggregated)) return;
    if (statSync(this.#file).mtimeMs !== this.#readAt) this.#catalog = this.#read();
    const missing = this.#missing(query, aggregated);
    if (missing) throw failedPrecondition(missing);
  }

  #read(): IndexCatalog {
    this.#readAt = statSync(this.#file).mtimeMs;
    try {
      return parseIndexes(readFileSync(this.#file, 'utf8'));
    } catch (error) {
      throw new Error(`${this.#file} is no valid index file: ${String(error)}`, { cause: error });
    }
  }

  /** The message for the first alternative of the query that no index serves. */
  #missing(query: Query, aggregated: readonly FieldPath[]): string | undefined {
    const { collectionId, allDescendants } = query.scope;
    // Vector indexes are not checked.
    if (collectionId === undefined || query.nearest) return undefined;
    const queryScope = allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION';
    for (const conjunction of disjunctiveForm(query.filter) ?? []) {
      const need = needOf(query, conjunction, aggregated.map(formatFieldPath));
      if (need && !isServed(need, this.#catalog.indexesOf(collectionId, queryScope, need.paths))) {
        return messageFor(collectionId, queryScope, need);
      }
    }
    return undefined;
  }
}

const SHORT = { ASCENDING: 'ASC', DESCENDING: 'DESC', CONTAINS: 'CONTAINS' } as const;

function messageFor(collectionGroup: string, queryScope: QueryScope, need: IndexNeed): string {
  const fields = suggestedFields(need);
  const [only] = fields;
  if (fields.length === 1 && only) {
    return (
      `The query requires a ${queryScope}_${SHORT[only.mode]} index for collection ${collectionGroup} and field ` +
      `${only.path}. You can create it here: "fieldOverrides" in firestore.indexes.json.`
    );
  }
  return (
    'The query requires an index. You can create it here: "indexes" in firestore.indexes.json, by adding ' +
    JSON.stringify(asFile({ collectionGroup, queryScope, fields }))
  );
}

const asFile = ({ fields, ...index }: CompositeIndex): object => ({
  ...index,
  fields: fields.map(({ path, mode }) =>
    mode === 'CONTAINS' ? { fieldPath: path, arrayConfig: mode } : { fieldPath: path, order: mode },
  ),
});
