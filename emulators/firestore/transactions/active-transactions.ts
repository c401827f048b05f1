import type { Clock } from '../clock.ts';
import { contention, transactionEnded, transactionExpired } from '../errors.ts';
import { LockSet } from './lock-target.ts';
import { ageOf } from './transaction.ts';
import type { Transaction } from './transaction.ts';

/** How many ended transactions are remembered. */
const MAX_REMEMBERED = 1_000;

/** Milliseconds. https://firebase.google.com/docs/firestore/manage-data/transactions#transaction_time_limits */
export interface TransactionLifetime {
  readonly idle: number;
  readonly total: number;
}

export interface TransactionListener {
  /** A transaction is about to end, because its time is over. */
  expires: (transaction: Transaction) => void;
  /** A transaction has ended, for whatever reason. */
  ended: () => void;
}

/** The running transactions with their timers, and the tokens of those that ended lately. */
export class ActiveTransactions {
  readonly #clock: Clock;
  readonly #lifetime: TransactionLifetime;
  readonly #listener: TransactionListener;
  readonly #active = new Map<string, Transaction>();
  /** The locks that aborted transactions wanted, by token, until the transactions are retried. */
  readonly #losers = new Map<string, LockSet>();
  /** Tokens of the latest transactions that were committed or rolled back. */
  readonly #finished = new Set<string>();
  readonly #timers = new Map<Transaction, { idle: () => void; total: () => void }>();
  #sequence = 0;

  constructor(clock: Clock, lifetime: TransactionLifetime, listener: TransactionListener) {
    this.#clock = clock;
    this.#lifetime = lifetime;
    this.#listener = listener;
  }

  all(): Transaction[] {
    return [...this.#active.values()];
  }

  /** Starts a transaction. `readTime` makes it read-only; `retryOf` is the token of the attempt before. */
  start({ readTime, retryOf }: { readTime?: number; retryOf?: string | undefined } = {}): Transaction {
    const sequence = ++this.#sequence;
    const firstAge = retryOf === undefined ? undefined : ageOf(retryOf);
    const age = firstAge ?? sequence;
    const transaction: Transaction = {
      token: `${sequence}.${age}`,
      age,
      readTime,
      locks: new LockSet(),
      wanted: new LockSet(),
      serialized: firstAge !== undefined,
    };
    if (retryOf !== undefined) {
      transaction.wanted.add(this.#losers.get(retryOf) ?? new LockSet());
      this.#losers.delete(retryOf);
    }
    this.#active.set(transaction.token, transaction);
    this.#timers.set(transaction, {
      idle: this.#expireAfter(this.#lifetime.idle, transaction),
      total: this.#expireAfter(this.#lifetime.total, transaction),
    });
    return transaction;
  }

  /** The running transaction of the token, which is idle from now on. Throws the reason for one that has ended. */
  find(token: string): Transaction {
    const transaction = this.#active.get(token);
    if (!transaction) throw this.#reasonOfEnd(token);
    const timers = this.#timers.get(transaction);
    if (timers) {
      timers.idle();
      timers.idle = this.#expireAfter(this.#lifetime.idle, transaction);
    }
    return transaction;
  }

  /** The error for a transaction that has ended: ABORTED or INVALID_ARGUMENT. Undefined for one that runs. */
  reasonOfEnd({ token }: Transaction): Error | undefined {
    return this.#active.has(token) ? undefined : this.#reasonOfEnd(token);
  }

  /** Ends a transaction that was committed or rolled back. */
  finish(transaction: Transaction): void {
    this.#finished.add(transaction.token);
    dropOldest(this.#finished);
    this.#end(transaction);
  }

  /** Ends a transaction that lost against another. */
  abort(loser: Transaction): void {
    this.#losers.set(loser.token, loser.wanted);
    dropOldest(this.#losers);
    this.#end(loser);
  }

  #reasonOfEnd(token: string): Error {
    if (this.#losers.has(token)) return contention();
    return this.#finished.has(token) ? transactionEnded() : transactionExpired();
  }

  #expireAfter(milliseconds: number, transaction: Transaction): () => void {
    return this.#clock.schedule(milliseconds, () => {
      this.#listener.expires(transaction);
      this.#end(transaction);
    });
  }

  #end(transaction: Transaction): void {
    if (!this.#active.delete(transaction.token)) return;
    const timers = this.#timers.get(transaction);
    timers?.idle();
    timers?.total();
    this.#timers.delete(transaction);
    this.#listener.ended();
  }
}

function dropOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
