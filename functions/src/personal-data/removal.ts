import type { Firestore, Query, QueryDocumentSnapshot, Transaction } from 'firebase-admin/firestore';
import type { Backend } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';

/**
 * Removes at most `most` of the things that a feature keeps for a team or user, and tells how many it removed: fewer means
 * that nothing is left.
 */
export type RemoveContents = (backend: Backend, ownerId: string, most: number) => Promise<number>;

/** A user whose account is being deleted, as documents of others may name them. */
export interface FormerUser {
  uid: string;
  /** Lower case. It may be somebody else's address: see `verifiedEmail`. */
  email: string | undefined;
  /** The address, if it was verified: anybody can register an address, and then delete the account again. */
  verifiedEmail: string | undefined;
  /** Replaces uid and address in the data that stays. */
  pseudonym: string;
}

/** Like `RemoveContents`, for data of others: removes traces of a user, or replaces uid and address by the pseudonym. */
export type RemoveTraces = (backend: Backend, user: FormerUser, most: number) => Promise<number>;

const BATCH_SIZE = 250;

/**
 * Removes what features keep for a team or user, in batches, each of which can be the last before a crash.
 *
 * @param maxBatches bounds the work of one call
 * @returns whether all is gone; otherwise the rest waits for the next call
 */
export async function removeInBatches(
  backend: Backend,
  ownerId: string,
  contents: readonly RemoveContents[],
  maxBatches: number,
): Promise<boolean> {
  let batches = 0;
  for (const removeSome of contents) {
    let removed = BATCH_SIZE;
    while (removed === BATCH_SIZE) {
      if (batches++ === maxBatches) return false;
      removed = await removeSome(backend, ownerId, BATCH_SIZE);
    }
  }
  return true;
}

/** Removes at most `most` documents of a query, in one commit; at most 500 fit into it. */
export async function removeFound<Document>(
  firestore: Firestore,
  query: Query<Document>,
  most: number,
): Promise<number> {
  const { docs } = await query.limit(most).get();
  const batch = firestore.batch();
  for (const { ref } of docs) batch.delete(ref);
  await batch.commit();
  return docs.length;
}

/**
 * Changes at most `most` documents of a query in one transaction, after which the query must not find them any more.
 * Reads one document where there are none, and commits nothing.
 *
 * @returns how many it found
 */
export async function changeFound<Document>(
  firestore: Firestore,
  query: Query<Document>,
  most: number,
  change: (transaction: Transaction, found: readonly QueryDocumentSnapshot<Document>[]) => unknown,
): Promise<number> {
  if ((await query.limit(1).get()).empty) return 0;
  return transact(firestore, async (transaction) => {
    const { docs } = await transaction.get(query.limit(most));
    await change(transaction, docs);
    return docs.length;
  });
}
