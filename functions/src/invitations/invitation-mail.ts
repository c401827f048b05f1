import type { Firestore, Transaction } from 'firebase-admin/firestore';
import type { Config } from '../config.ts';
import type { Writable } from '../documents.ts';
import type { Caller } from '../http/caller.ts';
import { enqueueMail } from '../mail/outbox.store.ts';
import { invitationMail } from '../mail/templates/invitation.ts';
import type { Invitation } from './invitation.ts';
import { linksOf } from './invitation.view.ts';

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
  enqueueMail(transaction, firestore, { to: email, message: invitationMail(mail), now });
}

function nameOf({ displayName, email }: Caller): string {
  return displayName ?? email ?? 'Somebody';
}
