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
  *from(start?: T): Generator<T> {
    const first = start === undefined ? 0 : this.#chunkOf(start);
    for (let at = first; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      const index = start !== undefined && at === first ? this.#lowerBound(chunk, start) : 0;
      for (let position = index; position < chunk.length; position++) yield chunk[position] as T;
    }
  }

  /** The chunk that holds or would take the entry: the first whose last entry is not before it, else the last one. */
  #chunkOf(entry: T): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last !== undefined && this.#compare(last, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lowerBound(chunk: readonly T[], entry: T): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(chunk[middle] as T, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
