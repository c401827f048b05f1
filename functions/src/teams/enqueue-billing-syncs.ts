import type { Backend } from '../backend.ts';
import type { Team } from '../firestore/documents/team.ts';
import { enqueueOrLog } from '../task-queues.ts';

/**
 * Enqueues a seat sync if the team is billed per member, or may be after a planned change. Call this function after the
 * commit that added or removed members. A failure is logged, not thrown.
 */
export async function enqueueSeatSyncOrLog(
  backend: Pick<Backend, 'enqueueSeatSync'>,
  teamId: string,
  { billingDependsOnMembers }: Pick<Team, 'billingDependsOnMembers'>,
): Promise<void> {
  if (billingDependsOnMembers !== true) return;
  await enqueueOrLog(`seat sync of team ${teamId}`, () => backend.enqueueSeatSync(teamId));
}

/**
 * Enqueues a contact sync if the team has a document in `customers`. Call this function after a commit that changed the
 * team's name or billing address, or the rights of a member. A failure is logged, not thrown.
 */
export async function enqueueTeamContactSyncOrLog(
  backend: Pick<Backend, 'enqueueContactSync'>,
  teamId: string,
  { isCustomer }: Pick<Team, 'isCustomer'>,
): Promise<void> {
  if (isCustomer !== true) return;
  await enqueueOrLog(`contact sync of team ${teamId}`, () => backend.enqueueContactSync(teamId));
}
