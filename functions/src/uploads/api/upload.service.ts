import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import type { Upload, Visibility } from '../../firestore/documents/upload.ts';
import { Refusal, refuse } from '../../refusals.ts';
import { StorageTimeout } from '../bucket/failures.ts';
import { objectPath } from '../bucket/object-path.ts';
import { storeObject } from '../bucket/storage.ts';
import { dimensionsOf } from '../files/dimensions.ts';
import { validateBytes, validateDeclaration, type ValidDeclaration } from '../files/validate.ts';
import { removeUpload } from '../manage/remove.service.ts';
import type { UploadView } from '../manage/upload.view.ts';
import type { Owner } from '../records/owner.ts';
import { reserve } from '../records/reserve.service.ts';
import { newUploadId, newUploadRecord } from '../records/upload-record.ts';
import { completeUpload } from '../records/upload.store.ts';
import type { ReceivedFile } from './multipart.ts';

const HOUR_MS = 3_600_000;

/** An upload that is stored. */
export interface FinishedUpload {
  id: string;
  view: UploadView;
  /** Removes it again, if the sender cannot receive the URL. */
  discard: () => Promise<void>;
}

/** A new upload with its id. */
interface ReservedUpload {
  id: string;
  record: Upload;
}

/**
 * Validates and stores a received file. Nothing is written before it is valid. Then come the pending record, the
 * object, and the completion of the record. If storing or completing fails, the upload is removed at once. After a
 * timeout, a crash or an unknown outcome of the reservation the sweep removes it.
 *
 * @throws Refusal as `validateDeclaration`, `validateBytes` and `reserve`; `storage_unavailable`
 */
export async function upload(
  backend: Backend,
  owner: Owner,
  file: ReceivedFile,
  visibility: Visibility,
): Promise<FinishedUpload> {
  const { name, declaredType, bytes } = file;
  const declaration = validateDeclaration({ name, declaredType, size: bytes.length }, backend.config);
  await validateBytes(bytes, declaration);
  const id = newUploadId();
  const pending = { ...recordBasics(backend, owner, id, declaration), visibility, size: bytes.length };
  const dimensions = (await dimensionsOf(bytes, declaration.kind)) ?? null;
  const record = newUploadRecord({ ...pending, dimensions });
  await reserve(backend, owner, id, record).catch(asUnavailable);
  const url = await store(backend, { id, record }, bytes, declaration);
  return {
    id,
    view: { name: record.name, contentType: record.contentType, url, size: record.size },
    discard: () => discard(backend, { id, record }),
  };
}

/** The fields of a new record that follow from its owner, id and kind. */
function recordBasics(
  { config, now }: Backend,
  owner: Owner,
  id: string,
  { fileName, kind }: ValidDeclaration,
) {
  const createdAt = now();
  const expiry = new Date(createdAt.getTime() + config.anonymousUploadHours * HOUR_MS);
  return {
    ownerId: owner.id,
    createdBy: owner.createdBy,
    name: fileName.name,
    contentType: kind.contentType,
    path: objectPath(owner.id, id, fileName, createdAt),
    source: 'api' as const,
    createdAt,
    deleteAt: owner.type === 'anonymous' ? expiry : null,
  };
}

/**
 * Stores the object and completes the record.
 *
 * @returns the URL of the file
 */
async function store(
  backend: Backend,
  upload: ReservedUpload,
  bytes: Buffer,
  { kind }: ValidDeclaration,
): Promise<string> {
  const { id, record } = upload;
  try {
    const bucket = await backend.bucket();
    const written = await storeObject(bucket, { ...record, disposition: kind.disposition, bytes });
    if (await completeUpload(backend.db, id, written)) return written.url;
    throw new Error(`uploads/${id} was removed or refused before it was stored.`);
  } catch (error) {
    // A late object may arrive after a removal. The record stays, so that the sweep removes the object.
    if (!(error instanceof StorageTimeout)) await discard(backend, upload);
    return asUnavailable(error);
  }
}

async function discard(backend: Backend, { id, record }: ReservedUpload): Promise<void> {
  try {
    await removeUpload(backend, id, record);
  } catch (error) {
    logWarning(`Left for the sweep: uploads/${id}`, error);
  }
}

/** Throws a refusal unchanged, and any other error as `storage_unavailable`. */
function asUnavailable(error: unknown): never {
  if (error instanceof Refusal) throw error;
  throw refuse('storage_unavailable', {}, { cause: error });
}
