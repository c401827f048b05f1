import type { Backend } from '../backend.ts';
import { logWarning } from '../common/log.ts';
import type { Team } from '../firestore/documents/team.ts';
import { hasBillingHistory } from './team.ts';

/**
 * If the team is billed by its members, queues a sync of its quantity at Stripe. Call it after the commit that added or
 * removed members.
 *
 * A failure of the queue is only logged: the members have changed already, and the reconciliation syncs the quantity
 * later.
 */
export async function enqueueSeatSyncOrLog(
  backend: Pick<Backend, 'enqueueSeatSync'>,
  teamId: string,
  { seatsBilled }: Pick<Team, 'seatsBilled'>,
): Promise<void> {
  if (seatsBilled !== true) return;
  try {
    await backend.enqueueSeatSync(teamId);
  } catch (error) {
    logWarning(`The seats of team ${teamId} wait for the reconciliation.`, error);
  }
}

/**
 * If the team has ever bought something or was given a plan, queues a sync of its billing contact. Call it after a
 * commit that changed the team's name, its billing address, or the rights of a member.
 *
 * A failure of the queue is only logged, as in `enqueueSeatSyncOrLog`.
 */
export async function enqueueContactSyncOrLog(
  backend: Pick<Backend, 'enqueueContactSync'>,
  teamId: string,
  team: Pick<Team, 'subscribed'>,
): Promise<void> {
  if (!hasBillingHistory(team)) return;
  try {
    await backend.enqueueContactSync(teamId);
  } catch (error) {
    logWarning(`The billing contact of team ${teamId} waits for the reconciliation.`, error);
  }
}
