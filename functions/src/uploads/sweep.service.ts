import type { Services } from '../services.ts';
import { removeObject } from './storage.ts';
import { abandonedUploads, forgetUpload } from './upload.store.ts';

/** Longer than any request lives, so that no upload under way is taken for an abandoned one. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Bounds one run; what is left waits for the next. */
const MOST_A_RUN = 200;

/**
 * Removes what interrupted uploads left: first the object, then the document that told of it, so that a sweep which dies
 * itself is simply repeated.
 *
 * @returns how many were removed
 */
export async function sweepAbandonedUploads(services: Services): Promise<number> {
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const before = new Date(services.now().getTime() - ABANDONED_AFTER_MS);
  const abandoned = await abandonedUploads(firestore, before, MOST_A_RUN);
  for (const upload of abandoned) {
    await removeObject(bucket, upload.data().path);
    await forgetUpload(firestore, upload.id);
  }
  return abandoned.length;
}
