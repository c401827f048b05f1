import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';

/**
 * Queues a sync of the team's quantity at Stripe, if its subscription is billed per member. Call it after the commit that
 * added or removed members. Does nothing for other teams.
 *
 * A failure of the queue is only logged: the members have changed already, and the reconciliation syncs the quantity later.
 */
export async function queueSeatSync(
  backend: Pick<Backend, 'enqueueSeatSync'>,
  teamId: string,
  { seatsBilled }: { seatsBilled?: boolean },
): Promise<void> {
  if (seatsBilled !== true) return;
  try {
    await backend.enqueueSeatSync(teamId);
  } catch (error) {
    logWarning(`The seats of team ${teamId} wait for the reconciliation.`, error);
  }
}
