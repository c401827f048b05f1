import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../common/durations.ts';
import type { Db, Reads, Tx } from '../firestore/db.ts';
import type { Mail } from '../firestore/documents/mail.ts';
import type { Query } from '../firestore/query.ts';
import { newDelivery } from './delivery.ts';

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** Headers for which mail programs show an unsubscribe button. */
export interface UnsubscribeHeaders {
  'List-Unsubscribe': string;
  'List-Unsubscribe-Post': string;
}

export interface NewMail {
  /** Id of the document. A transaction fails if a mail with this id exists. By default the id is random. */
  id?: string;
  to: string;
  message: Message;
  headers?: UnsubscribeHeaders;
  /** The uid of the user in whose name the mail is sent. */
  sentBy?: string;
  /** Set if deleting the account of the recipient does not remove the mail. */
  outlivesAccount?: true;
}

const KEPT_MS = 30 * DAY_MS;

/** Time to deliver a mail whose recipient has no account any more. */
const KEPT_WITHOUT_ACCOUNT_MS = 2 * DAY_MS;

/**
 * Writes a mail into the outbox. It is sent if and only if the transaction commits.
 *
 * The document has the shape that the Trigger Email extension delivers.
 * https://firebase.google.com/docs/extensions/official/firestore-send-email
 */
export function writeMail(tx: Tx, { id, to, ...mail }: NewMail, now: Date): void {
  const document: Mail = {
    to: [to],
    ...mail,
    delivery: newDelivery(now),
    deleteAt: new Date(now.getTime() + (mail.outlivesAccount ? KEPT_WITHOUT_ACCOUNT_MS : KEPT_MS)),
  };
  if (id === undefined) tx.mail.createAsProof(tx.mail.newId(), document);
  else tx.mail.create(id, document);
}

/** Writes a mail that belongs to no other change, in a transaction of its own. */
export async function writeMailAlone(db: Db, mail: NewMail, now: Date): Promise<void> {
  await db.run((tx) => {
    writeMail(tx, mail, now);
    return Promise.resolve();
  });
}

/** Takes as long as `writeMail`, and changes nothing: it deletes a mail that does not exist. */
export function writeNoMail(tx: Tx): void {
  tx.mail.delete(randomUUID());
}

/** All mail to an address, in any state. */
export function mailToAddress(reads: Reads, email: string): Query<Mail> {
  return reads.mail.where('to', 'array-contains', email);
}

/** Mail to an address, the latest first. Mail of other programs has no `deleteAt` and is left out. */
export function latestMailTo(reads: Reads, email: string): Query<Mail> {
  return mailToAddress(reads, email).orderBy('deleteAt', 'desc');
}

/** All mail in the name of a user, in any state. */
export function mailSentBy(reads: Reads, uid: string): Query<Mail> {
  return reads.mail.where('sentBy', '==', uid);
}

/**
 * Mail whose attempt is due, mail that an operator wants sent again, and mail whose lease has expired. Oldest due time
 * first.
 */
export function dueMail(reads: Reads, now: Date): Query<Mail> {
  return reads.mail
    .where('delivery.state', 'in', ['PENDING', 'RETRY', 'PROCESSING'])
    .where('delivery.dueTime', '<=', now)
    .orderBy('delivery.dueTime')
    .orderBy('__name__');
}
