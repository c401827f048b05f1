/** The time of the local Stripe: a source, and how far it was advanced beyond it. */
export class Clock {
  readonly #source: () => Date;
  #ahead = 0;

  constructor(source: () => Date) {
    this.#source = source;
  }

  /** Seconds since 1970. */
  now(): number {
    return Math.floor(this.#source().getTime() / 1000) + this.#ahead;
  }

  /** Goes on from `seconds` since 1970; a time that has passed changes nothing and answers false. */
  advanceTo(seconds: number): boolean {
    if (seconds < this.now()) return false;
    this.#ahead += seconds - this.now();
    return true;
  }

  /** Back to the source's own time. */
  reset(): void {
    this.#ahead = 0;
  }
}
