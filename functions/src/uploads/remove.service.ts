import type { Services } from '../services.ts';
import { removeObject } from './storage.ts';
import { forgetUpload, uploadsOf } from './upload.store.ts';

/** Requests to Storage at once. */
const AT_ONCE = 10;

/**
 * Removes at most `most` uploads of an owner, each with its object first: what dies in between is found again.
 *
 * @param ownerId a user's uid or a team's id
 * @returns how many were removed; fewer than `most` means that nothing is left
 * @throws StorageTimeout, or the error of the client
 */
export async function removeUploadsOf(services: Services, ownerId: string, most: number): Promise<number> {
  const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
  const { docs } = await uploadsOf(firestore, ownerId).limit(most).get();
  for (let start = 0; start < docs.length; start += AT_ONCE) {
    const some = docs.slice(start, start + AT_ONCE);
    await Promise.all(
      some.map(async (upload) => {
        await removeObject(bucket, upload.data().path);
        await forgetUpload(firestore, upload.id);
      }),
    );
  }
  return docs.length;
}
