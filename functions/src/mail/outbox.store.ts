import type { DocumentReference, Firestore, Query, Timestamp, Transaction } from 'firebase-admin/firestore';
import { collectionOf, type Writable } from '../firestore/documents.ts';
import { delayAfter, LEASE_MS, MISSED_AFTER_MS, type Delivery, type Outcome } from './delivery.ts';

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** Additional headers for which mail programs show a button that stops such mail. */
export interface UnsubscribeHeaders {
  'List-Unsubscribe': string;
  'List-Unsubscribe-Post': string;
}

/** A document of `mail/`, as far as it is ours: an admin may write there too. */
export interface Mail {
  to: unknown;
  message: unknown;
  /** The uid of the user in whose name the mail is sent. */
  sentBy?: string;
  headers?: unknown;
  delivery?: Delivery;
  /** From then on Firestore's TTL policy removes it, whatever its state. */
  deleteAt?: Timestamp;
}

const KEPT_MS = 30 * 86_400_000;

/**
 * Puts a message into `mail/{id}`, in the transaction that has a reason for it: it is sent if and only if that happened.
 *
 * The document has the shape that the Trigger Email extension delivers.
 * https://firebase.google.com/docs/extensions/official/firestore-send-email
 */
export function enqueueMail(
  transaction: Transaction,
  firestore: Firestore,
  mail: { to: string; message: Message; headers?: UnsubscribeHeaders; sentBy?: string; now: Date },
): void {
  const { to, message, headers, sentBy, now } = mail;
  transaction.create(firestore.collection('mail').doc(), {
    to: [to],
    message,
    ...(headers !== undefined && { headers }),
    ...(sentBy !== undefined && { sentBy }),
    delivery: {
      state: 'PENDING',
      startTime: now,
      endTime: null,
      attempts: 0,
      error: null,
      leaseExpireTime: null,
      dueTime: later(now, MISSED_AFTER_MS),
      info: null,
    } satisfies Writable<Delivery>,
    deleteAt: later(now, KEPT_MS),
  });
}

export function mailRef(firestore: Firestore, id: string): DocumentReference<Mail> {
  return collectionOf<Mail>(firestore, 'mail').doc(id);
}

/** All mail to an address, whatever its state. */
export function mailTo(firestore: Firestore, email: string): Query<Mail> {
  return collectionOf<Mail>(firestore, 'mail').where('to', 'array-contains', email);
}

/** All mail in the name of a user, whatever its state. */
export function mailBy(firestore: Firestore, uid: string): Query<Mail> {
  return collectionOf<Mail>(firestore, 'mail').where('sentBy', '==', uid);
}

/** What waits for an attempt that is due, what an admin wants sent again, and what was claimed but never finished. */
export function dueMail(firestore: Firestore, now: Date): Query {
  return firestore
    .collection('mail')
    .where('delivery.state', 'in', ['PENDING', 'RETRY', 'PROCESSING'])
    .where('delivery.dueTime', '<=', now)
    .orderBy('delivery.dueTime')
    .select('delivery.dueTime');
}

/** Claims a mail for one more attempt. @returns until when, which names the claim */
export function claimMail(
  transaction: Transaction,
  ref: DocumentReference<Mail>,
  delivery: Delivery | undefined,
  now: Date,
): Date {
  const again = delivery?.state === 'PENDING' ? delivery : undefined;
  const leaseExpireTime = later(now, LEASE_MS);
  transaction.update(ref, {
    delivery: {
      state: 'PROCESSING',
      startTime: again?.startTime ?? now,
      endTime: null,
      attempts: (again?.attempts ?? 0) + 1,
      error: again?.error ?? null,
      leaseExpireTime,
      dueTime: leaseExpireTime,
      info: null,
    } satisfies { [Key in keyof Delivery]: Delivery[Key] | Date },
  });
  return leaseExpireTime;
}

/** Ends a delivery without an attempt. The lease stays: its holder, should it live, may still tell the true outcome. */
export function closeMail(
  transaction: Transaction,
  ref: DocumentReference<Mail>,
  error: string,
  now: Date,
): void {
  transaction.update(ref, { 'delivery.state': 'ERROR', 'delivery.error': error, 'delivery.endTime': now });
}

/** Writes down what became of the attempt that is under way. */
export function recordOutcome(
  transaction: Transaction,
  ref: DocumentReference<Mail>,
  attempts: number,
  outcome: Outcome,
  now: Date,
): void {
  const deferred = outcome.kind === 'deferred';
  transaction.update(ref, {
    'delivery.state': outcome.kind === 'sent' ? 'SUCCESS' : deferred ? 'PENDING' : 'ERROR',
    'delivery.endTime': deferred ? null : now,
    'delivery.leaseExpireTime': null,
    'delivery.error': outcome.kind === 'sent' ? null : outcome.error,
    'delivery.info': outcome.kind === 'sent' ? outcome.info : null,
    ...(deferred && { 'delivery.dueTime': later(now, delayAfter(attempts)) }),
  });
}

function later(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}
