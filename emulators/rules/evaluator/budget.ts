import { LimitError } from '../errors.ts';
import { MAX_EXPRESSIONS } from '../limits.ts';

/** Counts the expressions that a request evaluates; throws a LimitError beyond the limit. */
export class Budget {
  #used = 0;

  spend(count: number): void {
    this.#used += count;
    if (this.#used > MAX_EXPRESSIONS) {
      throw new LimitError(
        `Unable to evaluate the expression as the maximum of ${MAX_EXPRESSIONS} expressions to evaluate has been reached.`,
      );
    }
  }
}
