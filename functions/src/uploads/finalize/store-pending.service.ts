import type { Upload } from '../../firestore/documents/upload.ts';
import { Refusal } from '../../refusals.ts';
import { isObjectGone } from '../bucket/failures.ts';
import { hasObject, readObject, removeObject, replaceToken } from '../bucket/storage.ts';
import { dimensionsOf } from '../files/dimensions.ts';
import { dispositionOf, isKnownByHead } from '../files/kinds.ts';
import { HEAD_BYTES } from '../files/signature.ts';
import { validateBytes, validateDeclaration } from '../files/validate.ts';
import { refusalEnd } from '../records/upload-record.ts';
import { deleteRecords, refuseUpload } from '../records/upload.store.ts';
import type { FinalizeEvent } from './event.ts';

/**
 * Stores a pending direct upload if its bytes are valid, otherwise refuses it. If the upload was removed in the meantime,
 * the object and the record are removed.
 *
 * @returns the upload if it is stored, by this event or another one
 */
export async function storePending(event: FinalizeEvent, record: Upload): Promise<Upload | undefined> {
  const { backend, bucket, object, location } = event;
  const outcome = await tryToStore(event, record);
  if (outcome.stored !== undefined) return outcome.stored;
  const current = await backend.db.uploads.get(location.uploadId);
  if (current?.status === 'stored') return current;
  // The object is removed first, so that nobody can read a refused file.
  await removeObject(bucket, object.path, { generation: object.generation });
  if (outcome.reason !== undefined) {
    const deleteAt = refusalEnd(backend.now());
    await refuseUpload(backend.db, location.uploadId, { reason: outcome.reason, deleteAt });
  } else if (current?.status === 'pending' && !(await hasObject(bucket, object.path))) {
    await deleteRecords(backend.db, {
      ownerId: record.ownerId,
      uploads: new Map([[location.uploadId, record]]),
    });
  }
  return undefined;
}

interface Outcome {
  stored?: Upload | undefined;
  /** The code of the refusal, if the bytes are not valid. */
  reason?: string;
}

async function tryToStore(event: FinalizeEvent, record: Upload): Promise<Outcome> {
  try {
    return { stored: await store(event, await validate(event, record)) };
  } catch (error) {
    if (error instanceof Refusal && !error.isOutage) return { reason: error.code };
    if (isObjectGone(error)) return {};
    throw error;
  }
}

type Dimensions = Pick<Upload, 'dimensions'>;

/** Reads the bytes that identify the kind, and validates them. */
async function validate({ backend, bucket, object }: FinalizeEvent, { name }: Upload): Promise<Dimensions> {
  const { size, contentType: declaredType, contentEncoding } = object;
  const declaration = validateDeclaration({ name, declaredType, contentEncoding, size }, backend.config);
  const bytes = await readObject(bucket, object, isKnownByHead(declaration.kind) ? HEAD_BYTES : size);
  await validateBytes(bytes, declaration);
  return { dimensions: (await dimensionsOf(bytes, declaration.kind)) ?? null };
}

/**
 * Gives the object our token and headers, and marks its upload as stored.
 *
 * The object is copied within the transaction. The transaction locks the record, so nobody can remove or refuse the upload
 * during the copy. Storage copies a generation over itself only once. So of two concurrent events one succeeds, and the
 * other finds the object gone. The same happens if Firestore runs the body a second time.
 *
 * @returns the upload if it is stored, by this event or another one
 */
async function store(
  { backend, bucket, object, location }: FinalizeEvent,
  dimensions: Dimensions,
): Promise<Upload | undefined> {
  return backend.db.run(async (tx) => {
    const record = await tx.uploads.get(location.uploadId);
    if (record?.status !== 'pending') return record?.status === 'stored' ? record : undefined;
    const description = { ...record, disposition: dispositionOf(record.name) };
    const written = await replaceToken(bucket, object.path, description, object.generation);
    const stored = { status: 'stored', ...written, ...dimensions } as const;
    tx.uploads.update(location.uploadId, stored);
    return { ...record, ...stored };
  });
}
