import type { Database } from '../storage/database.ts';
import type { DocumentChange, StoredDocument } from '../storage/document.ts';

/**
 * The state of a database at one time, as far as a judgement looked at it. It remembers what it was asked for, so that
 * whoever acts on the judgement later can tell whether it still holds.
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

  /** Whether every document that was looked at is still the same. */
  isCurrent(): boolean {
    return [...this.#seen].every(([path, document]) => this.#database.get(path) === document);
  }

  /** Whether a document that was looked at is among the changed ones. */
  isTouchedBy(changes: readonly DocumentChange[]): boolean {
    return changes.some(({ path }) => this.#seen.has(path));
  }
}
