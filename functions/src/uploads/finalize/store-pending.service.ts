import type { Upload } from '../../firestore/documents/upload.ts';
import { Refusal } from '../../refusals/refusals.ts';
import { isMissingOrChanged } from '../bucket/failures.ts';
import { hasObject, readObject, removeObject, rewriteObject } from '../bucket/storage.ts';
import { dimensionsOf } from '../files/dimensions.ts';
import { dispositionOf } from '../files/kinds.ts';
import { HEAD_BYTES, isIdentifiedByHead } from '../files/signature.ts';
import { validateBytes, validateDeclaredFile } from '../files/validate.ts';
import { refusalExpiry } from '../records/upload-record.ts';
import { deleteRecords, refuseUpload } from '../records/upload.store.ts';
import type { FinalizeEvent } from './event.ts';

/**
 * Stores a pending direct upload if it is valid, otherwise refuses it. If its record was removed in the meantime,
 * removes its object. If its object was removed, removes its record.
 *
 * @returns the upload if it is stored, by this event or another one
 */
export async function storeOrRefuse(event: FinalizeEvent, record: Upload): Promise<Upload | undefined> {
  const { backend, bucket, object, location } = event;
  const outcome = await tryToStore(event, record);
  if (outcome.kind === 'stored') return outcome.upload;
  const current = await backend.db.uploads.get(location.uploadId);
  if (current?.status === 'stored') return current;
  // The object is removed first, so that nobody can read a refused file.
  await removeObject(bucket, object.path, { generation: object.generation });
  if (outcome.kind === 'invalid') {
    const deleteAt = refusalExpiry(backend.now());
    await refuseUpload(backend.db, location.uploadId, { reason: outcome.reason, deleteAt });
  } else if (current?.status === 'pending' && !(await hasObject(bucket, object.path))) {
    // No generation of the object is left, so no other event will store the upload.
    await deleteRecords(backend.db, {
      ownerId: record.ownerId,
      uploads: new Map([[location.uploadId, record]]),
    });
  }
  return undefined;
}

/**
 * - `stored`: by this event or another one.
 * - `invalid`: the declared file or its bytes are not valid. `reason` is the code of the refusal.
 * - `gone`: the upload was removed or refused in the meantime, or this generation of the object no longer exists.
 */
type Outcome = { kind: 'stored'; upload: Upload } | { kind: 'invalid'; reason: string } | { kind: 'gone' };

async function tryToStore(event: FinalizeEvent, record: Upload): Promise<Outcome> {
  try {
    const upload = await storeValid(event, await validate(event, record));
    return upload === undefined ? { kind: 'gone' } : { kind: 'stored', upload };
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'caller') return { kind: 'invalid', reason: error.code };
    if (isMissingOrChanged(error)) return { kind: 'gone' };
    throw error;
  }
}

type ValidatedFields = Pick<Upload, 'dimensions'>;

/**
 * Validates the declared file again, because the settings may have changed since the registration. Validates the bytes,
 * and reads no more of them than the kind needs.
 *
 * @throws Refusal as `validateDeclaredFile` and `validateBytes`
 */
async function validate(
  { backend, bucket, object }: FinalizeEvent,
  { name }: Upload,
): Promise<ValidatedFields> {
  const { size, contentType: declaredType, contentEncoding } = object;
  const file = validateDeclaredFile({ name, declaredType, contentEncoding, size }, backend.config);
  const bytes = await readObject(bucket, object, isIdentifiedByHead(file.kind) ? HEAD_BYTES : size);
  await validateBytes(bytes, file);
  return { dimensions: (await dimensionsOf(bytes, file.kind)) ?? null };
}

/**
 * Gives the object our token and headers, and marks its upload as stored.
 *
 * - The transaction locks the record during the copy, so nobody can delete the record or refuse the upload.
 * - The copy replaces only the generation of the event. So it fails if the event is delivered twice, or if Firestore
 *   runs the transaction again.
 * - If the copy succeeds and the commit fails, the record stays pending. The event of the copy then stores the upload.
 *
 * @returns the upload if it is stored, by this event or another one
 */
async function storeValid(
  { backend, bucket, object, location }: FinalizeEvent,
  dimensions: ValidatedFields,
): Promise<Upload | undefined> {
  return backend.db.run(async (tx) => {
    const record = await tx.uploads.get(location.uploadId);
    if (record?.status !== 'pending') return record?.status === 'stored' ? record : undefined;
    const description = { ...record, disposition: dispositionOf(record.name) };
    const written = await rewriteObject(bucket, object.path, description, object.generation);
    const stored = { status: 'stored', ...written, ...dimensions } as const;
    tx.uploads.update(location.uploadId, stored);
    return { ...record, ...stored };
  });
}
