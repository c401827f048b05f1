import { createHash, randomBytes } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../common/durations.ts';
import { mailboxOf } from '../common/email.ts';
import type { RecipientRecord } from '../firestore/documents/mail.ts';
import { refusal, type Refusal } from '../refusals/refusals.ts';

export interface MailLimits {
  /** Mails to one mailbox in a day, from all senders together. */
  perDay: number;
  /** Minutes between two mails to an address about one topic. */
  pauseMinutes: number;
}

/** The links in the last mail work for this long. */
const KEPT_MS = 90 * DAY_MS;

/** Lower-case hex: a mail program that changes the case cannot produce another token. */
export const RECIPIENT_TOKEN = /^[0-9a-f]{48}$/;

export function recipientIdOf(email: string): string {
  return hash(mailboxOf(email));
}

/** Key of the topic of a mail, such as the invitations of an address to a team. */
export function topicKeyOf(email: string, about: string): string {
  return hash(`${about} ${email}`).slice(0, 20);
}

/** The state of a mailbox without a document. */
export function newRecipientRecord(now: Date): RecipientRecord {
  const token = randomBytes(24).toString('hex');
  return { token, optedOutAt: null, count: 0, countedUntil: now, lastSentAt: {}, deleteAt: null };
}

/**
 * The refusal for a mailbox that cannot be mailed now; undefined for any other mailbox. Ignores whether its owner wants
 * mail, so that senders cannot learn this.
 */
export function refusalOf(
  recipient: RecipientRecord,
  topicKey: string,
  { perDay, pauseMinutes }: MailLimits,
  now: Date,
): Refusal | undefined {
  const pauseEnds = (recipient.lastSentAt[topicKey]?.getTime() ?? -Infinity) + pauseMinutes * MINUTE_MS;
  const pause = pauseEnds - now.getTime();
  if (pause > 0) {
    return refusal('resend_too_soon', { wait: Math.ceil(pause / 1000) });
  }
  const rest = recipient.countedUntil.getTime() - now.getTime();
  if (rest > 0 && recipient.count >= perDay) {
    return refusal('recipient_limit', { wait: Math.ceil(rest / 1000) });
  }
  return undefined;
}

/**
 * The mailbox after one more mail. Mail that the owner of the mailbox does not want also counts, so that senders see no
 * difference.
 */
export function afterMail(
  recipient: RecipientRecord,
  topicKey: string,
  pauseMinutes: number,
  now: Date,
): RecipientRecord {
  const isInWindow = recipient.countedUntil > now;
  const oldest = now.getTime() - pauseMinutes * MINUTE_MS;
  const recent = Object.entries(recipient.lastSentAt).filter(([, at]) => at.getTime() > oldest);
  return {
    ...recipient,
    count: (isInWindow ? recipient.count : 0) + 1,
    countedUntil: isInWindow ? recipient.countedUntil : new Date(now.getTime() + DAY_MS),
    lastSentAt: Object.fromEntries([...recent, [topicKey, now]]),
    deleteAt: recipient.optedOutAt === null ? keptUntil(now) : null,
  };
}

/** The change to a mailbox by its owner's choice. An opt-out never expires. Without an opt-out the document expires. */
export function afterChoice(optsOut: boolean, now: Date): Pick<RecipientRecord, 'optedOutAt' | 'deleteAt'> {
  return optsOut ? { optedOutAt: now, deleteAt: null } : { optedOutAt: null, deleteAt: keptUntil(now) };
}

function keptUntil(now: Date): Date {
  return new Date(now.getTime() + KEPT_MS);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
