import type { Reads } from '../firestore/db.ts';
import { isDocumentId } from '../firestore/document-id.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import { can, isAtLeast } from '@hearth/shared/roles';

/**
 * True if the sender of an invitation is still a member who may invite to its role. Reads one document, which a
 * transaction locks: a removal of the sender is committed either before or after it.
 */
export async function maySenderInvite(
  reads: Reads,
  { teamId, invitedBy, role }: Pick<Invitation, 'teamId' | 'invitedBy' | 'role'>,
): Promise<boolean> {
  if (!isDocumentId(invitedBy)) return false;
  const sender = await reads.members(teamId).get(invitedBy);
  return sender !== undefined && can(sender.role, 'invitation:create') && isAtLeast(sender.role, role);
}
