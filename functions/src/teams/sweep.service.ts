import type { Backend } from '../backend.ts';
import { sweepEach } from '../common/sweep.ts';
import { timerOf } from '../common/timer.ts';
import { SYSTEM } from '../firestore/documents/audit-entry.ts';
import type { Team } from '../firestore/documents/team.ts';
import type { MaybeDamaged } from '../firestore/query.ts';
import { deleteTeamInSteps } from './delete.service.ts';
import { teamsInDeletion } from './team.store.ts';

/** Longer than any request, so that the sweep never runs in parallel with the request that began the deletion. */
const INTERRUPTED_AFTER_MS = 600_000;

/** Bounds one run. The next run continues with the others. */
const MAX_TEAMS = 100;

/** After this time no further team is begun, so that the function ends before its timeout. */
const STOP_AFTER_MS = 400_000;

/**
 * Continues the deletion of a team if the deletion was interrupted, or if the team was too large for one request.
 *
 * @returns the number of teams whose deletion it continued
 */
export async function sweepInterruptedDeletions(backend: Backend): Promise<number> {
  const isTimeUp = timerOf(backend, STOP_AFTER_MS);
  const before = new Date(backend.now().getTime() - INTERRUPTED_AFTER_MS);
  const found = await teamsInDeletion(backend.db, before).limit(MAX_TEAMS).findWithDamaged();
  const continueDeletion = async ({ id }: MaybeDamaged<Team>) => {
    await deleteTeamInSteps(backend, { actorId: SYSTEM }, id, { isTimeUp });
  };
  return sweepEach(found, continueDeletion, isTimeUp);
}
