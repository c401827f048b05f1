import { hasCode } from '../error-code.ts';
import { logWarning } from '../http/log.ts';
import type { Bucket } from '../services.ts';
import { transact } from '../transaction.ts';
import { KINDS } from './kinds.ts';
import { parseObjectPath, variantPath } from './object-path.ts';
import type { ArrivedObject, Reception } from './reception.ts';
import { resize, type Resized } from './resize.ts';
import { downloadUrl, isObjectGone, newToken, readObject, removeObject, storeObject } from './storage.ts';
import { uploadRef, type UploadDocument, type Variant } from './upload.store.ts';

const CONTENT_TYPE = 'image/webp';

/**
 * Makes the smaller copies of a picture that are configured, once: the document first says what is going to be made, with
 * the tokens, so that whoever removes the upload knows of it, and whoever tries again makes the very same. Once made they
 * are not touched again, so that a try that comes late brings no URL back that has been revoked since.
 *
 * Variants lie where no uploads are, so that they never get variants themselves.
 */
export async function makeVariants(reception: Reception, id: string, object: ArrivedObject): Promise<void> {
  const { services, config } = reception;
  const extension = object.name.slice(object.name.lastIndexOf('.') + 1).toLowerCase();
  if (config.imageSizes.length === 0 || KINDS.get(extension)?.category !== 'image') return;
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const known = (await uploadRef(firestore, id).get()).data();
  if (known === undefined || known.status === 'refused' || known.variants.length > 0) return;

  const isPlanned = known.plannedVariants.length > 0;
  const widths = isPlanned ? known.plannedVariants.map(({ width }) => width) : config.imageSizes;
  const made = await resizedOf(bucket, object, widths);
  const planned = await plan(reception, id, bucket.name, object, made);
  for (const variant of planned) {
    const bytes = made.find(({ width }) => width === variant.width)?.bytes;
    if (bytes !== undefined) await store(bucket, known, variant, bytes);
  }
  if (!(await finish(reception, id, planned))) await removeVariants(reception, object);
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

/** @returns what is to be stored: nothing when another try has made them all meanwhile */
async function plan(
  { services }: Reception,
  id: string,
  bucket: string,
  object: ArrivedObject,
  made: readonly Resized[],
): Promise<Variant[]> {
  const firestore = await services.firestore();
  const fresh = made.map(({ width, height, bytes }) => {
    const path = pathOf(object, width);
    const url = downloadUrl({ bucket, path, token: newToken() });
    return { width, height, path, url, size: bytes.length };
  });
  return transact(firestore, async (transaction) => {
    const ref = uploadRef(firestore, id);
    const upload = (await transaction.get(ref)).data();
    if (upload === undefined || upload.variants.length > 0 || fresh.length === 0) return [];
    if (upload.plannedVariants.length > 0) return upload.plannedVariants;
    transaction.update(ref, { plannedVariants: fresh });
    return fresh;
  });
}

async function store(
  bucket: Bucket,
  upload: UploadDocument,
  { path, url }: Variant,
  bytes: Buffer,
): Promise<void> {
  const token = new URL(url).searchParams.get('token') ?? newToken();
  const description = { ...upload, contentType: CONTENT_TYPE, disposition: 'inline' as const };
  await storeObject(bucket, path, bytes, description, { token }).catch(unlessStored);
}

/** 412: another try has stored it, the same at the same URL. */
function unlessStored(error: unknown): void {
  if (!hasCode(error, 412)) throw error;
}

/** @returns whether the upload is still there */
async function finish({ services }: Reception, id: string, made: readonly Variant[]): Promise<boolean> {
  const firestore = await services.firestore();
  return transact(firestore, async (transaction) => {
    const ref = uploadRef(firestore, id);
    const upload = (await transaction.get(ref)).data();
    if (upload === undefined) return false;
    const variants = upload.plannedVariants;
    if (made.length > 0 && variants.length > 0) transaction.update(ref, { variants, plannedVariants: [] });
    return true;
  });
}

function pathOf({ name }: ArrivedObject, width: number): string {
  const { ownerId, uploadId } = parseObjectPath(name) ?? { ownerId: '', uploadId: '' };
  return variantPath(ownerId, uploadId, width);
}
