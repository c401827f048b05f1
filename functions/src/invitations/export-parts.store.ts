import type { Invitation } from '../firestore/documents/invitation.ts';
import { exportAll, exportNothing, type ExportParts } from '../personal-data/export-parts.ts';

export const INVITATIONS_EXPORT: ExportParts = {
  invitationsReceived: {
    many: (db, { verifiedEmail }) =>
      verifiedEmail === undefined
        ? exportNothing()
        : exportAll(db.invitations.where('email', '==', verifiedEmail), ({ data }) => exportViewOf(data)),
  },
  invitationsSent: {
    many: (db, { uid }) =>
      exportAll(db.invitations.where('invitedBy', '==', uid), ({ data }) => exportViewOf(data)),
  },
};

/** Leaves out the sender, and the id, which is part of the links that accept the invitation. */
function exportViewOf(invitation: Invitation): object {
  const { teamId, teamName, email, role, status, createdAt, expiresAt, respondedAt } = invitation;
  return { teamId, teamName, email, role, status, createdAt, expiresAt, respondedAt };
}
