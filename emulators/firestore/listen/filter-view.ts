import type { Query } from '../query/query.ts';
import { matchesQuery, runQuery } from '../query/run.ts';
import type { Database } from '../storage/database.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';
import type { TargetView, ViewChange } from './target-view.ts';

/** A query without limit or offset. Each document matches independently of the others, so no state is kept. */
export class FilterView implements TargetView {
  readonly #database: Database;
  readonly #query: Query;

  constructor(database: Database, query: Query) {
    this.#database = database;
    this.#query = query;
  }

  open(): readonly StoredDocument[] {
    return runQuery(this.#database, this.#query).documents;
  }

  at(readTime: number): readonly StoredDocument[] {
    return runQuery(this.#database, this.#query, readTime).documents;
  }

  missing(): readonly string[] {
    return [];
  }

  changesBy(changes: readonly DocumentChange[]): readonly ViewChange[] {
    return changes.flatMap(({ path, before, after }) => {
      const inView = this.#matches(after);
      return inView || this.#matches(before) ? [{ path, document: after, inView }] : [];
    });
  }

  #matches(document: StoredDocument | undefined): boolean {
    return document !== undefined && matchesQuery(this.#database.name, this.#query, document);
  }
}
