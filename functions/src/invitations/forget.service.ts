import type { Firestore, QueryDocumentSnapshot, Transaction } from 'firebase-admin/firestore';
import { recordAudit, SYSTEM } from '../audit/audit-log.store.ts';
import { changeFound, type RemoveTraces } from '../personal-data/removal.ts';
import type { Backend } from '../backend.ts';
import type { Invitation } from './invitation.ts';
import { closeInvitation, invitationsBy, invitationsTo } from './invitation.store.ts';

/** Deletes invitations to a deleted user. The teams' audit logs record the end of the open ones. */
export const removeInvitationsTo: RemoveTraces = async (backend, { verifiedEmail, pseudonym }, most) => {
  if (verifiedEmail === undefined) return 0;
  const firestore = await backend.firestore();
  return changeFound(firestore, invitationsTo(firestore, verifiedEmail), most, (transaction, found) => {
    for (const invitation of found) {
      transaction.delete(invitation.ref);
      recordEnd(backend, transaction, firestore, { invitation, email: pseudonym });
    }
  });
};

/** Invitations by a deleted user: the open ones are cancelled, since nobody answers for them any more. */
export const forgetInvitationsBy: RemoveTraces = async (backend, { uid, pseudonym }, most) => {
  const firestore = await backend.firestore();
  return changeFound(firestore, invitationsBy(firestore, uid), most, (transaction, found) => {
    for (const invitation of found) {
      const { status, email } = invitation.data();
      transaction.update(invitation.ref, { invitedBy: pseudonym });
      if (status !== 'pending') continue;
      closeInvitation(transaction, firestore, invitation.id, 'cancelled', backend.now());
      recordEnd(backend, transaction, firestore, { invitation, email });
    }
  });
};

/** Only a pending invitation ends. */
function recordEnd(
  { now, auditDays }: Backend,
  transaction: Transaction,
  firestore: Firestore,
  { invitation, email }: { invitation: QueryDocumentSnapshot<Invitation>; email: string },
): void {
  const { teamId, role, status } = invitation.data();
  if (status !== 'pending') return;
  recordAudit(transaction, firestore, {
    teamId,
    actorId: SYSTEM,
    action: 'invitation.cancelled',
    target: invitation.id,
    at: now(),
    keptDays: auditDays,
    details: { email, role, reason: 'account_deleted' },
  });
}
