import type { Firestore } from 'firebase-admin/firestore';
import { Refusal } from '../../refusals.ts';
import { logFault } from '../../common/log.ts';
import type { Bucket } from '../../backend.ts';
import { transact } from '../../firestore/transaction.ts';
import { claim, type Known } from './register.service.ts';
import { dimensionsOf } from '../files/dimensions.ts';
import { judgeBytes, judgeClaim } from '../files/validate.ts';
import { dispositionOf, isToldByItsHead } from '../files/kinds.ts';
import { parseObjectPath, type ObjectPath } from '../bucket/object-path.ts';
import type { ArrivedObject, Reception } from './arrival.ts';
import { HEAD_BYTES } from '../files/signature.ts';
import { hasObject, isObjectGone, readObject, removeObject, replaceToken } from '../bucket/storage.ts';
import { makeVariants, removeVariants } from '../variants.service.ts';
import {
  forgetUploads,
  refusedUntil,
  refuseUpload,
  uploadRef,
  variantPathsOf,
  type UploadDocument,
} from '../upload.store.ts';

/** An object and the dependencies of its handling. */
interface Arrival {
  reception: Reception;
  firestore: Firestore;
  bucket: Bucket;
  where: ObjectPath;
  object: ArrivedObject;
}

/**
 * Handles a new generation of an object: a file that a client has sent straight to Storage, a file of the API, our own
 * copy of either, or bytes that somebody wrote over a stored file.
 *
 * A file of a client is judged. If it is accepted it gets a document, and the object our token, type and headers. If not,
 * the object is removed and the document says why.
 *
 * May run twice, late and in parallel for one generation. An event whose handling fails comes again.
 *
 * @throws what Firestore, Auth or Storage fail with
 */
export async function receiveObject(reception: Reception, object: ArrivedObject): Promise<void> {
  const where = parseObjectPath(object.name);
  if (where === undefined) return;
  const { backend } = reception;
  const [firestore, bucket] = await Promise.all([backend.firestore(), backend.bucket()]);
  const arrival = { reception, firestore, bucket, where, object };
  const known = (await find(arrival)) ?? (await claim(reception, where, object));
  if (known === undefined || known.path !== object.name) {
    await removeThis(arrival);
    if (known === undefined) await removeVariants(reception, where);
  } else if (known.status === 'refused') {
    await removeRefused(arrival, known);
  } else if (isOutdated(known, object)) {
    // The event of the later generation handles the object.
  } else if (hasOtherBytes(known, object)) {
    await refuseReplaced(arrival);
  } else if (known.source === 'client' && known.status === 'pending') {
    const stored = await accept(arrival, known);
    // Accepting copies the object. The event of the copy makes the variants.
    if (stored?.generation === object.generation) await makeVariants(reception, where, stored, object);
  } else if (needsUrl(known, object)) {
    await secure(arrival);
  } else {
    await makeVariants(reception, where, known, object);
  }
}

type Identity = Pick<UploadDocument, 'generation' | 'md5Hash'>;

/** Whether our document has a later generation. */
function isOutdated({ generation }: Identity, object: ArrivedObject): boolean {
  return generation !== null && BigInt(object.generation) < BigInt(generation);
}

/** Whether the object has a later generation than our document. */
function isUnrecorded({ generation }: Identity, object: ArrivedObject): boolean {
  return generation !== null && BigInt(object.generation) > BigInt(generation);
}

function hasOtherBytes({ md5Hash }: Identity, object: ArrivedObject): boolean {
  return md5Hash !== null && md5Hash !== object.md5Hash;
}

async function find({ firestore, where }: Arrival): Promise<UploadDocument | undefined> {
  return (await uploadRef(firestore, where.uploadId).get()).data();
}

/** Removes this generation of the object; a later one stays. */
async function removeThis({ bucket, object: { name, generation } }: Arrival): Promise<void> {
  await removeObject(bucket, name, { generation });
}

async function removeRefused(arrival: Arrival, upload: Parameters<typeof variantPathsOf>[0]): Promise<void> {
  await removeThis(arrival);
  for (const path of variantPathsOf(upload)) await removeObject(arrival.bucket, path);
}

/**
 * Stores a pending upload if it passes, and refuses it if not. An upload that was removed meanwhile leaves nothing.
 *
 * @returns the upload if it is stored, by this try or by another
 */
