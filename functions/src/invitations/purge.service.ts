import type { Backend } from '../backend.ts';
import type { Purge } from '../personal-data/purge.ts';
import { invitationsOfTeam, outdatedInvitations } from './invitation.store.ts';

export const purgeInvitations: Purge = ({ db }, teamId, limit) =>
  db.purge(invitationsOfTeam(db, teamId), limit);

/** The next run deletes the rest. */
const MAX_PER_RUN = 500;

/**
 * Deletes invitations of any status 90 days after `expiresAt`. Firestore's TTL policy does the same, but at no fixed
 * time and not in the local stack.
 *
 * @returns how many were deleted
 */
export function sweepOutdatedInvitations({ db, now }: Backend): Promise<number> {
  return db.purge(outdatedInvitations(db, now()), MAX_PER_RUN);
}
