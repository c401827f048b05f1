import type { Caller } from '../auth/caller.ts';
import type { Tx } from '../firestore/db.ts';
import type { Invitation } from '../firestore/documents/invitation.ts';
import type { Member } from '../firestore/documents/member.ts';
import type { Team } from '../firestore/documents/team.ts';
import { writeMail } from '../mail/outbox.store.ts';
import type { Mailboxes } from '../mail/recipient.store.ts';
import { invitationMail } from '../mail/templates/invitation.ts';
import { joinedMail } from '../mail/templates/team.ts';
import { writePush } from '../push/push.store.ts';
import { refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { linksOf } from './invitation.view.ts';

/**
 * Requires that the caller's address is verified, because the mail shows it.
 *
 * @throws Refusal `sender_unverified`
 */
export function requireVerifiedAddress({ email, emailVerified }: Caller): void {
  if (!emailVerified || email === undefined) {
    throw refusal('sender_unverified');
  }
}

export interface InvitationToMail {
  tx: Tx;
  now: Date;
  config: Config;
  sender: Caller;
  id: string;
  secret: string;
  invitation: Pick<Invitation, 'teamId' | 'teamName' | 'role' | 'expiresAt'> & { email: string };
}

/**
 * Writes the mail of an invitation and a push message, in the transaction that creates or renews the invitation. A
 * recipient who wants no invitations gets neither.
 */
export function writeInvitationMail(
  mailboxes: Mailboxes,
  { tx, now, config, sender, id, secret, invitation }: InvitationToMail,
): void {
  const { teamId, teamName, email, role, expiresAt } = invitation;
  const { uid: sentBy, displayName: senderName, email: senderEmail = '' } = sender;
  const mail = { teamName, senderName, senderEmail, role, expiresAt, ...linksOf(config, id, secret) };
  const message = mailboxes.enqueue({
    to: email,
    about: teamId,
    sentBy,
    write: (unsubscribeUrl) => invitationMail({ ...mail, unsubscribeUrl }, config.mailLanguage),
  });
  if (message === undefined) return;
  const data = { type: 'invitation', url: config.appUrl + config.dashboardPath, invitationId: id, teamId };
  writePush(tx, config, { to: { email }, sentBy, body: message.subject, data }, now);
}

export interface AcceptedInvitation {
  caller: Caller;
  /** The verified address of the caller; null for a caller who has only a phone number. */
  email: string | null;
  invitation: Pick<Invitation, 'role'>;
  team: Pick<Team, 'name'>;
  /** The sender of the invitation, who gets the mail. */
  sender: Pick<Member, 'email'>;
  now: Date;
}

/** Writes a mail to the sender about the accepted invitation, in the transaction that adds the member. */
export function writeJoinedMail(tx: Tx, config: Config, joined: AcceptedInvitation): void {
  const { caller, email: memberEmail, invitation, team, sender, now } = joined;
  if (!config.mailJoined || sender.email === null) return;
  const { uid: newMemberId, displayName: memberName = null } = caller;
  const { role } = invitation;
  const url = config.appUrl + config.dashboardPath;
  const message = joinedMail(
    { teamName: team.name, memberName, memberEmail, role, url },
    config.mailLanguage,
  );
  writeMail(tx, { to: sender.email, message, sentBy: newMemberId }, now);
}
