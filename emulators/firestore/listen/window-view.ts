import type { Query } from '../query/query.ts';
import { matchesQuery, runQuery } from '../query/run.ts';
import type { Database } from '../storage/database.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';
import { difference } from './target-view.ts';
import type { TargetView, ViewChange } from './target-view.ts';

/** A query with a limit or offset: when one document leaves, another comes in, so the result is kept and compared. */
export class WindowView implements TargetView {
  readonly #database: Database;
  readonly #query: Query;
  #window: readonly StoredDocument[] = [];

  constructor(database: Database, query: Query) {
    this.#database = database;
    this.#query = query;
  }

  open(): readonly StoredDocument[] {
    this.#window = runQuery(this.#database, this.#query).documents;
    return this.#window;
  }

  at(readTime: number): readonly StoredDocument[] {
    return runQuery(this.#database, this.#query, readTime).documents;
  }

  missing(): readonly string[] {
    return [];
  }

  changesBy(changes: readonly DocumentChange[]): readonly ViewChange[] {
    if (!changes.some(({ before, after }) => this.#matches(before) || this.#matches(after))) return [];
    const earlier = this.#window;
    return difference(earlier, this.open(), (path) => this.#database.get(path));
  }

  #matches(document: StoredDocument | undefined): boolean {
    return document !== undefined && matchesQuery(this.#database.name, this.#query, document);
  }
}
