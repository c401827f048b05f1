import type { Backend } from '../../backend.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Invitation } from '../../firestore/documents/invitation.ts';
import { writeMail } from '../../mail/outbox.store.ts';
import { askedMail } from '../../mail/templates/team.ts';
import { refusal } from '../../refusals/refusals.ts';
import { ownersOf } from '../../teams/members/member.store.ts';
import { isBeingDeleted } from '../../teams/team.ts';
import { hasSecret, type InvitationLink } from '../invitation.ts';
import { findSender } from '../sender.store.ts';

/**
 * Writes a mail to the sender of an invitation: the recipient asks for a new invitation. If the sender can no longer
 * invite, an owner of the team gets the mail. Repeated and concurrent requests with one link write one mail, because
 * the invitation stores the time of the first one.
 *
 * @throws Refusal `invitation_not_found`, also for a link without the secret of a mail; `already_accepted`,
 *   `team_not_found`
 */
export async function askForInvitation(backend: Backend, { id, secret }: InvitationLink): Promise<void> {
  const { config, db, now } = backend;
  await db.run(async (tx) => {
    const invitation = await tx.invitations.get(id);
    if (invitation === undefined || !hasSecret(invitation, secret)) throw refusal('invitation_not_found');
    const { email } = invitation;
    // The recipient of a shared invitation can ask the person who gave the link.
    if (email === null) throw refusal('invitation_not_found');
    if (invitation.status === 'accepted') throw refusal('already_accepted');
    const team = await tx.teams.get(invitation.teamId);
    if (team === undefined || isBeingDeleted(team)) throw refusal('team_not_found');
    if (invitation.askedAt !== undefined) return;
    const to = await addressOfSender(tx, invitation);
    // The page confirms the request although no mail is sent. Another page would show that no address is known.
    if (to === null) return;
    const url = config.appUrl + config.dashboardPath;
    const message = askedMail({ email, teamName: team.name, url }, config.mailLanguage);
    const at = now();
    writeMail(tx, { to, message }, at);
    tx.invitations.update(id, { askedAt: at });
  });
}

/** The address of the sender, or of an owner if the sender can no longer invite. Null if this address is not known. */
async function addressOfSender(tx: Tx, invitation: Invitation): Promise<string | null> {
  const sender = await findSender(tx, invitation);
  if (sender !== undefined) return sender.email;
  const owners = await ownersOf(tx, invitation.teamId).limit(1).findIntact();
  return owners[0]?.data.email ?? null;
}
