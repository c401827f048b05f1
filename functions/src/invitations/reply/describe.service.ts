import type { Backend } from '../../backend.ts';
import { cleanName, cleanTeamName } from '../../common/name.ts';
import { refusal } from '../../refusals/refusals.ts';
import { hasSecret, refusalForSenderWithoutRight, requireOpen, type InvitationLink } from '../invitation.ts';
import type { LinkedInvitation } from '../invitation.view.ts';
import { findSender } from '../sender.store.ts';

/**
 * Describes an invitation for a visitor who has the link with the secret. The visitor may have no account yet. Reads
 * two documents: the invitation and the membership of its sender.
 *
 * @throws Refusal `invitation_not_found`, also for a link without the secret; as `requireOpen` and
 *   `refusalForSenderWithoutRight`
 */
export async function describeInvitation(
  { db, now }: Backend,
  { id, secret }: InvitationLink,
): Promise<LinkedInvitation> {
  const invitation = await db.invitations.get(id);
  if (invitation === undefined || !hasSecret(invitation, secret)) throw refusal('invitation_not_found');
  requireOpen(invitation, now());
  const sender = await findSender(db, invitation);
  if (sender === undefined) throw refusalForSenderWithoutRight(invitation);
  const { email, role, expiresAt } = invitation;
  return {
    email,
    role,
    teamName: cleanTeamName(invitation.teamName),
    senderName: cleanName(sender.displayName),
    senderEmail: sender.email,
    expiresAt: expiresAt.toISOString(),
  };
}
