import type { DocumentReference, Firestore, Query, Timestamp, Transaction } from 'firebase-admin/firestore';
import type { Config } from '../settings/config.ts';
import { collectionOf } from '../firestore/documents.ts';
import { Refusal } from '../refusals.ts';
import { enqueueMail, type Message, type UnsubscribeHeaders } from './outbox.store.ts';
import {
  afterMail,
  newRecipient,
  recipientIdOf,
  refusalOf,
  subjectKeyOf,
  type MailLimits,
  type Recipient,
} from './recipient.ts';

type StoredRecipient = Recipient<Timestamp>;

/** Mail to an address that somebody else entered. */
export interface RequestedMail {
  /** Lower case. */
  to: string;
  /** Identifies the subject of the mail for the pause between two mails, such as the id of a team. */
  about: string;
  /** The uid of the user in whose name the mail is sent. */
  sentBy: string;
  /** @param unsubscribeUrl URL where the owner of the mailbox stops such mail */
  write: (unsubscribeUrl: string) => Message;
}

/**
 * The mailboxes that a transaction may mail. They are read before the first write, and locked until the commit. So the
 * second of two concurrent mails counts the first.
 */
export class Mailboxes {
  readonly #transaction: Transaction;
  readonly #firestore: Firestore;
  readonly #config: Config;
  readonly #now: Date;
  /** By document id, including the mails of this transaction. */
  readonly #recipients: Map<string, Recipient>;

  private constructor(
    { transaction, firestore, config, now }: MailboxContext,
    recipients: Map<string, Recipient>,
  ) {
    this.#transaction = transaction;
    this.#firestore = firestore;
    this.#config = config;
    this.#now = now;
    this.#recipients = recipients;
  }

  /** Reads one document for each mailbox. */
  static async open(context: MailboxContext, emails: readonly string[]): Promise<Mailboxes> {
    const { transaction, firestore, now } = context;
    const refs = [...new Set(emails.map(recipientIdOf))].map((id) => recipientRef(firestore, id));
    const found = refs.length === 0 ? [] : await transaction.getAll(...refs);
    const recipients = found.map((snapshot): [string, Recipient] => {
      const stored = snapshot.data();
      return [snapshot.id, stored === undefined ? newRecipient(now) : fromStored(stored)];
    });
    return new Mailboxes(context, new Map(recipients));
  }

  /** The error for an address that cannot be mailed now: 429 for the pause or the limit. */
  refusal({ to, about }: Pick<RequestedMail, 'to' | 'about'>): Refusal | undefined {
    return refusalOf(this.#recipientOf(to), subjectKeyOf(to, about), this.#limits(), this.#now);
  }

  /** Writes the mail into the outbox, unless the owner of the mailbox wants none. It counts in either case. */
  send({ to, about, sentBy, write }: RequestedMail): void {
    const id = recipientIdOf(to);
    const { pauseMinutes } = this.#limits();
    const recipient = afterMail(this.#recipientOf(to), subjectKeyOf(to, about), pauseMinutes, this.#now);
    this.#recipients.set(id, recipient);
    this.#transaction.set(this.#firestore.doc(`mailRecipients/${id}`), recipient);
    if (recipient.optedOutAt !== null) return;
    const url = `${this.#config.appUrl}/api/mail/unsubscribe?token=${recipient.token}`;
    enqueueMail(this.#transaction, this.#firestore, {
      to,
      message: write(url),
      headers: unsubscribeHeaders(url),
      sentBy,
      now: this.#now,
    });
  }

  #recipientOf(email: string): Recipient {
    const recipient = this.#recipients.get(recipientIdOf(email));
    if (recipient === undefined) throw new Error('The transaction has not read this mailbox.');
    return recipient;
  }

  #limits(): MailLimits {
    const { invitationsPerRecipientPerDay: perDay, invitationPauseMinutes: pauseMinutes } = this.#config;
    return { perDay, pauseMinutes };
  }
}

export interface MailboxContext {
  transaction: Transaction;
  firestore: Firestore;
  config: Config;
  now: Date;
}

/** Mail programs show a button for these. https://www.rfc-editor.org/rfc/rfc8058 */
function unsubscribeHeaders(url: string): UnsubscribeHeaders {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** Finds the mailbox with this token: at most one. */
export function recipientsByToken(firestore: Firestore, token: string): Query<StoredRecipient> {
  return collectionOf<StoredRecipient>(firestore, 'mailRecipients').where('token', '==', token).limit(1);
}

export function recipientRef(firestore: Firestore, id: string): DocumentReference<StoredRecipient> {
  return collectionOf<StoredRecipient>(firestore, 'mailRecipients').doc(id);
}

function fromStored({ optedOutAt, countedUntil, lastSentAt, deleteAt, ...rest }: StoredRecipient): Recipient {
  return {
    ...rest,
    optedOutAt: optedOutAt?.toDate() ?? null,
    countedUntil: countedUntil.toDate(),
    lastSentAt: Object.fromEntries(Object.entries(lastSentAt).map(([key, at]) => [key, at.toDate()])),
    deleteAt: deleteAt?.toDate() ?? null,
  };
}
