import type { LockSet } from './lock-target.ts';

/** A read-write transaction's token carries its age, so that a retry keeps its place without server-side memory. */
export interface Transaction {
  readonly token: string;
  /** Sequence number of the first attempt; retries inherit it. The lower, the older: the elder wins a deadlock. */
  readonly age: number;
  /** Microseconds; set for a read-only transaction, which takes no locks. */
  readonly readTime: number | undefined;
  readonly locks: LockSet;
  /**
   * Everything it asked to lock. A retry claims at its first read what the attempt before wanted, all at once, so that
   * retries queue up instead of meeting in the same deadlock again.
   */
  readonly wanted: LockSet;
  /**
   * Set once it met contention, or retries after it: from then on its reads exclude other such transactions, so that
   * a crowd on one document commits one after the other instead of aborting each other round by round.
   */
  serialized: boolean;
}

/** The age in a token of this server, or undefined. */
export function ageOf(token: string): number | undefined {
  const match = /^\d+\.(\d+)$/.exec(token);
  return match ? Number(match[1]) : undefined;
}
