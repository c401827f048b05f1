/** A change that is not final yet. */
export interface Change {
  /** Makes the change final, unless it is part of another change that is undone. */
  commit: () => void;
  /** Undoes everything since the change began. */
  rollBack: () => void;
}

/** Remembers how to undo each write while a change is open. Changes nest: the inner one ends first. */
export class Journal {
  readonly #steps: (() => void)[] = [];
  #open = 0;

  begin(): Change {
    const start = this.#steps.length;
    this.#open += 1;
    return {
      commit: () => {
        this.#end();
      },
      rollBack: () => {
        for (const undo of this.#steps.splice(start).reverse()) undo();
        this.#end();
      },
    };
  }

  /** Remembers how to undo a write that was just made. */
  record(undo: () => void): void {
    if (this.#open > 0) this.#steps.push(undo);
  }

  #end(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#steps.length = 0;
  }
}
