import { nothing, readAll, type ExportParts } from '../personal-data/export-parts.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import { invitationsByLegacy, invitationsToLegacy } from './invitation.store.ts';

/** Without the id, which is the secret of the link, and without the other side's uid. */
function viewOf(invitation: Invitation): object {
  const { teamId, teamName, email, role, status, createdAt, expiresAt, respondedAt } = invitation;
  return { teamId, teamName, email, role, status, createdAt, expiresAt, respondedAt };
}

export const INVITATIONS_EXPORT: ExportParts = {
  invitationsReceived: {
    many: (firestore, { verifiedEmail }) =>
      verifiedEmail === undefined
        ? nothing()
        : readAll(invitationsToLegacy(firestore, verifiedEmail), viewOf),
  },
  invitationsSent: { many: (firestore, { uid }) => readAll(invitationsByLegacy(firestore, uid), viewOf) },
};
