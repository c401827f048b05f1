import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type { Config } from '../config.ts';
import type { Writable } from '../documents.ts';
import type { Caller } from '../http/caller.ts';
import { forbidden } from '../http/errors.ts';
import { enqueueMail } from '../mail/outbox.store.ts';
import { invitationMail } from '../mail/templates/invitation.ts';
import type { Invitation } from './invitation.ts';
import { linksOf } from './invitation.view.ts';

/**
 * Nobody has mail sent in the name of an address that may not be theirs.
 *
 * @throws HttpError 403 for who has not verified theirs
 */
export function assertMayMail({ emailVerified }: Caller): void {
  if (!emailVerified) {
    throw forbidden('Verify your e-mail address before you invite others.', 'email_unverified');
  }
}

/** As the API allows it; the client SDKs let any name through, and it ends in a subject. */
const MAX_NAME = 100;

/** Writes the mail of an invitation beside it, in the transaction that makes or renews it. */
export function mailInvitation(
  transaction: Transaction,
  firestore: Firestore,
  config: Config,
  inviter: Caller,
  id: string,
  invitation: Pick<Writable<Invitation>, 'teamName' | 'email' | 'role' | 'expiresAt'>,
  now: Date,
): void {
  const { teamName, email, role, expiresAt } = invitation;
  const mail = { teamName, role, expiresAt, inviter: nameOf(inviter), ...linksOf(config, id) };
  const message = invitationMail(mail);
  enqueueMail(transaction, firestore, { to: email, message, sentBy: inviter.uid, now });
}

function nameOf({ displayName, email }: Caller): string {
  return (displayName ?? email ?? 'Somebody').slice(0, MAX_NAME);
}
