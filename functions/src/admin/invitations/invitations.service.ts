import { userAsCaller } from '../../auth/caller.ts';
import { userStateOf } from '../../auth/users/user-states.ts';
import type { Backend } from '../../backend.ts';
import { isDocumentId } from '../../firestore/document-id.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import { resendInvitation } from '../../invitations/resend-or-cancel.service.ts';
import { findSender } from '../../invitations/sender.store.ts';
import { refusal } from '../../refusals/refusals.ts';
import { recordActionIn, requireAccount, type Operator } from '../operator.service.ts';
import { listFirst, withoutFields } from '../stored-documents.ts';

/**
 * Finds at most 20 invitations, in any state, to an address that may have no account.
 *
 * @param email lower case
 */
export async function findInvitations({ db }: Backend, email: string): Promise<Record<string, unknown>[]> {
  return listFirst(db.invitations.where('email', '==', email), ['secretHash']);
}

/** @throws Refusal `invitation_not_found` */
export async function describeInvitation(backend: Backend, id: string): Promise<Record<string, unknown>> {
  return withoutFields(await requireInvitation(backend, id), ['secretHash']);
}

/**
 * Mails a pending invitation again, in the name of its sender, or of the responsible owner if the sender can no longer
 * invite.
 *
 * @throws Refusal as `resendInvitation`; `user_not_found` if that person has no account any more
 */
export async function resendInvitationAsOperator(
  backend: Backend,
  operator: Operator,
  id: string,
): Promise<void> {
  const { db, now } = backend;
  const invitation = await requireInvitation(backend, id);
  const { teamId } = invitation;
  const sender = await findSender(db, invitation);
  const senderId = sender?.uid ?? (await db.teams.get(teamId))?.ownerId;
  if (senderId === undefined) throw refusal('team_not_found');
  const caller = userAsCaller(userStateOf(await requireAccount(backend, senderId)), now());
  await resendInvitation(backend, caller, { teamId, id }, (tx) => {
    recordActionIn(tx, operator, now(), { action: 'admin.invitation_resent', target: id, teamId });
  });
}

async function requireInvitation({ db }: Backend, id: string): Promise<Invitation> {
  const invitation = isDocumentId(id) ? await db.invitations.get(id) : undefined;
  if (invitation === undefined) throw refusal('invitation_not_found');
  return invitation;
}
