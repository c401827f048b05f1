import { can, isAtLeast, ROLES, type Role } from '@hearth/shared/roles';
import type { EndGivenRights } from '../personal-data/given-rights.ts';
import { closingChange } from './invitation.store.ts';

/** Bounds the writes of a transaction: two for each invitation. */
const MAX_INVITATIONS = 100;

/**
 * Cancels up to `MAX_INVITATIONS` pending invitations, open or expired, that a member can no longer send. This frees
 * the seats of the open invitations. If there are more, nobody can accept the others, because accepting also checks the
 * rights of the sender.
 */
export const cancelSentInvitations: EndGivenRights = async (tx, { teamId, uid, role, actorId, now }) => {
  const sent = tx.invitations
    .where('teamId', '==', teamId)
    .where('invitedBy', '==', uid)
    .where('status', '==', 'pending')
    .where('role', 'in', rolesLost(role));
  for (const { id, data } of await sent.limit(MAX_INVITATIONS).findWithDamaged()) {
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
};

/** The roles to which a member with this role cannot invite. */
function rolesLost(role: Role | undefined): Role[] {
  if (role === undefined || !can(role, 'invitation:create')) return [...ROLES];
  return ROLES.filter((invited) => !isAtLeast(role, invited));
}
