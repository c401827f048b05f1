import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import { logWarning } from '../../common/log.ts';
import type { Upload, Visibility } from '../../firestore/documents/upload.ts';
import { Refusal, refusal } from '../../refusals/refusals.ts';
import { StorageTimeout } from '../bucket/failures.ts';
import { objectPath } from '../bucket/object-path.ts';
import { createObject } from '../bucket/storage.ts';
import { dimensionsOf } from '../files/dimensions.ts';
import { validateBytes, validateDeclaredFile, type NameAndKind } from '../files/validate.ts';
import type { OwnerWithSender } from '../records/owner.ts';
import { removeUpload } from '../records/remove.service.ts';
import { reserveUpload } from '../records/reserve.service.ts';
import { newUploadId, newUploadRecord } from '../records/upload-record.ts';
import { completeUpload, markForNextSweep } from '../records/upload.store.ts';
import type { StoredFileView } from '../records/upload.view.ts';
import type { ReceivedFile } from './multipart.ts';

export interface CompletedUpload {
  id: string;
  view: StoredFileView;
  /** Removes the upload, for a sender who cannot receive the URL. */
  discard: () => Promise<void>;
}

/** A new upload whose record is pending. */
interface ReservedUpload {
  id: string;
  record: Upload;
}

/**
 * Validates a received file, and stores it in three steps:
 *
 * 1. `reserveUpload` writes the pending record.
 * 2. `createObject` writes the object.
 * 3. `completeUpload` marks the record as stored.
 *
 * If step 2 or 3 fails, the upload is removed immediately, except after a timeout of Storage: Storage may still write
 * the object. The sweep removes the upload after such a timeout, after a crash, and if the removal fails.
 *
 * @throws Refusal as `validateDeclaredFile`, `validateBytes` and `reserveUpload`
 */
export async function storeReceivedFile(
  backend: Backend,
  owner: OwnerWithSender,
  file: ReceivedFile,
  visibility: Visibility,
): Promise<CompletedUpload> {
  const { name, declaredType, bytes } = file;
  const nameAndKind = validateDeclaredFile({ name, declaredType, size: bytes.length }, backend.config);
  await validateBytes(bytes, nameAndKind);
  const id = newUploadId();
  const dimensions = (await dimensionsOf(bytes, nameAndKind.kind)) ?? null;
  const validFile = { nameAndKind, size: bytes.length, dimensions, visibility };
  const record = recordOfApiUpload(backend, owner, id, validFile);
  await reserveUpload(backend, owner, id, record).catch(throwAsRefusal);
  const reserved = { id, record };
  const url = await storeAndComplete(backend, reserved, bytes, nameAndKind);
  return {
    id,
    view: { name: record.name, contentType: record.contentType, url, size: record.size },
    discard: () => discardUpload(backend, reserved),
  };
}

interface ValidFile extends Pick<Upload, 'size' | 'dimensions' | 'visibility'> {
  nameAndKind: NameAndKind;
}

function recordOfApiUpload(
  { config, now }: Backend,
  owner: OwnerWithSender,
  id: string,
  { nameAndKind: { fileName, kind }, ...file }: ValidFile,
): Upload {
  const createdAt = now();
  const expiry = new Date(createdAt.getTime() + config.anonymousUploadHours * HOUR_MS);
  return newUploadRecord({
    ...file,
    ownerId: owner.id,
    createdBy: owner.senderId,
    name: fileName.name,
    contentType: kind.contentType,
    path: objectPath(owner.id, id, fileName, createdAt),
    source: 'api',
    createdAt,
    deleteAt: owner.type === 'anonymous' ? expiry : null,
  });
}

/** @returns the URL of the file */
async function storeAndComplete(
  backend: Backend,
  reserved: ReservedUpload,
  bytes: Buffer,
  { kind }: NameAndKind,
): Promise<string> {
  const { id, record } = reserved;
  try {
    const bucket = await backend.bucket();
    const written = await createObject(bucket, { ...record, disposition: kind.disposition, bytes });
    if (await completeUpload(backend.db, id, written)) return written.url;
    // The sweep, or the deletion of the owner, has removed the record meanwhile. The catch below discards the upload.
    throw new Error(`uploads/${id} was removed or refused before it was stored.`);
  } catch (error) {
    // After a timeout Storage may still write the object. The record stays pending, so that the sweep finds the object.
    if (!(error instanceof StorageTimeout)) await discardUpload(backend, reserved);
    return throwAsRefusal(error);
  }
}

/**
 * Removes an upload. If the removal fails, marks the upload for the sweep. The sweep removes a pending upload by its
 * age, but a stored one only with the mark. The upload is stored if the client disconnected after `completeUpload`.
 */
async function discardUpload(backend: Backend, { id, record }: ReservedUpload): Promise<void> {
  try {
    await removeUpload(backend, id, record);
  } catch (error) {
    logWarning(`Left for the sweep: uploads/${id}`, error);
    await markForNextSweep(backend.db, id, backend.now()).catch((cause: unknown) => {
      logWarning(`The upload ${id} could not be discarded and may stay in the list of its owner`, cause);
    });
  }
}

/** Throws a refusal unchanged, and `storage_unavailable` instead of any other error. */
function throwAsRefusal(error: unknown): never {
  if (error instanceof Refusal) throw error;
  throw refusal('storage_unavailable', {}, { cause: error });
}
