import type { Caller } from '../authentication.ts';
import type { Clock } from '../clock.ts';
import {
  aborted,
  contention,
  failedPrecondition,
  invalidArgument,
  transactionEnded,
  transactionExpired,
} from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { planCommit } from '../write/apply.ts';
import type { PlannedCommit } from '../write/apply.ts';
import type { Write } from '../write/write.ts';
import { LockQueue } from './lock-queue.ts';
import type { Blocker, LockRequest, PendingRequest } from './lock-queue.ts';
import { conflicts, LockSet, overlaps } from './lock-target.ts';
import type { LockTarget } from './lock-target.ts';
import { ageOf } from './transaction.ts';
import type { Transaction } from './transaction.ts';

/** Milliseconds. https://firebase.google.com/docs/firestore/manage-data/transactions#transaction_time_limits */
export interface TransactionTimeouts {
  readonly idle: number;
  readonly total: number;
  /** How long a read or write waits for locks. */
  readonly lock: number;
}

export const PRODUCTION_TIMEOUTS: TransactionTimeouts = { idle: 60_000, total: 270_000, lock: 15_000 };

export interface CommitResult extends PlannedCommit {
  /** Microseconds since the epoch. */
  readonly commitTime: number;
}

/** How many ended transactions are remembered. */
const MAX_REMEMBERED = 1_000;

function dropOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** The subject of a waiting request. A later request overtakes it only if their subjects do not meet. */
type Intent = { readonly target: LockTarget } | { readonly plan: PlannedCommit };

/**
 * Serializable transactions by pessimistic locking, as server SDKs see them in production: reads of a read-write
 * transaction lock documents and query ranges until its end; a commit waits until no other transaction holds a lock on
 * what it changes.
 */
export class TransactionCoordinator {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #timeouts: TransactionTimeouts;
  readonly #queue: LockQueue;
  readonly #active = new Map<string, Transaction>();
  readonly #intents = new WeakMap<LockRequest, Intent>();
  /** The locks that aborted transactions wanted, by token, until the transactions are retried. */
  readonly #losers = new Map<string, LockSet>();
  /** Tokens of the latest transactions that were committed or rolled back. */
  readonly #ended = new Set<string>();
  readonly #timers = new Map<Transaction, { idle: () => void; total: () => void }>();
  #sequence = 0;

