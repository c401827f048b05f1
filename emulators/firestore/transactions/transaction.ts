import type { LockSet } from './lock-target.ts';

/** A read-write transaction. Its token carries its age, so that a retry keeps its place. */
export interface Transaction {
  readonly token: string;
  /** Sequence number of the first attempt; retries inherit it. The lower, the older: the elder wins a deadlock. */
  readonly age: number;
  /** Microseconds; set for a read-only transaction, which takes no locks. */
  readonly readTime: number | undefined;
  readonly locks: LockSet;
  /**
   * Everything that it asked to lock. The first read of a retry asks for all locks of the attempt before together,
   * so that retries queue up instead of repeating the deadlock.
   */
  readonly wanted: LockSet;
  /**
   * Set when the transaction has to wait or is a retry. From then on its reads exclude other such transactions, so
   * that many transactions on one document commit one after the other instead of aborting each other.
   */
  serialized: boolean;
}

/** The age in a token of this server, or undefined. */
export function ageOf(token: string): number | undefined {
  const match = /^\d+\.(\d+)$/.exec(token);
  return match ? Number(match[1]) : undefined;
}
