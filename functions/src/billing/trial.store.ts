import type { DocumentReference, Firestore, Timestamp, Transaction } from 'firebase-admin/firestore';
import { collectionOf, isDocumentId } from '../documents.ts';
import type { Subject } from './subject.ts';

/**
 * `trials/{customerId}`: who has had a free trial, or has an open checkout with one. A team's trial is also that of the
 * owner who answers for it and of whoever began it: who makes team after team gets one trial, and not one for each.
 */
interface TrialDocument {
  /** The user or team whose checkout the trial is promised to. */
  customerId: string;
  reservedAt: Timestamp;
  /** When it began. */
  usedAt?: Timestamp;
}

interface Trials {
  refs: DocumentReference<TrialDocument>[];
  isFree: boolean;
}

/** A checkout ends a day after it was begun; an hour is left for clocks that differ.
 * https://docs.stripe.com/api/checkout/sessions/create#create_checkout_session-expires_at */
const RESERVED_MS = 25 * 3_600_000;

/** Whether a subject may have a trial. Reads one document for a user, two or three for a team. */
export async function readTrials(
  transaction: Transaction,
  firestore: Firestore,
  subject: Subject,
  now: Date,
): Promise<Trials> {
  const refs = refsOf(firestore, [subject.customerId, subject.ownerId, subject.callerId]);
  const snapshots = await Promise.all(refs.map((ref) => transaction.get(ref)));
  const isFree = snapshots.every((snapshot) => {
    const trial = snapshot.data();
    if (trial === undefined) return true;
    if (trial.usedAt !== undefined) return false;
    const isOver = now.getTime() - trial.reservedAt.toMillis() > RESERVED_MS;
    return isOver || trial.customerId === subject.customerId;
  });
  return { refs, isFree };
}

/**
 * Keeps the trial for a subject's checkout from the moment that its page is made: another team of the same people gets
 * none while it is open.
 */
export function reserveTrials(
  transaction: Transaction,
  { refs }: Trials,
  { customerId }: Subject,
  now: Date,
): void {
  for (const { path, firestore } of refs) {
    transaction.set(firestore.doc(path), { customerId, reservedAt: now });
  }
}

/** Notes that a trial has begun, for everybody whose it is. */
export function useTrials(
  transaction: Transaction,
  firestore: Firestore,
  customerId: string,
  people: readonly (string | undefined)[],
  usedAt: Date,
): void {
  // Metadata can be edited in Stripe's dashboard.
  const holders = [customerId, ...people.filter((uid) => uid !== undefined && isDocumentId(uid))];
  for (const { path } of refsOf(
    firestore,
    holders.filter((id) => id !== undefined),
  )) {
    transaction.set(firestore.doc(path), { customerId, reservedAt: usedAt, usedAt });
  }
}

function refsOf(firestore: Firestore, ids: readonly string[]): DocumentReference<TrialDocument>[] {
  return [...new Set(ids)].map((id) => collectionOf<TrialDocument>(firestore, 'trials').doc(id));
}