  constructor(database: Database, clock: Clock, timeouts: TransactionTimeouts) {
    this.#database = database;
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#queue = new LockQueue(clock, timeouts.lock, (loser) => {
      this.#abort(loser);
    });
  }

  /** Starts a read-write transaction; `retryOf` is the token of the attempt before. */
  begin(retryOf?: string): Transaction {
    const transaction = this.#start(undefined, retryOf === undefined ? undefined : ageOf(retryOf));
    if (retryOf === undefined) return transaction;
    transaction.wanted.add(this.#losers.get(retryOf) ?? new LockSet());
    this.#losers.delete(retryOf);
    return transaction;
  }

  /** Starts a read-only transaction that sees the state at `readTime`, by default the current one. */
  beginReadOnly(readTime: number = this.#database.readTime()): Transaction {
    return this.#start(readTime, undefined);
  }

  /**
   * The running transaction of the token. Throws ABORTED for one that lost against another, was committed or was
   * rolled back. Throws INVALID_ARGUMENT for any other.
   */
  find(token: string): Transaction {
    const transaction = this.#active.get(token);
    if (!transaction) throw this.#reasonOfEnd(token);
    this.#touch(transaction);
    return transaction;
  }

  /** Waits until the transaction may lock the target, then reads. `read` returns what it has seen of a range, too. */
  read<T>(
    transaction: Transaction,
    target: LockTarget,
    read: () => { result: T; locked: LockTarget },
  ): Promise<T> {
    const claimed = transaction.locks.isEmpty ? transaction.wanted.copy() : new LockSet();
    claimed.add(target);
    transaction.wanted.add(target);
    return new Promise((resolve, reject) => {
      this.#submit({ target: claimed }, reject, transaction, {
        blockers: (ahead) => this.#readBlockers(transaction, claimed, ahead),
        preempts: () => false,
        wait: () => {
          transaction.serialized = true;
        },
        run: () => {
          const { result, locked } = read();
          transaction.locks.add(locked);
          transaction.locks.add({ documents: claimed.documents, ranges: [] });
          resolve(result);
        },
      });
    });
  }

  /**
   * Applies the author's writes atomically, ending the transaction if there is one. `assertAllowed` is called in the turn
   * in which they are applied; its throw refuses them.
   */
  commitWrites(
    writes: readonly Write[],
    transaction?: Transaction,
    author?: Caller,
    assertAllowed?: () => void,
  ): Promise<CommitResult> {
    if (transaction?.readTime !== undefined && writes.length > 0) {
      throw invalidArgument('Cannot modify entities in a read-only transaction');
    }
    return new Promise((resolve, reject) => {
      const intent: { plan: PlannedCommit } = { plan: { changes: [], outcomes: [] } };
      let commitTime = 0;
      const fail = (error: Error): void => {
        if (transaction) this.#finish(transaction);
        reject(error);
      };
      this.#submit(intent, fail, transaction, {
        prepare: () => {
          commitTime = this.#database.nextCommitTime();
          intent.plan = planCommit(this.#database, writes, commitTime);
        },
        blockers: () => this.#commitBlockers(intent.plan, transaction),
        // The commit of an elder transaction does not wait for the locks of a younger one.
        preempts: (holder) => transaction !== undefined && holder.age > transaction.age,
        run: () => {
          assertAllowed?.();
          const changed = intent.plan.changes.filter(({ before, after }) => before !== after);
          this.#database.apply(changed, commitTime, author);
          // Answered before the requests that waited for this commit.
          resolve({ commitTime, ...intent.plan });
          if (transaction) this.#finish(transaction);
        },
      });
    });
  }

  /** Ends the transaction without writing. */
  rollback(transaction: Transaction): void {
    this.#queue.cancel(transaction, aborted('The transaction was rolled back.'));
    this.#finish(transaction);
  }

  /** Ends every transaction. */
  reset(): void {
    for (const transaction of [...this.#active.values()]) this.rollback(transaction);
  }

  /** Throws FAILED_PRECONDITION or INVALID_ARGUMENT for a time that cannot be read. */
  assertReadable(readTime: number): number {
    if (readTime < this.#database.earliestReadTime) {
      throw failedPrecondition('The requested snapshot version is too old.');
    }
    if (readTime > this.#database.readTime()) throw invalidArgument('read_time cannot be in the future.');
    return readTime;
  }

  #abort(loser: Transaction): void {
    this.#losers.set(loser.token, loser.wanted);
    dropOldest(this.#losers);
    this.#end(loser);
  }

  #finish(transaction: Transaction): void {
    this.#ended.add(transaction.token);
    dropOldest(this.#ended);
    this.#end(transaction);
  }

  #start(readTime: number | undefined, retriedAge: number | undefined): Transaction {
    const sequence = ++this.#sequence;
    const age = retriedAge ?? sequence;
    const token = `${sequence}.${age}`;
    const serialized = retriedAge !== undefined;
    const transaction: Transaction = {
      token,
      age,
      readTime,
      locks: new LockSet(),
      wanted: new LockSet(),
      serialized,
    };
    this.#active.set(token, transaction);
    this.#timers.set(transaction, {
      idle: this.#expireAfter(this.#timeouts.idle, transaction),
      total: this.#expireAfter(this.#timeouts.total, transaction),
    });
    return transaction;
  }

  #expireAfter(milliseconds: number, transaction: Transaction): () => void {
    return this.#clock.schedule(milliseconds, () => {
      this.#queue.cancel(transaction, transactionExpired());
      this.#end(transaction);
    });
  }

  #reasonOfEnd(token: string): Error {
    if (this.#losers.has(token)) return contention();
    return this.#ended.has(token) ? transactionEnded() : transactionExpired();
  }

  #touch(transaction: Transaction): void {
    const timers = this.#timers.get(transaction);
    if (!timers) return;
    timers.idle();
    timers.idle = this.#expireAfter(this.#timeouts.idle, transaction);
  }

  #end(transaction: Transaction): void {
    if (!this.#active.delete(transaction.token)) return;
    const timers = this.#timers.get(transaction);
    timers?.idle();
    timers?.total();
    this.#timers.delete(transaction);
    // In a later turn, so that the answer that ends this transaction is sent before those of the waiting requests.
    setImmediate(() => {
      this.#queue.pump();
    });
  }

  #submit(
    intent: Intent,
    fail: (error: Error) => void,
    owner: Transaction | undefined,
    work: Omit<LockRequest, 'owner' | 'fail'>,
  ): void {
    if (owner && !this.#active.has(owner.token)) {
      fail(this.#reasonOfEnd(owner.token));
      return;
    }
    const request: LockRequest = { owner, fail, ...work };
    this.#intents.set(request, intent);
    this.#queue.submit(request);
  }

  /**
   * Several transactions may hold shared locks on one target. But no read gets a lock while a serialized transaction
   * holds the target, and no read overtakes a request that waits for it; otherwise writers would starve. A reader that
   * already blocks a waiting request does not wait for it.
   */
  #readBlockers(
    reader: Transaction,
    target: LockTarget,
    ahead: readonly PendingRequest[],
  ): readonly Blocker[] {
    if (reader.locks.covers(target)) return [];
    const holders = [...this.#active.values()].filter(
      (other) => other !== reader && other.serialized && overlaps(other.locks, target),
    );
    const waiting = ahead.filter(
      ({ request, blockedBy }) =>
        request.owner !== reader && !blockedBy.includes(reader) && this.#concerns(request, target),
    );
    return [...holders, ...waiting];
  }

  #concerns(request: LockRequest, target: LockTarget): boolean {
    const intent = this.#intents.get(request);
    if (!intent) return false;
    if ('target' in intent) return overlaps(intent.target, target);
    const locks = new LockSet();
    locks.add(target);
    return conflicts(this.#database.name, locks, intent.plan.changes);
  }

  #commitBlockers({ changes }: PlannedCommit, owner: Transaction | undefined): readonly Transaction[] {
    return [...this.#active.values()].filter(
      (other) => other !== owner && conflicts(this.#database.name, other.locks, changes),
    );
  }
}
