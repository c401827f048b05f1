import type { Backend } from '../backend.ts';
import type { FormerUser, PurgeWith, RemoveTracesWith } from './hooks.ts';

export type { FormerUser };
export type Purge = PurgeWith<Backend>;
export type RemoveTraces = RemoveTracesWith<Backend>;

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
