import { logFault, logWarning } from '../../common/log.ts';
import type { Tx } from '../../firestore/db.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { ignoreIfMissingOrChanged } from '../bucket/failures.ts';
import { removeObject, rewriteObject } from '../bucket/storage.ts';
import { replaceVariantTokens } from '../bucket/variants.ts';
import { dispositionOf } from '../files/kinds.ts';
import { refusalExpiry, variantPathsOf } from '../records/upload-record.ts';
import { refuseUpload } from '../records/upload.store.ts';
import type { FinalizeEvent } from './event.ts';
import { hasOtherBytes, isEventOutdated, needsUrl } from './generation.ts';

/** Refuses an upload whose object was overwritten with other bytes, and removes the object and its variants. */
export async function refuseOverwritten(event: FinalizeEvent): Promise<void> {
  const { backend, object, location } = event;
  const refused = await refuseUpload(backend.db, location.uploadId, {
    // The API calls an overwrite `replaced`.
    reason: 'replaced',
    deleteAt: refusalExpiry(backend.now()),
    applies: (record) => hasOtherBytes(object, record) && !isEventOutdated(object, record),
  });
  const wasHandledByOtherEvent = refused === undefined;
  if (wasHandledByOtherEvent) return;
  await removeObjectsOfRefused(event, refused);
  reportOverwrite('A file was overwritten with other bytes and is removed', event);
}

export async function removeObjectsOfRefused(
  { bucket, object: { path, generation } }: FinalizeEvent,
  record: Upload,
): Promise<void> {
  await removeObject(bucket, path, { generation });
  for (const variant of variantPathsOf(record)) await removeObject(bucket, variant);
}

/**
 * Gives a new URL to a stored file if `needsUrl` is true. The first transaction records the generation of the event,
 * and waits for a concurrent `revokeUrls`. If `revokeUrls` has recorded this generation, the file has its new URL
 * already.
 *
 * After an interrupted revocation the variants get new URLs too. They come before the file: if this call is
 * interrupted, the file has no URL yet, so the repeated event comes here again.
 */
export async function renewUrl(event: FinalizeEvent): Promise<void> {
  const { backend, bucket, object, location } = event;
  const { path, generation } = object;
  const record = await backend.db.run((tx) => recordGeneration(tx, event));
  if (record === undefined) return;
  if (isOwnCopy(object, record)) {
    logWarning(`An interrupted revocation is completed: uploads/${location.uploadId}`, path);
    await renewVariants(event);
  } else reportOverwrite('A stored file was written again and gets a new URL', event);
  const description = { ...record, disposition: dispositionOf(record.name) };
  const written = await rewriteObject(bucket, path, description, generation).catch(ignoreIfMissingOrChanged);
  if (written === undefined) return;
  await backend.db.run(async (tx) => {
    const current = await tx.uploads.get(location.uploadId);
    if (current?.generation === generation) tx.uploads.update(location.uploadId, { ...written });
  });
}

/**
 * Gives new URLs to the variants. If a revocation commits first, the transaction runs again and sets new tokens, as
 * `revokeUrls` does.
 */
async function renewVariants({ backend, bucket, location: { uploadId } }: FinalizeEvent): Promise<void> {
  await backend.db.run(async (tx) => {
    const record = await tx.uploads.get(uploadId);
    if (record === undefined || record.variants.length === 0) return;
    tx.uploads.update(uploadId, { variants: await replaceVariantTokens(bucket, record) });
  });
}

/** True for a copy by `rewriteObject`, which names the owner in the custom metadata. */
function isOwnCopy({ metadata }: FinalizeEvent['object'], { ownerId }: Upload): boolean {
  return metadata['ownerId'] === ownerId;
}

/** @returns the record; undefined if the file needs no new URL */
async function recordGeneration(tx: Tx, { object, location }: FinalizeEvent): Promise<Upload | undefined> {
  const record = await tx.uploads.get(location.uploadId);
  if (record === undefined || !needsUrl(record, object)) return undefined;
  tx.uploads.update(location.uploadId, { generation: object.generation, url: null });
  return record;
}

/** Logs an overwrite, which storage.rules should have prevented. */
function reportOverwrite(message: string, { location: { folderId, uploadId } }: FinalizeEvent): void {
  logFault(message, { uploadId, folderId }, 'storage.rules must refuse to overwrite files.');
}
