import type { Firestore, Transaction } from 'firebase-admin/firestore';

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/**
 * Puts a message into `mail/{id}`, in the transaction that has a reason for it: it is sent if and only if that happened.
 *
 * The document has the shape that the Trigger Email extension delivers.
 * https://firebase.google.com/docs/extensions/official/firestore-send-email
 */
export function enqueueMail(
  transaction: Transaction,
  firestore: Firestore,
  to: string,
  message: Message,
): void {
  transaction.create(firestore.collection('mail').doc(), { to: [to], message });
}