async function accept(arrival: Arrival, upload: Known): Promise<UploadDocument | undefined> {
  let refusal: string | undefined;
  try {
    const stored = await storePending(arrival, await judge(arrival, upload));
    if (stored !== undefined) return stored;
  } catch (error) {
    if (error instanceof Refusal && !error.isOutage) refusal = error.code;
    else if (!isObjectGone(error)) throw error;
  }
  const { firestore, bucket, object, reception, where } = arrival;
  const current = await find(arrival);
  if (current?.status === 'stored') return current;
  // The object is removed first, so that nobody can read a refused file.
  await removeThis(arrival);
  if (refusal !== undefined) {
    const deleteAt = refusedUntil(reception.backend.now());
    await refuseUpload(firestore, where.uploadId, { reason: refusal, deleteAt });
  } else if (current?.status === 'pending' && !(await hasObject(bucket, object.name))) {
    await forgetUploads(firestore, upload.ownerId, new Map([[where.uploadId, upload]]));
  }
  return undefined;
}

type Judgement = Pick<UploadDocument, 'dimensions'>;

/** Reads the bytes that identify the kind, and validates them. */
async function judge({ reception, bucket, object }: Arrival, upload: Known): Promise<Judgement> {
  const { name: path, generation, size, contentType: declaredType, contentEncoding } = object;
  const claimed = { name: upload.name, declaredType, contentEncoding, size };
  const judged = judgeClaim(claimed, reception.config);
  const most = isToldByItsHead(judged.kind) ? HEAD_BYTES : size;
  const bytes = await readObject(bucket, path, generation, most);
  await judgeBytes(bytes, judged);
  return { dimensions: (await dimensionsOf(bytes, judged.kind)) ?? null };
}

/**
 * Gives the object our token and headers and marks its upload as stored. Storage copies a generation only once, so only
 * one of two concurrent tries succeeds. The transaction prevents that the upload is removed or given up meanwhile.
 *
 * @returns the upload if it is stored, by this try or by another
 */
async function storePending(
  { firestore, bucket, where, object }: Arrival,
  judgement: Judgement,
): Promise<UploadDocument | undefined> {
  const ref = uploadRef(firestore, where.uploadId);
  return transact(firestore, async (transaction) => {
    const upload = (await transaction.get(ref)).data();
    if (upload?.status !== 'pending') return upload?.status === 'stored' ? upload : undefined;
    const written = await replaceToken(bucket, object.name, descriptionOf(upload), object.generation);
    const stored = { status: 'stored', ...written, ...judgement } as const;
    transaction.update(ref, stored);
    return { ...upload, ...stored };
  });
}

/**
 * Handles the same bytes under a generation that we have not recorded: they were written again, with any token, or a
 * revocation was interrupted before its commit. The file gets a new URL of ours.
 *
 * The generation is recorded first. This waits for a concurrent revocation, which records it itself.
 */
async function secure({ firestore, bucket, where, object }: Arrival): Promise<void> {
  const { name: path, generation } = object;
  const ref = uploadRef(firestore, where.uploadId);
  const upload = await transact(firestore, async (transaction) => {
    const found = (await transaction.get(ref)).data();
    if (found === undefined || !needsUrl(found, object)) return undefined;
    transaction.update(ref, { generation, url: null });
    return found;
  });
  if (upload === undefined) return;
  const written = await replaceToken(bucket, path, descriptionOf(upload), generation).catch(unlessGone);
  if (written === undefined) return;
  await transact(firestore, async (transaction) => {
    const found = (await transaction.get(ref)).data();
    if (found?.generation === generation) transaction.update(ref, { ...written });
  });
  report('A stored file was written again and has a new URL', where);
}

/** Whether a generation of a stored file was not written by us, or `secure` was interrupted. */
function needsUrl(upload: Known, object: ArrivedObject): boolean {
  if (upload.status !== 'stored') return false;
  return isUnrecorded(upload, object) || (upload.url === null && upload.generation === object.generation);
}

/** Removes a file whose bytes were changed after they were judged, with its variants. That ends its URLs. */
async function refuseReplaced(arrival: Arrival): Promise<void> {
  const { reception, firestore, where, object } = arrival;
  const refused = await refuseUpload(firestore, where.uploadId, {
    reason: 'replaced',
    deleteAt: refusedUntil(reception.backend.now()),
    applies: (upload) => hasOtherBytes(upload, object) && !isOutdated(upload, object),
  });
  if (refused === undefined) return;
  await removeRefused(arrival, refused);
  report('A stored file was overwritten with other bytes and is removed', where);
}

function descriptionOf(upload: UploadDocument) {
  return { ...upload, disposition: dispositionOf(upload.name) };
}

function unlessGone(error: unknown): undefined {
  if (!isObjectGone(error)) throw error;
}

function report(message: string, { ownerId, uploadId }: ObjectPath): void {
  logFault(message, { uploadId, ownerId }, 'storage.rules must refuse to overwrite files.');
}
