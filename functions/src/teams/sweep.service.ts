import { SYSTEM } from '../audit/audit-log.store.ts';
import type { RemoveContents } from '../personal-data/removal.ts';
import type { Services } from '../backend.ts';
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
export async function sweepInterruptedDeletions(
  services: Services,
  contents: readonly RemoveContents[],
): Promise<number> {
  const firestore = await services.firestore();
  const before = new Date(services.now().getTime() - INTERRUPTED_AFTER_MS);
  const { docs } = await teamsInDeletion(firestore, before).limit(MOST_A_RUN).get();
  const teams = docs.map((team) => ({ path: team.ref.path, id: team.id, uid: team.data().ownerId }));
  return sweepEach(teams, ({ id, uid }) => removeTeam(services, contents, { uid, actorId: SYSTEM }, id));
}
