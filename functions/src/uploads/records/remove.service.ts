import pMap from 'p-map';
import type { Bucket } from '../../backend-clients.ts';
import type { Backend } from '../../backend.ts';
import { logFault } from '../../common/log.ts';
import type { Db } from '../../firestore/db.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { isIntact, type FoundPath } from '../../firestore/query.ts';
import { variantsFolder } from '../bucket/object-path.ts';
import { removeFolder, removeObject } from '../bucket/storage.ts';
import { objectPathsOf, type ObjectsOfUpload } from './upload-record.ts';
import { deleteRecords, uploadsOf, type WriteOnDelete, type RecordsToDelete } from './upload.store.ts';

/** Uploads of one owner that are removed at the same time. */
const CONCURRENCY = 10;

/**
 * Deletes at most `limit` uploads of an owner. If no upload is left, also deletes the usage.
 *
 * @param ownerId a user's uid or a team's id
 * @returns how many were removed; fewer than `limit` means that none is left
 * @throws StorageFailure
 */
export async function purgeUploads(backend: Backend, ownerId: string, limit: number): Promise<number> {
  const { db } = backend;
  const found = await uploadsOf(db, ownerId).limit(limit).findWithDamaged();
  const intact = found.filter((upload) => isIntact(upload));
  await removeAll(backend, { ownerId, uploads: new Map(intact.map(({ id, data }) => [id, data])) });
  const damaged = found.filter((upload) => !isIntact(upload));
  await pMap(damaged, (place) => removeDamaged(backend, ownerId, place), { concurrency: CONCURRENCY });
  if (found.length < limit) await deleteUnneededUsage(db, ownerId);
  return found.length;
}

/** Deletes the usage, unless an upload record was written in the meantime. */
async function deleteUnneededUsage(db: Db, ownerId: string): Promise<void> {
  await db.run(async (tx) => {
    if (await uploadsOf(tx, ownerId).isEmpty()) tx.storageUsage.delete(ownerId);
  });
}

/**
 * Removes one upload and gives its bytes back.
 *
 * @param writeOnDelete adds writes to the transaction that deletes the record
 * @throws StorageFailure
 */
export async function removeUpload(
  backend: Backend,
  id: string,
  record: ObjectsOfUpload & Pick<Upload, 'ownerId'>,
  writeOnDelete?: WriteOnDelete,
): Promise<void> {
  await removeAll(backend, { ownerId: record.ownerId, uploads: new Map([[id, record]]) }, writeOnDelete);
}

/** Removes the objects first, then the records that name them, so that an interrupted removal can be repeated. */
async function removeAll(
  backend: Backend,
  toRemove: RecordsToDelete,
  writeOnDelete?: WriteOnDelete,
): Promise<void> {
  const bucket = await backend.bucket();
  const { ownerId } = toRemove;
  let { uploads } = toRemove;
  while (uploads.size > 0) {
    await pMap(uploads.values(), (upload) => removeObjects(bucket, upload), { concurrency: CONCURRENCY });
    const withNewVariants = await deleteRecords(backend.db, { ownerId, uploads }, writeOnDelete);
    uploads = withNewVariants;
  }
}

async function removeObjects(bucket: Bucket, upload: ObjectsOfUpload): Promise<void> {
  for (const path of objectPathsOf(upload)) await removeObject(bucket, path);
}

/**
 * Removes a damaged record. The record cannot be read, so its objects are unknown. Therefore removes the folders that
 * usually contain them. The object of a direct upload to a team may remain in the folder of its sender, so the log asks
 * an operator to look for objects.
 */
async function removeDamaged(backend: Backend, ownerId: string, { id }: FoundPath): Promise<void> {
  const bucket = await backend.bucket();
  await removeFolder(bucket, `uploads/${ownerId}/${id}/`);
  await removeFolder(bucket, variantsFolder({ folderId: ownerId, uploadId: id }));
  await backend.db.uploads.delete(id);
  logFault(
    'A damaged upload was removed with its owner',
    { uploadId: id, ownerId },
    'Look for the objects of the upload.',
  );
}
