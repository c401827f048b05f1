import type { Firestore } from 'firebase-admin/firestore';
import { logWarning } from '../http/log.ts';
import type { Bucket } from '../services.ts';
import { transact } from '../transaction.ts';
import type { Known } from './claim.service.ts';
import { KINDS } from './kinds.ts';
import { parseObjectPath, variantPath } from './object-path.ts';
import type { ArrivedObject, Reception } from './reception.ts';
import { resize, type Resized } from './resize.ts';
import { isObjectGone, readObject, removeObject, storeObject } from './storage.ts';
import { uploadRef, type UploadDocument, type Variant } from './upload.store.ts';

const CONTENT_TYPE = 'image/webp';

/**
 * Makes the smaller copies of a picture that are configured, once. The document first says what is going to be made, so
 * that whoever removes the upload knows of it. It is locked while they are stored: their URLs are known from the moment on
 * in which all of them are there, and whoever revokes them comes before or after. Once made they are not touched again.
 *
 * Variants lie where no uploads are, so that they never get variants themselves.
 */
export async function makeVariants(
  { services, config }: Reception,
  id: string,
  known: Known,
  object: ArrivedObject,
): Promise<void> {
  const extension = object.name.slice(object.name.lastIndexOf('.') + 1).toLowerCase();
  if (config.imageSizes.length === 0 || KINDS.get(extension)?.category !== 'image') return;
  if (!lacksVariants(known)) return;
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const made = await resizedOf(bucket, object, config.imageSizes);
  const paths = made.map(({ width }) => pathOf(object, width));
  if (made.length > 0 && (await plan(firestore, id, paths))) await store(firestore, bucket, id, object, made);
}

function lacksVariants(upload: Pick<UploadDocument, 'status' | 'variants'> | undefined): boolean {
  return upload !== undefined && upload.status !== 'refused' && upload.variants.length === 0;
}

/** Removes what there may be of the variants of an upload that is gone. */
export async function removeVariants({ services, config }: Reception, object: ArrivedObject): Promise<void> {
  const bucket = await services.bucket();
  for (const width of config.imageSizes) await removeObject(bucket, pathOf(object, width));
}

/** A picture that cannot be unpacked stays as it is, without variants; one that is gone or another by now needs none. */
async function resizedOf(
  bucket: Bucket,
  object: ArrivedObject,
  widths: readonly number[],
): Promise<Resized[]> {
  const bytes = await readObject(bucket, object.name, object.generation, object.size).catch(unlessGone);
  if (bytes === undefined) return [];
  try {
    return await resize(bytes, widths);
  } catch (error) {
    logWarning(`No variants of ${object.name}`, error);
    return [];
  }
}

function unlessGone(error: unknown): undefined {
  if (!isObjectGone(error)) throw error;
}

/** @returns whether they are still to be made */
async function plan(firestore: Firestore, id: string, paths: readonly string[]): Promise<boolean> {
  const ref = uploadRef(firestore, id);
  return transact(firestore, async (transaction) => {
    const upload = (await transaction.get(ref)).data();
    if (upload === undefined || !lacksVariants(upload)) return false;
    transaction.update(ref, { plannedVariants: [...new Set([...upload.plannedVariants, ...paths])] });
    return true;
  });
}

async function store(
  firestore: Firestore,
  bucket: Bucket,
  id: string,
  object: ArrivedObject,
  made: readonly Resized[],
): Promise<void> {
  const ref = uploadRef(firestore, id);
  await transact(firestore, async (transaction) => {
    const upload = (await transaction.get(ref)).data();
    if (upload === undefined || !lacksVariants(upload)) return;
    // What a try has left that died: nobody knows its tokens.
    await Promise.all(upload.plannedVariants.map((path) => removeObject(bucket, path)));
    const variants = await Promise.all(made.map((variant) => storeOne(bucket, upload, object, variant)));
    transaction.update(ref, { variants, plannedVariants: [] });
  });
}

async function storeOne(
  bucket: Bucket,
  upload: UploadDocument,
  object: ArrivedObject,
  { width, height, bytes }: Resized,
): Promise<Variant> {
  const path = pathOf(object, width);
  const description = { ...upload, contentType: CONTENT_TYPE, disposition: 'inline' as const };
  const url = await storeObject(bucket, path, bytes, description);
  return { width, height, path, url, size: bytes.length };
}

function pathOf({ name }: ArrivedObject, width: number): string {
  const { ownerId, uploadId } = parseObjectPath(name) ?? { ownerId: '', uploadId: '' };
  return variantPath(ownerId, uploadId, width);
}
