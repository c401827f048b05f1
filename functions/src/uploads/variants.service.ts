import { randomUUID } from 'node:crypto';
import type { DocumentReference, Firestore } from 'firebase-admin/firestore';
import { logWarning } from '../common/log.ts';
import type { Bucket } from '../backend.ts';
import { transact } from '../firestore/transaction.ts';
import type { Known } from './direct/register.service.ts';
import { KINDS } from './files/kinds.ts';
import { variantsFolder, type ObjectPath } from './bucket/object-path.ts';
import type { ArrivedObject, Reception } from './direct/arrival.ts';
import { resize, type Resized } from './files/resize.ts';
import { isObjectGone, readObject, removeFolder, removeObject, storeObject } from './bucket/storage.ts';
import { uploadRef, type UploadDocument, type Variant } from './upload.store.ts';

const CONTENT_TYPE = 'image/webp';

type UploadRef = DocumentReference<UploadDocument>;

/**
 * Makes the smaller copies of a picture that are configured, once. Each try stores them in a folder of its own, which the
 * document names before, so that whoever removes the upload knows of it. The first one that has stored all of them says
 * where they are; whoever comes later takes its own away. So no try touches what another has stored, and nobody knows a
 * URL before the document has it.
 *
 * Variants lie where no uploads are, so that they never get variants themselves.
 */
export async function makeVariants(
  { backend, config }: Reception,
  where: ObjectPath,
  known: Known,
  object: ArrivedObject,
): Promise<void> {
  const extension = object.name.slice(object.name.lastIndexOf('.') + 1).toLowerCase();
  if (config.imageSizes.length === 0 || KINDS.get(extension)?.category !== 'image') return;
  if (!lacksVariants(known)) return;
  const [firestore, bucket] = await Promise.all([backend.firestore(), backend.bucket()]);
  const made = await resizedOf(bucket, object, config.imageSizes);
  if (made.length === 0) return;
  const folder = `${variantsFolder(where)}${randomUUID()}`;
  const named = made.map((variant) => ({ ...variant, path: `${folder}/${variant.width}.webp` }));
  const ref = uploadRef(firestore, where.uploadId);
  const paths = named.map(({ path }) => path);
  if (!(await plan(firestore, ref, paths))) return;
  const variants = await Promise.all(named.map((variant) => store(bucket, known, variant)));
  if (await publish(firestore, ref, variants)) return;
  for (const path of paths) await removeObject(bucket, path);
}

function lacksVariants({ status, variants }: Pick<UploadDocument, 'status' | 'variants'>): boolean {
  return status !== 'refused' && variants.length === 0;
}

/** Removes what there may be of the variants of an upload that is gone. */
export async function removeVariants({ backend }: Reception, where: ObjectPath): Promise<void> {
  await removeFolder(await backend.bucket(), variantsFolder(where));
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
async function plan(firestore: Firestore, ref: UploadRef, paths: readonly string[]): Promise<boolean> {
  return transact(firestore, async (transaction) => {
    const upload = (await transaction.get(ref)).data();
    if (upload === undefined || !lacksVariants(upload)) return false;
    transaction.update(ref, { plannedVariants: [...upload.plannedVariants, ...paths] });
    return true;
  });
}

async function store(
  bucket: Bucket,
  upload: Known,
  { path, width, height, bytes }: Resized & { path: string },
): Promise<Variant> {
  const description = { ...upload, contentType: CONTENT_TYPE, disposition: 'inline' as const };
  const { url } = await storeObject(bucket, path, bytes, description);
  return { width, height, path, url, size: bytes.length };
}

/** @returns false where another try was first, or the upload is gone */
async function publish(firestore: Firestore, ref: UploadRef, variants: Variant[]): Promise<boolean> {
  const own = new Set(variants.map(({ path }) => path));
  return transact(firestore, async (transaction) => {
    const upload = (await transaction.get(ref)).data();
    if (upload === undefined || !lacksVariants(upload)) return false;
    const plannedVariants = upload.plannedVariants.filter((path) => !own.has(path));
    transaction.update(ref, { variants, plannedVariants });
    return true;
  });
}
