import type { Firestore } from 'firebase-admin/firestore';
import { logWarning } from '../http/log.ts';
import type { Bucket, Services } from '../services.ts';
import { removeObject } from './storage.ts';
import {
  abandonedUploads,
  forgetUploads,
  objectsOf,
  overdueUploads,
  uploadRef,
  uploadsOf,
  type Removable,
  type UploadDocument,
} from './upload.store.ts';
import { usageRef } from './usage.store.ts';

/** Uploads at once. */
const AT_ONCE = 10;

/** Bounds the memory that a round of the sweep takes. */
const MOST_A_ROUND = 500;

/** No round begins later, so that the function ends in its time; what is left waits for the next run. */
const LAST_ROUND_AFTER_MS = 400_000;

/** Longer than any request lives, so that no upload under way is taken for an abandoned one. */
const ABANDONED_AFTER_MS = 3_600_000;

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
  await removeAll(firestore, bucket, ownerId, new Map(docs.map((upload) => [upload.id, upload.data()])));
  if (docs.length < most) await usageRef(firestore, ownerId).delete();
  return docs.length;
}

/**
 * Removes what interrupted uploads left, and what is only kept for a time. One that cannot be removed does not keep the
 * others: it is found again by the next run.
 *
 * @param most of each, in a round; there are rounds until all are found, nothing can be removed, or the time is over
 * @returns how many were removed
 */
export async function sweepOutdatedUploads(services: Services, most = MOST_A_ROUND): Promise<number> {
  const lastRound = services.now().getTime() + LAST_ROUND_AFTER_MS;
  let removed = 0;
  for (;;) {
    const round = await sweepRound(services, most);
    removed += round.removed;
    if (!round.isFull || round.removed === 0 || services.now().getTime() > lastRound) return removed;
  }
}

/** @returns how many were removed, and whether more may be left than was looked at */
async function sweepRound(services: Services, most: number): Promise<{ removed: number; isFull: boolean }> {
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const now = services.now();
  const before = new Date(now.getTime() - ABANDONED_AFTER_MS);
  const abandoned = await abandonedUploads(firestore, before, most);
  const overdue = await overdueUploads(firestore, now, most);
  let removed = 0;
  const tryToRemove = async (id: string) => {
    try {
      // It was found a while ago, and may have been completed since.
      const upload = (await uploadRef(firestore, id).get()).data();
      if (upload === undefined || !isOutdated(upload, now, before)) return;
      await removeUpload(firestore, bucket, id, upload);
      removed += 1;
    } catch (error) {
      logWarning(`Left for the next sweep: uploads/${id}`, error);
    }
  };
  for (const group of groupsOf([...abandoned, ...overdue])) {
    await Promise.all(group.map(({ id }) => tryToRemove(id)));
  }
  return { removed, isFull: abandoned.length === most || overdue.length === most };
}

function isOutdated({ status, createdAt, deleteAt }: UploadDocument, now: Date, before: Date): boolean {
  const isAbandoned = status === 'pending' && createdAt.toDate() < before;
  return isAbandoned || (deleteAt !== null && deleteAt.toDate() <= now);
}

export async function removeUpload(
  firestore: Firestore,
  bucket: Bucket,
  id: string,
  upload: Removable & { ownerId: string },
): Promise<void> {
  await removeAll(firestore, bucket, upload.ownerId, new Map([[id, upload]]));
}

/**
 * First what is in the bucket, then the documents that tell of it: what dies in between is simply repeated. Variants that
 * have been added meanwhile go in another round.
 */
async function removeAll(
  firestore: Firestore,
  bucket: Bucket,
  ownerId: string,
  uploads: ReadonlyMap<string, Removable>,
): Promise<void> {
  let left = uploads;
  while (left.size > 0) {
    for (const group of groupsOf([...left.values()])) {
      await Promise.all(group.map((upload) => removeObjects(bucket, upload)));
    }
    left = await forgetUploads(firestore, ownerId, left);
  }
}

async function removeObjects(bucket: Bucket, upload: Removable): Promise<void> {
  for (const path of objectsOf(upload)) await removeObject(bucket, path);
}

function groupsOf<Item>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    groups.push(items.slice(start, start + AT_ONCE));
  }
  return groups;
}
