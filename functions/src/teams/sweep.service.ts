import { SYSTEM } from '../audit/audit-log.store.ts';
import type { Backend } from '../backend.ts';
import { sweepEach } from '../common/sweep.ts';
import { removeTeam } from './delete.service.ts';
import { teamsInDeletion } from './team.store.ts';

/** Longer than any request lives, so that nobody is at it any more. */
const INTERRUPTED_AFTER_MS = 600_000;

/** Bounds one run; what is left waits for the next. */
const MOST_A_RUN = 100;

/**
 * Goes on with deletions of teams that were interrupted, or are too large for one request, where nobody asks again.
 *
 * @returns how many teams it went on with
 */
export async function sweepInterruptedDeletions(backend: Backend): Promise<number> {
  const firestore = await backend.firestore();
  const before = new Date(backend.now().getTime() - INTERRUPTED_AFTER_MS);
  const { docs } = await teamsInDeletion(firestore, before).limit(MOST_A_RUN).get();
  const teams = docs.map((team) => ({ path: team.ref.path, id: team.id, uid: team.data().ownerId }));
  return sweepEach(teams, ({ id, uid }) => removeTeam(backend, { uid, actorId: SYSTEM }, id));
}
