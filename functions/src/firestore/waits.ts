import { AsyncLocalStorage } from 'node:async_hooks';

/** The longest times to wait for Firestore, in milliseconds. */
export interface WaitLimits {
  /** For all calls of one HTTP request together. */
  readonly request: number;
  /** For the count of a rate limit, which each instance makes for itself afterwards. */
  readonly rateLimit: number;
  /** For each call outside of requests: in a trigger, task or schedule. */
  readonly call: number;
}

/** Hosting waits 60 seconds for an answer, and the functions with the shortest timeout end after 60 seconds. */
export const WAIT_LIMITS: WaitLimits = { request: 30_000, rateLimit: 5_000, call: 50_000 };

/** Firestore did not answer in time. The code is DEADLINE_EXCEEDED, as from Firestore's client. */
class NoAnswer extends Error {
  readonly code = 4;

  constructor() {
    super('Firestore did not answer in time.');
  }
}

/**
 * Limits how long work waits for Firestore. The client has no limit for a single call: it waits for minutes, and a
 * transaction starts again after each of them.
 */
export class Waits {
  readonly #limits: WaitLimits;
  readonly #current = new AsyncLocalStorage<readonly Allowance[]>();

  constructor(limits: WaitLimits) {
    this.#limits = limits;
  }

  /** Runs work. All its calls together wait no longer than this limit, and no longer than the work around it may. */
  limitWaits<Result>(limit: 'request' | 'rateLimit', work: () => Result): Result {
    const outer = this.#current.getStore() ?? [];
    return this.#current.run([...outer, new Allowance(this.#limits[limit])], work);
  }

  /**
   * Calls Firestore, and waits no longer than is allowed. A call that is too late continues, because the client cannot
   * cancel it.
   *
   * @param call gets a signal that is aborted when nobody waits any more
   * @throws an error with the code of an outage, if the call is too late
   */
  async callWithLimit<Result>(call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const allowances = this.#current.getStore() ?? [new Allowance(this.#limits.call)];
    const leftMs = Math.min(...allowances.map((allowance) => allowance.leftMs));
    if (leftMs <= 0) throw new NoAnswer();
    const ending = allowances.filter((allowance) => allowance.leftMs <= leftMs);
    for (const allowance of allowances) allowance.begin();
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        // A timer may end a little early.
        for (const allowance of ending) allowance.useUp();
        controller.abort();
        reject(new NoAnswer());
      }, leftMs);
    });
    try {
      return await Promise.race([call(controller.signal), late]);
    } finally {
      clearTimeout(timer);
      for (const allowance of allowances) allowance.end();
    }
  }
}

/** The time that work may still wait. Time in which several calls wait counts once. */
class Allowance {
  #leftMs: number;
  #calls = 0;
  #since = 0;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  get leftMs(): number {
    return this.#calls === 0 ? this.#leftMs : this.#leftMs - (performance.now() - this.#since);
  }

  useUp(): void {
    this.#leftMs = 0;
  }

  begin(): void {
    if (this.#calls === 0) this.#since = performance.now();
    this.#calls += 1;
  }

  end(): void {
    this.#leftMs = this.#calls === 1 ? this.leftMs : this.#leftMs;
    this.#calls -= 1;
  }
}
