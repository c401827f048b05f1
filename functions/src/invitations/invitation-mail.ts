import type { Config } from '../settings/config.ts';
import type { Writable } from '../firestore/documents.ts';
import type { Caller } from '../auth/caller.ts';
import { refuse } from '../refusals.ts';
import type { Mailboxes } from '../mail/recipient.store.ts';
import { invitationMail } from '../mail/templates/invitation.ts';
import type { Invitation } from './invitation.ts';
import { linksOf } from './invitation.view.ts';

/**
 * Nobody has mail sent in the name of an address that may not be theirs.
 *
 * @throws Refusal 403 for who has not verified theirs
 */
export function assertMayMail({ email, emailVerified }: Caller): void {
  if (!emailVerified || email === undefined) {
    throw refuse('email_unverified', { act: 'invite others' });
  }
}

export interface InvitationToMail {
  config: Config;
  inviter: Caller;
  id: string;
  /** Goes into the links of the mail and nowhere else. */
  secret: string;
  invitation: Pick<Writable<Invitation>, 'teamId' | 'teamName' | 'email' | 'role' | 'expiresAt'>;
}

/** Writes the mail of an invitation beside it, in the transaction that makes or renews it. Its links carry the secret. */
export function mailInvitation(
  mailboxes: Mailboxes,
  { config, inviter, id, secret, invitation }: InvitationToMail,
): void {
  const { teamId, teamName, email, role, expiresAt } = invitation;
  const { uid: sentBy, displayName: inviterName, email: inviterEmail = '' } = inviter;
  const mail = { teamName, inviterName, inviterEmail, role, expiresAt, ...linksOf(config, id, secret) };
  mailboxes.send({
    to: email,
    about: teamId,
    sentBy,
    write: (unsubscribeUrl) => invitationMail({ ...mail, unsubscribeUrl }),
  });
}
