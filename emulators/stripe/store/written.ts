/** Remembers which rows were written, so that not all rows have to be looked at after each write. */
export class Written {
  #ids = new Set<string>();
  #isAny = true;

  /** @param id undefined if the write may concern any row */
  note(id?: string): void {
    if (id === undefined) this.#isAny = true;
    else this.#ids.add(id);
  }

  /** @returns the ids noted since the last call; undefined if any row may have been written */
  take(): ReadonlySet<string> | undefined {
    const ids = this.#isAny ? undefined : this.#ids;
    this.#ids = new Set();
    this.#isAny = false;
    return ids;
  }
}
