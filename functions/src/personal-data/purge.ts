import type { Backend } from '../backend.ts';
import type { UserToForget, PurgeWith, ForgetWith } from '../feature-hooks/hooks.ts';

export type { UserToForget };
export type Purge = PurgeWith<Backend>;
export type Forget = ForgetWith<Backend>;

/** A purge that forgets the user, for `runInBatches`. */
export function asPurge(user: UserToForget, forget: Forget): Purge {
  return (backend, _id, limit) => forget(backend, user, limit);
}

const BATCH_SIZE = 250;

/**
 * Purges data of a team or user in batches. Idempotent: a call after a crash continues with the rest.
 *
 * @param id a uid or the id of a team
 * @param maxBatches bounds the work of one call. A batch that is not full is the last one of its purge and counts for
 *   nothing, so that the number of purges does not matter
 * @returns true if nothing is left; false if `maxBatches` were not enough
 */
export async function runInBatches(
  backend: Backend,
  id: string,
  purges: readonly Purge[],
  maxBatches: number,
): Promise<boolean> {
  let batches = 0;
  for (const purge of purges) {
    let removed = BATCH_SIZE;
    while (removed === BATCH_SIZE) {
      if (batches === maxBatches) return false;
      removed = await purge(backend, id, BATCH_SIZE);
      if (removed === BATCH_SIZE) batches++;
    }
  }
  return true;
}
