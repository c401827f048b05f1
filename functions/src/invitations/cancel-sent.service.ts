import { can, isAtLeast, ROLES, type Role } from '@hearth/shared/roles';
import type { Backend } from '../backend.ts';
import { timerOf } from '../common/timer.ts';
import type { EndGivenRights, RightsLoser, RightsLoss } from '../feature-hooks/given-rights.ts';
import type { Tx } from '../firestore/db.ts';
import { REQUEST_MS, runInBatches } from '../personal-data/purge.ts';
import { closingChange } from './invitation.ts';

/** Bounds the writes of the transaction that takes the rights: two for each invitation. */
const MAX_INVITATIONS = 100;

/**
 * Cancels up to `MAX_INVITATIONS` pending invitations, open or expired, that a member can no longer send. This frees
 * the seats of the open invitations.
 */
export const cancelSentInvitations: EndGivenRights = async (tx, loss) =>
  (await cancelSent(tx, loss, MAX_INVITATIONS)) < MAX_INVITATIONS;

/**
 * Cancels the invitations that `cancelSentInvitations` has left. Until then nobody can accept them, because accepting
 * also checks the rights of the sender.
 */
export async function cancelRemainingInvitations(backend: Backend, loser: RightsLoser): Promise<void> {
  const { teamId, uid } = loser;
  const cancelBatch = ({ db, now }: Backend, _uid: string, limit: number) =>
    db.run(async (tx) => {
      const member = await tx.members(teamId).get(uid);
      return cancelSent(tx, { ...loser, role: member?.role, now: now() }, limit);
    });
  await runInBatches(backend, uid, [cancelBatch], timerOf(backend, REQUEST_MS));
}

/** @returns how many invitations were cancelled; fewer than `limit` means that none is left */
async function cancelSent(
  tx: Tx,
  { teamId, uid, role, actorId, now }: RightsLoss,
  limit: number,
): Promise<number> {
  const lost = rolesLost(role);
  // Firestore refuses `in` with an empty list.
  if (lost.length === 0) return 0;
  const sent = tx.invitations
    .where('teamId', '==', teamId)
    .where('invitedBy', '==', uid)
    .where('status', '==', 'pending')
    .where('role', 'in', lost);
  const found = await sent.limit(limit).findWithDamaged();
  for (const { id, data } of found) {
    tx.invitations.update(id, closingChange('cancelled', now));
    // A damaged invitation is cancelled as well. Its entry in the audit log names neither address nor role.
    const recipient = data === undefined ? {} : { email: data.email, role: data.role };
    tx.audit.record({
      teamId,
      actorId,
      action: 'invitation.cancelled',
      target: id,
      at: now,
      details: { ...recipient, reason: 'sender_lost_rights' },
    });
  }
  return found.length;
}

/** The roles to which a member with this role cannot invite. */
function rolesLost(role: Role | undefined): Role[] {
  if (role === undefined || !can(role, 'invitation:create')) return [...ROLES];
  return ROLES.filter((invited) => !isAtLeast(role, invited));
}
