import type { Firestore } from 'firebase-admin/firestore';
import { logWarning } from '../http/log.ts';
import type { Bucket, Services } from '../services.ts';
import { removeObject } from './storage.ts';
import {
  abandonedUploads,
  forgetUploads,
  overdueUploads,
  uploadsOf,
  type UploadDocument,
} from './upload.store.ts';
import { usageRef } from './usage.store.ts';

/** Uploads at once. */
const AT_ONCE = 10;

/** Bounds one run of the sweep; what is left waits for the next. */
const MOST_A_RUN = 500;

/** Longer than any request lives, so that no upload under way is taken for an abandoned one. */
const ABANDONED_AFTER_MS = 3_600_000;

type Stored = Pick<UploadDocument, 'ownerId' | 'path' | 'variants'>;

/**
 * Removes at most `most` uploads of an owner, and with the last of them the count of their bytes. What dies in between is
 * found again.
 *
 * @param ownerId a user's uid or a team's id
 * @returns how many were removed; fewer than `most` means that nothing is left
 * @throws StorageTimeout, or the error of the client
 */
export async function removeUploadsOf(services: Services, ownerId: string, most: number): Promise<number> {
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const { docs } = await uploadsOf(firestore, ownerId).limit(most).get();
  for (const group of groupsOf(docs)) {
    await Promise.all(group.map((upload) => removeObjects(bucket, upload.data())));
  }
  await forgetUploads(
    firestore,
    ownerId,
    docs.map(({ id }) => id),
  );
  if (docs.length < most) await usageRef(firestore, ownerId).delete();
  return docs.length;
}

/**
 * Removes what interrupted uploads left, and what is only kept for a time. One that cannot be removed does not keep the
 * others: it is found again by the next run.
 *
 * @returns how many were removed
 */
export async function sweepOutdatedUploads(services: Services): Promise<number> {
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const now = services.now();
  const before = new Date(now.getTime() - ABANDONED_AFTER_MS);
  const found = [
    ...(await abandonedUploads(firestore, before, MOST_A_RUN)),
    ...(await overdueUploads(firestore, now, MOST_A_RUN)),
  ];
  let removed = 0;
  const tryToRemove = async (id: string, upload: Stored) => {
    try {
      await removeUpload(firestore, bucket, id, upload);
      removed += 1;
    } catch (error) {
      logWarning(`Left for the next sweep: uploads/${id}`, error);
    }
  };
  for (const group of groupsOf(found)) {
    await Promise.all(group.map((upload) => tryToRemove(upload.id, upload.data())));
  }
  return removed;
}

/** First what is in the bucket, then the document that tells of it: what dies in between is simply repeated. */
export async function removeUpload(
  firestore: Firestore,
  bucket: Bucket,
  id: string,
  upload: Stored,
): Promise<void> {
  await removeObjects(bucket, upload);
  await forgetUploads(firestore, upload.ownerId, [id]);
}

async function removeObjects(bucket: Bucket, { path, variants }: Stored): Promise<void> {
  for (const object of [path, ...variants.map((variant) => variant.path)]) {
    await removeObject(bucket, object);
  }
}

function groupsOf<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    groups.push(items.slice(start, start + AT_ONCE));
  }
  return groups;
}
