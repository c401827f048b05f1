import type { Backend } from '../backend.ts';
import { sweepEach } from '../common/sweep.ts';
import { SYSTEM } from '../firestore/documents/audit-entry.ts';
import { deleteTeamInSteps } from './delete.service.ts';
import { anyOwnerOf } from './members/member.store.ts';
import { teamsInDeletion } from './team.store.ts';

/** Longer than any request, so that the sweep never runs in parallel with the request that began the deletion. */
const INTERRUPTED_AFTER_MS = 600_000;

/** Bounds one run. The next run continues with the others. */
const MAX_TEAMS = 100;

/**
 * Continues the deletion of a team if the deletion was interrupted, or if the team was too large for one request.
 *
 * @returns the number of teams whose deletion it continued
 */
export async function sweepInterruptedDeletions(backend: Backend): Promise<number> {
  const before = new Date(backend.now().getTime() - INTERRUPTED_AFTER_MS);
  const found = await teamsInDeletion(backend.db, before).limit(MAX_TEAMS).findWithDamaged();
  return sweepEach(found, async ({ id, data }) => {
    const uid = data?.ownerId ?? (await anyOwnerOf(backend.db, id));
    await deleteTeamInSteps(backend, { uid, actorId: SYSTEM }, id);
  });
}
