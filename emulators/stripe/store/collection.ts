import { freeze } from './freeze.ts';
import type { Journal } from './journal.ts';

export interface Row {
  readonly id: string;
}

/** The properties that a patch sets. `undefined` removes an optional property. */
export type Patch<T> = { readonly [K in keyof T]?: T[K] | (undefined extends T[K] ? undefined : never) };

/** Hears of each write. The id is missing if several rows were removed or restored. */
export type WriteListener = (id?: string) => void;

/**
 * Rows of one kind by id, in order of creation. A row never changes: a patch puts a new row in its place, so that a row
 * that was read before shows the past. Rows are frozen, so that changing one in place throws.
 */
export class Collection<T extends Row> implements Iterable<T> {
  #rows = new Map<string, T>();
  readonly #journal: Journal;
  readonly #onWrite: WriteListener;

  constructor(journal: Journal, onWrite: WriteListener = () => undefined) {
    this.#journal = journal;
    this.#onWrite = onWrite;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  /** The row as it is now; the given one if it has been removed. */
  latest(row: T): T {
    return this.#rows.get(row.id) ?? row;
  }

  /** The first row that matches. */
  find(matches: (row: T) => boolean): T | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row;
    return undefined;
  }

  some(matches: (row: T) => boolean): boolean {
    return this.find(matches) !== undefined;
  }

  /** All rows that match, oldest first. */
  where(matches: (row: T) => boolean): T[] {
    return [...this].filter(matches);
  }

  /** All rows, oldest first. Writes during the iteration do not affect it. */
  [Symbol.iterator](): IterableIterator<T> {
    return [...this.#rows.values()].values();
  }

  /** @throws Error if there is a row with this id */
  insert(row: T): T {
    if (this.#rows.has(row.id)) throw new Error(`There is a row with the id ${row.id} already`);
    this.#rows.set(row.id, freeze(row));
    this.#written(row.id, () => this.#rows.delete(row.id));
    return row;
  }

  /** Inserts a row, or replaces the row with this id. */
  put(row: T): T {
    this.remove(row.id);
    return this.insert(row);
  }

  /**
   * Changes some properties of a row.
   * @returns the row as it is now
   * @throws Error if there is no such row
   */
  patch(id: string, changes: Patch<T>): T {
    const before = this.#rows.get(id);
    if (!before) throw new Error(`There is no row with the id ${id}`);
    const after = freeze(withoutUndefined({ ...before, ...changes }));
    this.#rows.set(id, after);
    this.#written(id, () => this.#rows.set(id, before));
    return after;
  }

  /** Removes a row. Idempotent. */
  remove(id: string): void {
    if (this.#rows.has(id)) this.removeWhere((row) => row.id === id);
  }

  /** Removes all rows that match. */
  removeWhere(matches: (row: T) => boolean): void {
    const before = this.#rows;
    this.#rows = new Map([...before].filter(([, row]) => !matches(row)));
    this.#written(undefined, () => (this.#rows = before));
  }

  /** Removes all rows. The journal does not undo it. */
  clear(): void {
    this.#rows = new Map();
    this.#onWrite();
  }

  #written(id: string | undefined, undo: () => void): void {
    this.#onWrite(id);
    this.#journal.record(() => {
      undo();
      this.#onWrite();
    });
  }
}

function withoutUndefined<T extends object>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
}
