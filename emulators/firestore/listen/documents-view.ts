import type { Database } from '../storage/database.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';
import type { TargetView, ViewChange } from './target-view.ts';

/** Documents by name. */
export class DocumentsView implements TargetView {
  readonly #database: Database;
  readonly #paths: ReadonlySet<string>;

  constructor(database: Database, paths: readonly string[]) {
    this.#database = database;
    this.#paths = new Set(paths);
  }

  open(): readonly StoredDocument[] {
    return [...this.#paths].flatMap((path) => this.#database.get(path) ?? []);
  }

  at(readTime: number): readonly StoredDocument[] {
    return [...this.#paths].flatMap((path) => this.#database.get(path, readTime) ?? []);
  }

  missing(): readonly string[] {
    return [...this.#paths].filter((path) => !this.#database.get(path));
  }

  changesBy(changes: readonly DocumentChange[]): readonly ViewChange[] {
    return changes
      .filter(({ path }) => this.#paths.has(path))
      .map(({ path, after }) => ({ path, document: after, inView: after !== undefined }));
  }
}
