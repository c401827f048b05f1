import { DamagedDocument } from '../firestore/damage.ts';
import type { Reads, Tx } from '../firestore/db.ts';
import type { RecipientRecord } from '../firestore/documents/mail.ts';
import { isIntact, type Found } from '../firestore/query.ts';
import { refusal, type Refusal } from '../refusals/refusals.ts';
import type { Config } from '../settings/config.ts';
import { writeMail, type Message, type UnsubscribeHeaders } from './outbox.store.ts';
import {
  afterMail,
  newRecipientRecord,
  recipientIdOf,
  refusalOf,
  topicKeyOf,
  type MailLimits,
} from './recipient.ts';

/** Mail to an address that another person entered. */
export interface RequestedMail {
  /** Lower case. */
  to: string;
  /** The topic of the mail, such as the id of a team. Two mails about one topic to one address need a pause. */
  about: string;
  /** The uid of the user in whose name the mail is sent. */
  sentBy: string;
  /** @param unsubscribeUrl URL of the page where the owner of the mailbox stops requested mail */
  write: (unsubscribeUrl: string) => Message;
}

interface MailboxOptions {
  tx: Tx;
  config: Config;
  now: Date;
}

/**
 * The mailboxes that a transaction can mail. `read` locks them until the commit, so concurrent transactions count each
 * other's mail.
 */
export class Mailboxes {
  readonly #options: MailboxOptions;
  /** By document id, including the mails of this transaction. */
  readonly #recipients: Map<string, RecipientRecord | DamagedDocument>;

  private constructor(options: MailboxOptions, recipients: Map<string, RecipientRecord | DamagedDocument>) {
    this.#options = options;
    this.#recipients = recipients;
  }

  /** Reads one document for each mailbox. */
  static async read(options: MailboxOptions, emails: readonly string[]): Promise<Mailboxes> {
    const ids = emails.map(recipientIdOf);
    const stored = await options.tx.mailRecipients.getWithDamaged(ids);
    const recipients = ids.map((id) => [id, stored.get(id) ?? newRecipientRecord(options.now)] as const);
    return new Mailboxes(options, new Map(recipients));
  }

  /**
   * The refusal for an address that cannot be mailed now; undefined for any other address.
   *
   * - `resend_too_soon`: the pause is not over.
   * - `recipient_limit`: the limit of the day is reached.
   * - `document_damaged`: the document of the mailbox cannot be read.
   */
  refusalFor({ to, about }: Pick<RequestedMail, 'to' | 'about'>): Refusal | undefined {
    const recipient = this.#recipients.get(recipientIdOf(to));
    if (recipient instanceof DamagedDocument) return recipient;
    return refusalOf(this.#recipientOf(to), topicKeyOf(to, about), this.#limits(), this.#options.now);
  }

  /**
   * Counts the mail, and writes the mail into the outbox unless the owner of the mailbox has opted out.
   *
   * @returns the message; undefined if no mail was written
   */
  enqueue({ to, about, sentBy, write }: RequestedMail): Message | undefined {
    const { tx, config, now } = this.#options;
    const id = recipientIdOf(to);
    const recipient = afterMail(
      this.#recipientOf(to),
      topicKeyOf(to, about),
      this.#limits().pauseMinutes,
      now,
    );
    this.#recipients.set(id, recipient);
    tx.mailRecipients.set(id, recipient);
    if (recipient.optedOutAt !== null) return undefined;
    const url = `${config.appUrl}/api/mail/unsubscribe?token=${recipient.token}`;
    const message = write(url);
    writeMail(tx, { to, message, headers: unsubscribeHeaders(url), sentBy }, now);
    return message;
  }

  #recipientOf(email: string): RecipientRecord {
    const recipient = this.#recipients.get(recipientIdOf(email));
    if (recipient === undefined) throw new Error('The transaction has not read this mailbox.');
    if (recipient instanceof DamagedDocument) throw recipient;
    return recipient;
  }

  #limits(): MailLimits {
    const { config } = this.#options;
    return { perDay: config.invitationsPerRecipientPerDay, pauseMinutes: config.invitationPauseMinutes };
  }
}

/** Mail programs show a button for these headers. https://www.rfc-editor.org/rfc/rfc8058 */
function unsubscribeHeaders(url: string): UnsubscribeHeaders {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Reads the mailbox with this token.
 *
 * @throws Refusal `unknown_link`
 */
export async function readRecipientByToken(reads: Reads, token: string): Promise<Found<RecipientRecord>> {
  const [found] = await reads.mailRecipients.where('token', '==', token).limit(1).findWithDamaged();
  if (found === undefined) throw refusal('unknown_link');
  if (!isIntact(found)) throw found.damage;
  return found;
}
