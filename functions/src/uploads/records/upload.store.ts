import { isDeepStrictEqual } from 'node:util';
import type { Db, Reads, Tx } from '../../firestore/db.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import type { Query } from '../../firestore/query.ts';
import { variantPathsOf, type ObjectsOfUpload } from './upload-record.ts';
import { giveBackBytes } from './usage.store.ts';

/** All uploads of a user or team, in any status. */
export function uploadsOf(reads: Reads, ownerId: string): Query<Upload> {
  return reads.uploads.where('ownerId', '==', ownerId);
}

/** All uploads sent by a user, including those to teams. */
export function uploadsBy(reads: Reads, uid: string): Query<Upload> {
  return reads.uploads.where('createdBy', '==', uid);
}

/** Pending uploads that were begun before this time, oldest first. */
export function abandonedUploads(reads: Reads, before: Date): Query<Upload> {
  return reads.uploads
    .where('status', '==', 'pending')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .orderBy('__name__');
}

/** Uploads whose `deleteAt` has passed, the longest overdue first. */
export function overdueUploads(reads: Reads, now: Date): Query<Upload> {
  return reads.uploads.where('deleteAt', '<=', now).orderBy('deleteAt');
}

/**
 * Marks a pending upload as stored.
 *
 * @returns false if the upload was removed or refused in the meantime
 */
export async function completeUpload(
  db: Db,
  id: string,
  written: Pick<Upload, 'url' | 'generation' | 'md5Hash'>,
): Promise<boolean> {
  return db.run(async (tx) => {
    const upload = await tx.uploads.get(id);
    // An earlier run of this transaction was committed, and the answer was lost.
    if (upload?.status === 'stored' && upload.generation === written.generation) return true;
    if (upload?.status !== 'pending') return false;
    tx.uploads.update(id, { status: 'stored', ...written });
    return true;
  });
}

/**
 * Lets the sweep find an upload that could not be discarded. Only a stored record needs `deleteAt` for this: the sweep
 * finds a pending upload by its age, and a refused upload has its `deleteAt` already.
 */
export async function markForNextSweep(db: Db, id: string, now: Date): Promise<void> {
  await db.run(async (tx) => {
    if ((await tx.uploads.get(id))?.status === 'stored') tx.uploads.update(id, { deleteAt: now });
  });
}

export interface UploadRefusal {
  /** `abandoned`, `replaced`, or the code of a refusal. */
  reason: string;
  deleteAt: Date;
  /** Decides in the transaction whether to refuse the upload. By default a pending upload is refused. */
  applies?: (upload: Upload) => boolean;
}

/**
 * Refuses an upload with a reason and gives its bytes back. The record still names the objects, which the calling
 * function or the sweep removes.
 *
 * If the answer to the commit is lost, the transaction runs again and finds the upload refused. It recognizes the
 * refusal by its reason and its time. If another event refuses the upload in the same millisecond, both calls return
 * it.
 *
 * @returns the upload, for `variantPathsOf`; undefined if this call did not refuse it
 */
export async function refuseUpload(
  db: Db,
  id: string,
  { reason, deleteAt, applies = ({ status }) => status === 'pending' }: UploadRefusal,
): Promise<Upload | undefined> {
  return db.run(async (tx) => {
    const upload = await tx.uploads.get(id);
    if (upload === undefined) return undefined;
    if (isRefusedAs(upload, { reason, deleteAt })) return upload;
    // The bytes of a refused upload were given back already.
    if (upload.status === 'refused' || !applies(upload)) return undefined;
    await giveBackBytes(tx, upload.ownerId, upload.size);
    tx.uploads.update(id, {
      status: 'refused',
      reason,
      deleteAt,
      url: null,
      variants: [],
      // A refused upload has no variants, but the objects of its variants may still be in the bucket.
      possibleVariants: variantPathsOf(upload),
    });
    return upload;
  });
}

function isRefusedAs(
  upload: Upload,
  { reason, deleteAt }: Pick<UploadRefusal, 'reason' | 'deleteAt'>,
): boolean {
  return (
    upload.status === 'refused' &&
    upload.reason === reason &&
    upload.deleteAt?.getTime() === deleteAt.getTime()
  );
}

/** Adds writes, such as an audit log entry, to the transaction that deletes an upload record. */
export type WriteOnDelete = (tx: Tx, id: string) => void;

/** Upload records of one owner, by id, as they were read before their objects were removed from the bucket. */
export interface RecordsToDelete {
  ownerId: string;
  uploads: ReadonlyMap<string, ObjectsOfUpload>;
}

/**
 * Deletes upload records after their objects were removed, and gives their bytes back. Ignores records that another
 * call has deleted, so the bytes are given back once.
 *
 * @returns the uploads that got new variants in the meantime. Their records stay
 */
export async function deleteRecords(
  db: Db,
  { ownerId, uploads: readBefore }: RecordsToDelete,
  writeOnDelete?: WriteOnDelete,
): Promise<Map<string, Upload>> {
  if (readBefore.size === 0) return new Map();
  return db.run(async (tx) => {
    const found = await tx.uploads.getAll(readBefore.keys());
    const withNewVariants = new Map(
      [...found].filter(([id, upload]) => hasNewVariants(upload, readBefore.get(id))),
    );
    const deleted = [...found].filter(([id]) => !withNewVariants.has(id));
    const bytes = deleted.reduce((sum, [, upload]) => sum + countedBytes(upload), 0);
    if (bytes > 0) await giveBackBytes(tx, ownerId, bytes);
    for (const [id] of deleted) {
      tx.uploads.delete(id);
      writeOnDelete?.(tx, id);
    }
    return withNewVariants;
  });
}

/** The bytes that an upload has in the usage of its owner. Variants are not counted. */
function countedBytes({ status, size }: Upload): number {
  return status === 'refused' ? 0 : size;
}

/** True if a variant was planned, stored or replaced since the record was read. */
function hasNewVariants(upload: Upload, readBefore: ObjectsOfUpload | undefined): boolean {
  const variantsOf = ({ variants, possibleVariants }: ObjectsOfUpload) => [
    variants.map(({ url }) => url),
    possibleVariants,
  ];
  return readBefore !== undefined && !isDeepStrictEqual(variantsOf(upload), variantsOf(readBefore));
}
