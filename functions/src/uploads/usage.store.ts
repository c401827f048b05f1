import type { DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore';
import { collectionOf } from '../firestore/documents.ts';
import { refuse } from '../refusals.ts';
import { logFault } from '../common/log.ts';
import { ANONYMOUS } from './owner.ts';

/**
 * `usage/{ownerId}`: what the uploads of a user or a team take. It changes only in the transactions that write and remove
 * upload documents, so it is always their sum.
 */
export interface Usage {
  bytes: number;
}

export function usageRef(firestore: Firestore, ownerId: string): DocumentReference<Usage> {
  return collectionOf<Usage>(firestore, 'usage').doc(ownerId);
}

/**
 * Counts bytes that an upload will take. What nobody signed in sends is not counted: all of it would wait for one document.
 *
 * @throws Refusal 403 when the owner's quota does not hold them
 */
export async function addUsage(
  transaction: Transaction,
  firestore: Firestore,
  ownerId: string,
  bytes: number,
  quotaBytes: number,
): Promise<void> {
  if (ownerId === ANONYMOUS) return;
  const ref = usageRef(firestore, ownerId);
  const used = (await transaction.get(ref)).data()?.bytes ?? 0;
  if (used + bytes > quotaBytes) {
    throw refuse('quota_exceeded', { bytes: quotaBytes });
  }
  transaction.set(ref, { bytes: used + bytes });
}

/** The counterpart of addUsage. Call it once for each upload: a second call subtracts bytes of the owner's other uploads. */
export async function giveBackUsage(
  transaction: Transaction,
  firestore: Firestore,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (ownerId === ANONYMOUS) return;
  const ref = usageRef(firestore, ownerId);
  const usage = (await transaction.get(ref)).data();
  // The count is deleted with its owner.
  if (usage === undefined) return;
  const left = usage.bytes - bytes;
  if (left < 0) logFault('More bytes were given back than counted', { ownerId }, `${left} bytes`);
  transaction.update(ref, { bytes: Math.max(left, 0) });
}
