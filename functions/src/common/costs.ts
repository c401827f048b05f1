import { AsyncLocalStorage } from 'node:async_hooks';

/** Numbers for one request: operations that cost money or count against a quota. */
export interface Costs {
  /** Documents that Firestore bills as read. */
  reads: number;
  writes: number;
  deletes: number;
  /** Calls to Firebase Auth. */
  auth: number;
  /** Requests to Stripe. A call that the client repeats counts once for each try. */
  stripe: number;
}

const current = new AsyncLocalStorage<Costs>();

/**
 * Runs work, and counts the costs of everything that the work starts and awaits.
 *
 * A call that several requests share, such as the look-up of one user, counts for the request that started it.
 *
 * @param costs receives the counts
 */
export function countCosts<Result>(costs: Costs, work: () => Result): Result {
  return current.run(costs, work);
}

export function noCosts(): Costs {
  return { reads: 0, writes: 0, deletes: 0, auth: 0, stripe: 0 };
}

/** Adds to the counts of the request under way. Outside of requests nothing is counted. */
export function addCost(kind: keyof Costs, count = 1): void {
  const costs = current.getStore();
  if (costs !== undefined) costs[kind] += count;
}
