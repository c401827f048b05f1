import type { Clock } from '../clock.ts';
import { contention, lockTimeout } from '../errors.ts';
import type { Transaction } from './transaction.ts';

/** A read or a commit that may have to wait for locks. */
export interface LockRequest {
  /** Undefined for a write outside of transactions, which holds no locks. */
  readonly owner: Transaction | undefined;
  /** Works out what the request does to the current state. A throw answers the request. */
  prepare?(): void;
  /** The transactions and requests that it waits for in the current state; empty when it may run. Changes nothing. */
  blockers(ahead: readonly PendingRequest[]): readonly Blocker[];
  /** Whether it aborts the holder of a lock instead of waiting for it. Changes nothing. */
  preempts(holder: Transaction): boolean;
  /** Called whenever the request has to wait. */
  wait?(): void;
  /** Does the work, in the same turn in which nothing blocks it. */
  run(): void;
  fail(error: Error): void;
}

export type Blocker = Transaction | PendingRequest;

/** A request in the queue. */
export class PendingRequest {
  readonly request: LockRequest;
  blockedBy: readonly Blocker[];
  cancelTimeout: () => void = () => undefined;

  constructor(request: LockRequest, blockedBy: readonly Blocker[]) {
    this.request = request;
    this.blockedBy = blockedBy;
  }
}

/**
 * Runs lock requests in the order in which they came, as soon as nothing blocks them. A deadlock is resolved
 * immediately by aborting its youngest transaction. A request that waits longer than the timeout is aborted.
 */
export class LockQueue {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #abort: (transaction: Transaction) => void;
  #pending: PendingRequest[] = [];
  #pumping = false;
  #again = false;

  /** `abort` is called with a transaction that lost, and releases its locks. */
  constructor(clock: Clock, timeoutMs: number, abort: (transaction: Transaction) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#abort = abort;
  }

  submit(request: LockRequest): void {
    const blockedBy = this.#tryRun(request, this.#pending);
    if (blockedBy.length === 0) return;
    const pending = new PendingRequest(request, blockedBy);
    this.#pending.push(pending);
    pending.cancelTimeout = this.#clock.schedule(this.#timeoutMs, () => {
      this.#reject(pending, lockTimeout());
    });
    this.#breakDeadlocks(pending);
  }

  /** Runs every request that is no longer blocked. Called after locks were released. */
  pump(): void {
    this.#again = true;
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#again) {
      this.#again = false;
      for (const pending of [...this.#pending]) this.#retry(pending);
    }
    this.#pumping = false;
  }

  /** Fails everything that the transaction waits for. */
  cancel(transaction: Transaction, error: Error): void {
    for (const pending of this.#pending.filter(({ request }) => request.owner === transaction)) {
      this.#remove(pending);
      pending.request.fail(error);
    }
  }

  #retry(pending: PendingRequest): void {
    const index = this.#pending.indexOf(pending);
    if (index === -1) return;
    pending.blockedBy = this.#tryRun(pending.request, this.#pending.slice(0, index));
    if (pending.blockedBy.length > 0) {
      this.#breakDeadlocks(pending);
      return;
    }
    this.#remove(pending);
    this.#again = true;
  }

  #tryRun(request: LockRequest, ahead: readonly PendingRequest[]): readonly Blocker[] {
    try {
      request.prepare?.();
      const blockedBy = this.#preempt(request, request.blockers(ahead));
      if (blockedBy.length === 0) request.run();
      else request.wait?.();
      return blockedBy;
    } catch (error) {
      request.fail(error instanceof Error ? error : new Error(String(error)));
      return [];
    }
  }

  /** Aborts the transactions that the request preempts. Returns the blockers that are left. */
  #preempt(request: LockRequest, blockers: readonly Blocker[]): readonly Blocker[] {
    return blockers.flatMap((blocker) => {
      if (blocker instanceof PendingRequest || !request.preempts(blocker)) return [blocker];
      this.#abortTransaction(blocker);
      return [];
    });
  }

  #abortTransaction(loser: Transaction): void {
    this.cancel(loser, contention());
    this.#abort(loser);
  }

  #reject(pending: PendingRequest, error: Error): void {
    this.#remove(pending);
    pending.request.fail(error);
    if (pending.request.owner) this.#abort(pending.request.owner);
    this.pump();
  }

  #remove(pending: PendingRequest): void {
    pending.cancelTimeout();
    this.#pending = this.#pending.filter((other) => other !== pending);
  }

  #breakDeadlocks(pending: PendingRequest): void {
    while (this.#pending.includes(pending)) {
      const cycle = this.#cycleThrough(pending);
      const victim = cycle?.reduce((youngest, other) => (other.age > youngest.age ? other : youngest));
      if (!victim) return;
      this.#abortTransaction(victim);
      this.pump();
    }
  }

  /**
   * The transactions that wait for each other in a cycle with the request's owner. Undefined if there is no cycle.
   */
  #cycleThrough({ request, blockedBy }: PendingRequest): readonly Transaction[] | undefined {
    const { owner } = request;
    if (!owner) return undefined;
    const seen = new Set<Blocker>();
    const search = (
      blockers: readonly Blocker[],
      path: readonly Transaction[],
    ): readonly Transaction[] | undefined => {
      for (const blocker of blockers) {
        if (blocker === owner) return path;
        if (seen.has(blocker)) continue;
        seen.add(blocker);
        const waiting = blocker instanceof PendingRequest ? blocker.request.owner : blocker;
        const extended = waiting ? [...path, waiting] : path;
        const found = search(this.#waitsFor(blocker), extended);
        if (found) return found;
      }
      return undefined;
    };
    return search(blockedBy, [owner]);
  }

  /**
   * A request waits for its blockers, and a transaction for those of all its requests. An answered request waits for
   * nothing, although other requests may still name it as a blocker.
   */
  #waitsFor(blocker: Blocker): readonly Blocker[] {
    if (blocker instanceof PendingRequest) return this.#pending.includes(blocker) ? blocker.blockedBy : [];
    return this.#pending
      .filter(({ request }) => request.owner === blocker)
      .flatMap(({ blockedBy }) => blockedBy);
  }
}
