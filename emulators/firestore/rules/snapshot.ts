import type { Database } from '../storage/database.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';

/**
 * The state of a database at one time, as far as the rules read it. It remembers the documents that were read, so
 * that `isCurrent` can compare them later.
 */
export class Snapshot {
  readonly #database: Database;
  readonly #time: number;
  readonly #seen = new Map<string, StoredDocument | undefined>();

  /** `time` is in microseconds since the epoch. */
  constructor(database: Database, time: number) {
    this.#database = database;
    this.#time = time;
  }

  /** `projects/P/databases/D` */
  get name(): string {
    return this.#database.name;
  }

  get(path: string): StoredDocument | undefined {
    if (!this.#seen.has(path)) this.#seen.set(path, this.#database.get(path, this.#time));
    return this.#seen.get(path);
  }

  /** Whether every document that was read is unchanged. */
  isCurrent(): boolean {
    return [...this.#seen].every(([path, document]) => this.#database.get(path) === document);
  }

  /** Whether a document that was read is among the changed ones. */
  isTouchedBy(changes: readonly DocumentChange[]): boolean {
    return changes.some(({ path }) => this.#seen.has(path));
  }
}
