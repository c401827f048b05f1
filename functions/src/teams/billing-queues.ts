import type { Backend } from '../backend.ts';
import { logWarning } from '../common/log.ts';
import type { Team } from '../firestore/documents/team.ts';
import { isCustomer } from './team.ts';

/**
 * Enqueues a seat sync if the team is billed per member. Call this function after the commit that added or removed
 * members.
 *
 * A failure is logged, not thrown, because the members have changed already. The reconciliation syncs the seats later.
 */
export async function enqueueSeatSyncOrLog(
  backend: Pick<Backend, 'enqueueSeatSync'>,
  teamId: string,
  { billedPerSeat }: Pick<Team, 'billedPerSeat'>,
): Promise<void> {
  if (billedPerSeat !== true) return;
  try {
    await backend.enqueueSeatSync(teamId);
  } catch (error) {
    logWarning(`The seats of team ${teamId} wait for the reconciliation.`, error);
  }
}

/**
 * Enqueues a contact sync if the team has a document in `customers`. Call this function after a commit that changed the
 * team's name or billing address, or the rights of a member. A failure is logged, not thrown.
 */
export async function enqueueTeamContactSyncOrLog(
  backend: Pick<Backend, 'enqueueContactSync'>,
  teamId: string,
  team: Pick<Team, 'hasRunningSubscription'>,
): Promise<void> {
  if (!isCustomer(team)) return;
  try {
    await backend.enqueueContactSync(teamId);
  } catch (error) {
    logWarning(`The billing contact of team ${teamId} waits for the reconciliation.`, error);
  }
}
