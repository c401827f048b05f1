import { can, isAtLeast } from '@hearth/shared/roles';
import type { Reads } from '../firestore/db.ts';
import { isDocumentId } from '../firestore/document-id.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Member } from '../firestore/documents/member.ts';

/**
 * Finds the sender of an invitation. Undefined if the sender has left the team, or can no longer invite to the role of
 * the invitation. Reads one document. A transaction locks this document, so nobody can remove the sender or change the
 * sender's role before the commit.
 */
export async function findSender(
  reads: Reads,
  { teamId, invitedBy, role }: Pick<Invitation, 'teamId' | 'invitedBy' | 'role'>,
): Promise<Member | undefined> {
  // The field may be missing, or another program has written it.
  if (!isDocumentId(invitedBy)) return undefined;
  const sender = await reads.members(teamId).get(invitedBy);
  if (sender === undefined || !can(sender.role, 'invitation:create')) return undefined;
  return isAtLeast(sender.role, role) ? sender : undefined;
}
