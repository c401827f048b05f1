const CHUNK = 512;

/**
 * A sorted set kept as a list of short sorted arrays, so that inserting among 100,000 entries moves a few hundred of
 * them. Entries are distinct under `compare`.
 */
export class SortedList<T> {
  readonly #compare: (left: T, right: T) => number;
  #chunks: T[][] = [];
  #size = 0;

  constructor(compare: (left: T, right: T) => number) {
    this.#compare = compare;
  }

  /** A list of entries that are in order and distinct already; much faster than adding them one by one. */
  static fromSorted<T>(compare: (left: T, right: T) => number, entries: readonly T[]): SortedList<T> {
    const list = new SortedList<T>(compare);
    for (let start = 0; start < entries.length; start += CHUNK) {
      list.#chunks.push(entries.slice(start, start + CHUNK));
    }
    list.#size = entries.length;
    return list;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds the entry unless an equal one is there. */
  add(entry: T): void {
    const at = this.#chunkOf(entry);
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#chunks.push([entry]);
      this.#size++;
      return;
    }
    const index = this.#lowerBound(chunk, entry);
    const found = chunk[index];
    if (found !== undefined && this.#compare(found, entry) === 0) return;
    chunk.splice(index, 0, entry);
    this.#size++;
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2));
  }

  delete(entry: T): void {
    const at = this.#chunkOf(entry);
    const chunk = this.#chunks[at];
    if (!chunk) return;
    const index = this.#lowerBound(chunk, entry);
    const found = chunk[index];
    if (found === undefined || this.#compare(found, entry) !== 0) return;
    chunk.splice(index, 1);
    this.#size--;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Entries in order, from the first that is not before `start`. */
  from(start?: T): Generator<T> {
    return this.seek((entry) => start !== undefined && this.#compare(entry, start) < 0);
  }

  /** Entries in order, from the first for which `isBefore` is false. All entries for which it is true come first. */
  *seek(isBefore: (entry: T) => boolean): Generator<T> {
    const first = lowerBound(this.#chunks, (chunk) => isBefore(chunk.at(-1) as T));
    for (let at = first; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      const index = at === first ? lowerBound(chunk, isBefore) : 0;
      for (let position = index; position < chunk.length; position++) yield chunk[position] as T;
    }
  }

  /** The chunk for the entry: the first whose last entry is not before it, else the last one. */
  #chunkOf(entry: T): number {
    const at = lowerBound(this.#chunks, (chunk) => this.#compare(chunk.at(-1) as T, entry) < 0);
    return Math.max(0, Math.min(at, this.#chunks.length - 1));
  }

  #lowerBound(chunk: readonly T[], entry: T): number {
    return lowerBound(chunk, (other) => this.#compare(other, entry) < 0);
  }
}

/** The index of the first item for which `isBefore` is false, by bisection. */
function lowerBound<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
