import { recordAudit } from '../audit/audit-log.store.ts';
import { can, canHandle, ROLES, type Role } from '../teams/roles.ts';
import type { EndGrants } from '../teams/rights.ts';
import { closeInvitation, pendingOfSender } from './invitation.store.ts';

/** Bounds the writes of a transaction: two for each invitation. Accepting refuses any others. */
const MOST_AT_ONCE = 100;

/**
 * Cancels the pending invitations, expired or not, that a member may no longer send. It frees their seats. Accepting
 * checks the sender as well, so nothing depends on this.
 */
export const withdrawInvitations: EndGrants = async (loss) => {
  const { transaction, firestore, teamId, uid, role, actorId, now, auditDays } = loss;
  const sent = pendingOfSender(firestore, { teamId, uid, roles: rolesLost(role) });
  const { docs } = await transaction.get(sent.limit(MOST_AT_ONCE));
  return () => {
    for (const invitation of docs) {
      const { id } = invitation;
      const { email, role: invited } = invitation.data();
      closeInvitation(transaction, firestore, id, 'cancelled', now);
      recordAudit(transaction, firestore, {
        teamId,
        actorId,
        action: 'invitation.cancelled',
        target: id,
        at: now,
        keptDays: auditDays,
        details: { email, role: invited, reason: 'sender_lost_rights' },
      });
    }
  };
};

/** The roles to which a member with this role may not invite. */
function rolesLost(role: Role | undefined): Role[] {
  if (role === undefined || !can(role, 'invitation:create')) return [...ROLES];
  return ROLES.filter((invited) => !canHandle(role, invited));
}
