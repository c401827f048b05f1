import type { Backend } from '../backend.ts';

/**
 * Deletes at most `limit` documents or files of one kind that belong to a team or user.
 *
 * @returns how many were deleted; fewer than `limit` means that none is left
 */
export type Purge = (backend: Backend, ownerId: string, limit: number) => Promise<number>;

/** A user whose account is being deleted. Documents of others may name them. */
export interface FormerUser {
  uid: string;
  /** Lower case. Without verification it may be another person's address. */
  email: string | undefined;
  /** The address, if it was verified. Anybody can register another person's address and delete the account again. */
  verifiedEmail: string | undefined;
  /** Replaces uid and address in the data that stays. */
  pseudonym: string;
}

/**
 * Removes a deleted user from at most `limit` documents of others: deletes the documents, or replaces uid and address by
 * the pseudonym.
 *
 * @returns how many documents were changed; fewer than `limit` means that none is left
 */
export type RemoveTraces = (backend: Backend, user: FormerUser, limit: number) => Promise<number>;

/** The removal of one user's traces, in the form of a purge. */
export function traceRemovalOf(user: FormerUser, removeTraces: RemoveTraces): Purge {
  return (backend, _ownerId, limit) => removeTraces(backend, user, limit);
}

const BATCH_SIZE = 250;

/**
 * Purges data of a team or user in batches. Idempotent: a call after a crash continues with the rest.
 *
 * @param maxBatches bounds the work of one call
 * @returns true if nothing is left; false if `maxBatches` were not enough
 */
export async function purgeInBatches(
  backend: Backend,
  ownerId: string,
  purges: readonly Purge[],
  maxBatches: number,
): Promise<boolean> {
  let batches = 0;
  for (const purge of purges) {
    let removed = BATCH_SIZE;
    while (removed === BATCH_SIZE) {
      if (batches++ === maxBatches) return false;
      removed = await purge(backend, ownerId, BATCH_SIZE);
    }
  }
  return true;
}
