import type { Backend } from '../../backend.ts';
import { cleanName, cleanTeamName } from '../../common/name.ts';
import { refuse } from '../../refusals.ts';
import { isExpired, isOpen, requirePending, type InvitationLink } from '../invitation.ts';
import type { MailedInvitation } from '../invitation.view.ts';
import { findSender } from '../sender.ts';
import { hasSecret } from './secret.ts';

/**
 * Describes an invitation to whoever has the link in its mail, who may have no account yet. Reads two documents.
 *
 * @throws Refusal `invitation_not_found`, also for a link without the secret of the mail; `unknown_link` for a
 *   shared link that is not open; `already_accepted`, `already_rejected`, `invitation_expired`, `invitation_cancelled` (also if its sender may not invite any more)
 */
export async function describeInvitation(
  { db, now }: Backend,
  { id, secret }: InvitationLink,
): Promise<MailedInvitation> {
  const invitation = await db.invitations.get(id);
  if (invitation === undefined || !hasSecret(invitation, secret)) throw refuse('invitation_not_found');
  if (invitation.email === null && !isOpen(invitation, now())) throw refuse('unknown_link');
  requirePending(invitation);
  if (isExpired(invitation, now())) throw refuse('invitation_expired');
  const sender = await findSender(db, invitation);
  if (sender === undefined) throw refuse('invitation_cancelled');
  const { email, role, expiresAt } = invitation;
  return {
    email,
    role,
    teamName: cleanTeamName(invitation.teamName),
    inviterName: cleanName(sender.displayName),
    inviterEmail: sender.email,
    expiresAt: expiresAt.toISOString(),
  };
}
