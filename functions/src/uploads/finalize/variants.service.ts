import { randomUUID } from 'node:crypto';
import type { Bucket } from '../../backend-clients.ts';
import { logWarning } from '../../common/log.ts';
import type { Db } from '../../firestore/db.ts';
import type { Upload, Variant } from '../../firestore/documents/upload.ts';
import { ignoreIfMissingOrChanged } from '../bucket/failures.ts';
import { variantsFolder } from '../bucket/object-path.ts';
import { readObject, removeObject, createObject } from '../bucket/storage.ts';
import { variantDescriptionOf } from '../bucket/variants.ts';
import { extensionOf } from '../files/file-name.ts';
import { KINDS_WITH_SIGNATURE } from '../files/kinds.ts';
import { resize, type Resized } from '../files/resize.ts';
import type { FinalizeEvent } from './event.ts';

interface NewVariant extends Resized {
  path: string;
}

/**
 * Makes the variants of a picture in the configured sizes, unless the picture has variants. Several events of an object
 * may do this at the same time:
 *
 * 1. Each event has a folder of its own. It writes the paths of its variants in this folder to the record, so that a
 *    removal finds the variants.
 * 2. Each event stores its variants.
 * 3. The first event that has stored all its variants writes their URLs to the record. Any other event removes its own
 *    variants.
 */
export async function makeVariants(event: FinalizeEvent, record: Upload): Promise<void> {
  const { backend, bucket, location } = event;
  if (!wantsVariants(event) || !mayGetVariants(record)) return;
  const folder = `${variantsFolder(location)}${randomUUID()}`;
  const variants = (await makeCopies(event)).map((variant) => ({
    ...variant,
    path: `${folder}/${variant.width}.webp`,
  }));
  if (variants.length === 0) return;
  const paths = variants.map(({ path }) => path);
  if (!(await addPossibleVariants(backend.db, location.uploadId, paths))) return;
  const stored = await Promise.all(variants.map((variant) => storeVariant(bucket, record, variant)));
  if (await publishVariants(backend.db, location.uploadId, stored)) return;
  for (const path of paths) await removeObject(bucket, path);
}

/** True for a picture, if sizes are configured. */
function wantsVariants({ backend, object: { path } }: FinalizeEvent): boolean {
  return (
    backend.config.imageSizes.length > 0 && KINDS_WITH_SIGNATURE.get(extensionOf(path))?.category === 'image'
  );
}

function mayGetVariants({ status, variants }: Pick<Upload, 'status' | 'variants'>): boolean {
  return status !== 'refused' && variants.length === 0;
}

/** @returns an empty list if the picture cannot be decoded, or if its object was removed or overwritten */
async function makeCopies({ backend, bucket, object }: FinalizeEvent): Promise<Resized[]> {
  const bytes = await readObject(bucket, object, object.size).catch(ignoreIfMissingOrChanged);
  if (bytes === undefined) return [];
  try {
    return await resize(bytes, backend.config.imageSizes);
  } catch (error) {
    logWarning(`No variants of ${object.path}`, error);
    return [];
  }
}

/** @returns false if the upload was removed or refused, or has variants */
async function addPossibleVariants(db: Db, id: string, paths: readonly string[]): Promise<boolean> {
  return db.run(async (tx) => {
    const record = await tx.uploads.get(id);
    if (record === undefined || !mayGetVariants(record)) return false;
    tx.uploads.update(id, { possibleVariants: [...record.possibleVariants, ...paths] });
    return true;
  });
}

async function storeVariant(bucket: Bucket, record: Upload, variant: NewVariant): Promise<Variant> {
  const { path, width, height, bytes } = variant;
  const { url } = await createObject(bucket, { ...variantDescriptionOf(record), path, bytes });
  return { width, height, path, url, size: bytes.length };
}

/** @returns false if another event was first, or the upload was removed or refused */
async function publishVariants(db: Db, id: string, variants: Variant[]): Promise<boolean> {
  const own = new Set(variants.map(({ path }) => path));
  return db.run(async (tx) => {
    const record = await tx.uploads.get(id);
    // An earlier run of this transaction was committed, and the answer was lost. No other event knows these paths.
    if (record?.variants.some(({ path }) => own.has(path)) === true) return true;
    if (record === undefined || !mayGetVariants(record)) return false;
    const possibleVariants = record.possibleVariants.filter((path) => !own.has(path));
    tx.uploads.update(id, { variants, possibleVariants });
    return true;
  });
}
