import type { Backend } from '../backend.ts';
import type { Tx } from '../firestore/db.ts';
import { SYSTEM } from '../firestore/documents/audit-entry.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Forget } from '../personal-data/purge.ts';
import { invitationsBy, invitationsTo } from './invitation.store.ts';
import { closingChange } from './invitation.ts';

/**
 * Deletes the invitations to the verified address of a deleted user. If an invitation is pending, the audit log of the
 * team records that the invitation was cancelled.
 */
export const forgetInvitationsTo: Forget = async (backend, { verifiedEmail, pseudonym }, limit) => {
  if (verifiedEmail === undefined) return 0;
  return backend.db.changeBatch(
    (reads) => invitationsTo(reads, verifiedEmail),
    limit,
    (tx, found) => {
      for (const { id, data } of found) {
        tx.invitations.delete(id);
        if (data?.status === 'pending') recordCancelled(backend, tx, id, { ...data, email: pseudonym });
      }
    },
  );
};

/** Replaces the sender by the pseudonym in invitations that a deleted user has sent. Cancels the pending ones. */
export const forgetInvitationsBy: Forget = async (backend, { uid, pseudonym }, limit) =>
  backend.db.changeBatch(
    (reads) => invitationsBy(reads, uid),
    limit,
    (tx, found) => {
      for (const { id, data } of found) {
        const isPending = data?.status === 'pending';
        tx.invitations.update(id, {
          invitedBy: pseudonym,
          ...(isPending && closingChange('cancelled', backend.now())),
        });
        if (isPending) recordCancelled(backend, tx, id, data);
      }
    },
  );

function recordCancelled({ now }: Backend, tx: Tx, id: string, { teamId, email, role }: Invitation): void {
  tx.audit.record({
    teamId,
    actorId: SYSTEM,
    action: 'invitation.cancelled',
    target: id,
    at: now(),
    details: { email, role, reason: 'account_deleted' },
  });
}
