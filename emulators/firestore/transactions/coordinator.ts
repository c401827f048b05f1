import type { Caller } from '../authentication.ts';
import type { Clock } from '../clock.ts';
import { aborted, failedPrecondition, invalidArgument, transactionExpired } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { planCommit } from '../write/apply.ts';
import type { PlannedCommit } from '../write/apply.ts';
import type { Write } from '../write/write.ts';
import { ActiveTransactions } from './active-transactions.ts';
import type { TransactionLifetime } from './active-transactions.ts';
import { LockQueue } from './lock-queue.ts';
import type { Blocker, LockRequest, PendingRequest } from './lock-queue.ts';
import { conflicts, LockSet, overlaps } from './lock-target.ts';
import type { LockTarget } from './lock-target.ts';
import type { Transaction } from './transaction.ts';

/** Milliseconds. */
export interface TransactionTimeouts extends TransactionLifetime {
  /** How long a read or write waits for locks. */
  readonly lock: number;
}

export const PRODUCTION_TIMEOUTS: TransactionTimeouts = { idle: 60_000, total: 270_000, lock: 15_000 };

export interface CommitResult extends PlannedCommit {
  /** Microseconds since the epoch. */
  readonly commitTime: number;
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
  readonly #queue: LockQueue;
  readonly #active: ActiveTransactions;
  readonly #intents = new WeakMap<LockRequest, Intent>();

  constructor(database: Database, clock: Clock, timeouts: TransactionTimeouts) {
    this.#database = database;
    this.#queue = new LockQueue(clock, timeouts.lock, (loser) => {
      this.#active.abort(loser);
    });
    this.#active = new ActiveTransactions(clock, timeouts, {
      expires: (transaction) => {
        this.#queue.cancel(transaction, transactionExpired());
      },
      // In a later turn, so that the answer that ends a transaction is sent before those of the waiting requests.
      ended: () =>
        setImmediate(() => {
          this.#queue.pump();
        }),
    });
  }

  /** Starts a read-write transaction; `retryOf` is the token of the attempt before. */
  begin(retryOf?: string): Transaction {
    return this.#active.start({ retryOf });
  }

  /** Starts a read-only transaction that sees the state at `readTime`, by default the current one. */
  beginReadOnly(readTime: number = this.#database.readTime()): Transaction {
    return this.#active.start({ readTime });
  }

  /**
   * The running transaction of the token. Throws ABORTED for one that lost against another, was committed or was
   * rolled back. Throws INVALID_ARGUMENT for any other.
   */
  find(token: string): Transaction {
    return this.#active.find(token);
  }

  /**
   * Waits until the transaction may lock the target, then reads. `read` also returns the part of a range that it has
   * read.
   */
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
   * Applies the author's writes atomically, ending the transaction if there is one. `assertAllowed` is called in the
   * turn in which they are applied; its throw refuses them.
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
        if (transaction) this.#active.finish(transaction);
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
          if (transaction) this.#active.finish(transaction);
        },
      });
    });
  }

  /** Ends the transaction without writing. */
  rollback(transaction: Transaction): void {
    this.#queue.cancel(transaction, aborted('The transaction was rolled back.'));
    this.#active.finish(transaction);
  }

  /** Ends every transaction. */
  reset(): void {
    for (const transaction of this.#active.all()) this.rollback(transaction);
  }

  /** Throws FAILED_PRECONDITION or INVALID_ARGUMENT for a time that cannot be read. */
  assertReadable(readTime: number): number {
    if (readTime < this.#database.earliestReadTime) {
      throw failedPrecondition('The requested snapshot version is too old.');
    }
    if (readTime > this.#database.readTime()) throw invalidArgument('read_time cannot be in the future.');
    return readTime;
  }

  #submit(
    intent: Intent,
    fail: (error: Error) => void,
    owner: Transaction | undefined,
    work: Omit<LockRequest, 'owner' | 'fail'>,
  ): void {
    const ended = owner && this.#active.reasonOfEnd(owner);
    if (ended) {
      fail(ended);
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
    const holders = this.#active
      .all()
      .filter((other) => other !== reader && other.serialized && overlaps(other.locks, target));
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
    return this.#active
      .all()
      .filter((other) => other !== owner && conflicts(this.#database.name, other.locks, changes));
  }
}
