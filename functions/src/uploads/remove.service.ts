import type { Firestore } from 'firebase-admin/firestore';
import pMap from 'p-map';
import type { Bucket, Backend } from '../backend.ts';
import { removeObject } from './bucket/storage.ts';
import { forgetUploads, objectsOf, uploadsOf, type RecordRemoval, type Removable } from './upload.store.ts';
import { usageRef } from './usage.store.ts';

/** Uploads of one owner that are removed at the same time. */
const CONCURRENCY = 10;

/**
 * Removes at most `most` uploads of an owner, and with the last of them the count of their bytes. What dies in between is
 * found again.
 *
 * @param ownerId a user's uid or a team's id
 * @returns how many were removed; fewer than `most` means that nothing is left
 * @throws StorageFailure
 */
export async function removeUploadsOf(backend: Backend, ownerId: string, most: number): Promise<number> {
  const [firestore, bucket] = await Promise.all([backend.firestore(), backend.bucket()]);
  const { docs } = await uploadsOf(firestore, ownerId).limit(most).get();
  const uploads = new Map(docs.map((upload) => [upload.id, upload.data()]));
  await removeAll({ firestore, bucket, ownerId }, uploads);
  if (docs.length < most) await usageRef(firestore, ownerId).delete();
  return docs.length;
}

export async function removeUpload(
  { firestore, bucket, record }: Omit<Removal, 'ownerId'>,
  id: string,
  upload: Removable & { ownerId: string },
): Promise<void> {
  const { ownerId } = upload;
  await removeAll({ firestore, bucket, ownerId, ...(record && { record }) }, new Map([[id, upload]]));
}

interface Removal {
  firestore: Firestore;
  bucket: Bucket;
  ownerId: string;
  record?: RecordRemoval;
}

/**
 * First what is in the bucket, then the documents that tell of it: what dies in between is simply repeated. Variants that
 * have been stored meanwhile go in another round.
 */
async function removeAll(
  { firestore, bucket, ownerId, record }: Removal,
  uploads: ReadonlyMap<string, Removable>,
): Promise<void> {
  let left = uploads;
  while (left.size > 0) {
    await pMap(left.values(), (upload) => removeObjects(bucket, upload), { concurrency: CONCURRENCY });
    left = await forgetUploads(firestore, ownerId, left, record);
  }
}

async function removeObjects(bucket: Bucket, upload: Removable): Promise<void> {
  for (const path of objectsOf(upload)) await removeObject(bucket, path);
}
