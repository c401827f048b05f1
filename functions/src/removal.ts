import type { Firestore, Query } from 'firebase-admin/firestore';
import type { Services } from './services.ts';

/**
 * Removes at most `most` of the things that a feature keeps for a team or user, and tells how many it removed: fewer means
 * that nothing is left.
 */
export type RemoveContents = (services: Services, ownerId: string, most: number) => Promise<number>;

const BATCH_SIZE = 250;

/**
 * Removes what features keep for a team or user, in batches, each of which can be the last before a crash.
 *
 * @param maxBatches bounds the work of one call
 * @returns whether all is gone; otherwise the rest waits for the next call
 */
export async function removeInBatches(
  services: Services,
  ownerId: string,
  contents: readonly RemoveContents[],
  maxBatches: number,
): Promise<boolean> {
  let batches = 0;
  for (const removeSome of contents) {
    let removed = BATCH_SIZE;
    while (removed === BATCH_SIZE) {
      if (batches++ === maxBatches) return false;
      removed = await removeSome(services, ownerId, BATCH_SIZE);
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
