import { removeFound, type Purge } from '../personal-data/removal.ts';
import type { Backend } from '../backend.ts';
import { invitationsOfTeam, outdatedInvitations } from './invitation.store.ts';

/** Part of deleting a team. */
export const removeInvitations: Purge = async (backend, teamId, most) => {
  const firestore = await backend.firestore();
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
export async function sweepOutdatedInvitations(backend: Backend): Promise<number> {
  const firestore = await backend.firestore();
  return removeFound(firestore, outdatedInvitations(firestore, backend.now()), MOST_A_RUN);
}
