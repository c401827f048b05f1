import { removeFound, type RemoveContents } from '../personal-data/removal.ts';
import type { Services } from '../backend.ts';
import { invitationsOfTeam, outdatedInvitations } from './invitation.store.ts';

/** Part of deleting a team. */
export const removeInvitations: RemoveContents = async (services, teamId, most) => {
  const firestore = await services.firestore();
  return removeFound(firestore, invitationsOfTeam(firestore, teamId), most);
};

/** Bounds one run; what is left waits for the next. */
const MOST_A_RUN = 500;

/**
 * Removes invitations that are long past. Firestore's TTL policy does the same, but not at a set time and not in the
 * local stack.
 *
 * @returns how many were removed
 */
export async function sweepOutdatedInvitations(services: Services): Promise<number> {
  const firestore = await services.firestore();
  return removeFound(firestore, outdatedInvitations(firestore, services.now()), MOST_A_RUN);
}
