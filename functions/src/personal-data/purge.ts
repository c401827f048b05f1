import type { Backend } from '../backend.ts';
import type { UserToForget, PurgeWith, ForgetWith } from '../feature-hooks/hooks.ts';

export type { UserToForget };
export type Purge = PurgeWith<Backend>;
export type Forget = ForgetWith<Backend>;

/** A purge that forgets the user, for `runInBatches`. */
export function asPurge(user: UserToForget, forget: Forget): Purge {
  return (backend, _id, limit) => forget(backend, user, limit);
}

/** The time for the batches of a request. Hosting ends a request after 60 seconds, and more work follows them. */
export const REQUEST_MS = 25_000;

/** So small that a batch of uploads, whose objects are deleted one by one in Storage, takes a few seconds. */
const BATCH_SIZE = 100;

/**
 * Purges data of a team or user in batches. Idempotent: a call after a crash continues with the rest.
 *
 * @param id a uid or the id of a team
 * @param isTimeUp asked after each full batch. A batch that is not full is the last one of its purge
 * @returns true if nothing is left; false if the time was up before
 */
export async function runInBatches(
  backend: Backend,
  id: string,
  purges: readonly Purge[],
  isTimeUp: () => boolean,
): Promise<boolean> {
  for (const purge of purges) {
    while ((await purge(backend, id, BATCH_SIZE)) === BATCH_SIZE) {
      if (isTimeUp()) return false;
    }
  }
  return true;
}
