import type { Firestore, Transaction } from 'firebase-admin/firestore';
import { isDocumentId } from '../firestore/documents.ts';
import { memberRef } from '../teams/member.store.ts';
import { can, canHandle } from '../teams/roles.ts';
import type { Invitation } from './invitation.ts';

/**
 * Whether the sender of an invitation is still a member who may invite to its role. Reads one document, which stays
 * locked until the commit, so that a removal of the sender comes before or after the whole transaction.
 */
export async function maySenderInvite(
  transaction: Transaction,
  firestore: Firestore,
  { teamId, invitedBy, role }: Pick<Invitation, 'teamId' | 'invitedBy' | 'role'>,
): Promise<boolean> {
  if (!isUid(invitedBy)) return false;
  const sender = (await transaction.get(memberRef(firestore, teamId, invitedBy))).data();
  return sender !== undefined && can(sender.role, 'invitation:create') && canHandle(sender.role, role);
}

/** An old document, or one written by hand, may name no sender. */
function isUid(value: unknown): value is string {
  return typeof value === 'string' && isDocumentId(value);
}
