import { HttpError } from '../http/errors.ts';
import { claim, type Known } from './claim.service.ts';
import { dimensionsOf } from './dimensions.ts';
import { judgeBytes, judgeClaim } from './judge.ts';
import { isToldByItsHead } from './kinds.ts';
import { parseObjectPath } from './object-path.ts';
import type { ArrivedObject, Reception } from './reception.ts';
import { HEAD_BYTES } from './signature.ts';
import { describeObject, isObjectGone, readObject, removeObject } from './storage.ts';
import { makeVariants, removeVariants } from './variants.service.ts';
import { completeUpload, forgetUploads, refusedUntil, refuseUpload, uploadRef } from './upload.store.ts';

/**
 * Judges an object that a client has sent straight to Storage. What is accepted gets a document that says so, our type
 * and our headers; what is not is removed, and its document tells why. An object of the API has its document already.
 *
 * May run twice, late and at the same time for one object: each step is done once, or again with the same result. What
 * dies in between is done by the next try of the event, or removed by the sweep.
 *
 * @throws what Firestore, Auth or Storage fail with, so that the event comes again
 */
export async function receiveObject(reception: Reception, object: ArrivedObject): Promise<void> {
  const where = parseObjectPath(object.name);
  if (where === undefined) return;
  const { services } = reception;
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const ref = uploadRef(firestore, where.uploadId);
  const known = (await ref.get()).data() ?? (await claim(reception, where, object));
  if (known === undefined || known.path !== object.name || known.status === 'refused') {
    await removeObject(bucket, object.name, { generation: object.generation });
    if (known === undefined) await removeVariants(reception, where);
    return;
  }
  if (known.source === 'client' && known.status === 'pending') {
    if (!(await accept(reception, where.uploadId, known, object))) return;
  }
  await makeVariants(reception, where, known, object);
}

/**
 * Stores what is judged good, and refuses the rest; an upload that was removed meanwhile leaves nothing.
 *
 * @returns whether it is stored, by this try or by another
 */
async function accept(
  reception: Reception,
  id: string,
  upload: Known,
  object: ArrivedObject,
): Promise<boolean> {
  const { services } = reception;
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  try {
    if (await completeUpload(firestore, id, await judge(reception, upload, object))) return true;
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) {
      await refuseUpload(firestore, id, error.code, refusedUntil(services.now()));
    } else if (!isObjectGone(error)) {
      throw error;
    }
  }
  // Another try of the event may have stored it, and a revocation made it another generation: then it is in use.
  const current = (await uploadRef(firestore, id).get()).data();
  if (current?.status === 'stored') return true;
  await removeObject(bucket, object.name, { generation: object.generation });
  // Its object went before the trigger could look at it.
  if (current?.status === 'pending') await forgetUploads(firestore, upload.ownerId, new Map([[id, upload]]));
  return false;
}

/** Reads what tells the kind, and says of the object what it is. */
async function judge({ services, config }: Reception, upload: Known, object: ArrivedObject) {
  const bucket = await services.bucket();
  const { name: path, generation, size, contentType: declaredType, contentEncoding, metadata } = object;
  const judged = judgeClaim({ name: upload.name, declaredType, contentEncoding, size }, config);
  const most = isToldByItsHead(judged.kind) ? HEAD_BYTES : size;
  const bytes = await readObject(bucket, path, generation, most);
  await judgeBytes(bytes, judged);
  const [token] = metadata['firebaseStorageDownloadTokens']?.split(',') ?? [];
  const description = { ...upload, disposition: judged.kind.disposition };
  const url = await describeObject(bucket, path, generation, description, token);
  return { url, dimensions: (await dimensionsOf(bytes, judged.kind)) ?? null };
}
