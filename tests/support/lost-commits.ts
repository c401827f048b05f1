import { expect } from 'vitest';
import type { Network } from './network.ts';

/** An operation that commits, and what must be true after it. */
export interface Attempt<Result> {
  operate: () => Promise<Result>;
  /** The result that the operation must return, such as the status of an answer. */
  result: Result;
  check?: () => Promise<void>;
}

/**
 * Loses the answer to the first commit of an operation. Then begins again, and loses the answer to the second one, and
 * so on.
 *
 * @param prepare makes everything that the operation needs
 * @returns the number of commits
 */
export async function loseEachCommit<Result>(
  network: Network,
  prepare: () => Promise<Attempt<Result>>,
): Promise<number> {
  for (let nth = 1; ; nth++) {
    const { operate, result, check } = await prepare();
    let commits = 0;
    network.losesAnswer = (method) => method === 'Commit' && ++commits === nth;
    const returned = await operate();
    network.losesAnswer = () => false;
    expect([nth, returned]).toEqual([nth, result]);
    await check?.();
    if (commits < nth) return nth - 1;
  }
}
