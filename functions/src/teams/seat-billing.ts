import { logWarning } from '../common/log.ts';
import type { Backend } from '../backend.ts';
import type { Team } from './team.store.ts';

/**
 * To be called after members have come or gone, when that is committed: has the quantity of the team's subscription follow,
 * if it is billed by members. A team that is not costs nothing here.
 *
 * What was committed stays when the queue does not answer: the reconciliation makes up for it.
 */
export async function billSeats(
  backend: Backend,
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
