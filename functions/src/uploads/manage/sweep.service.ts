import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import { sweepEach } from '../../common/sweep.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { isNotFound } from '../../firestore/failures.ts';
import type { Found } from '../../firestore/query.ts';
import { removeUpload } from '../records/remove.service.ts';
import { abandonedUploads, overdueUploads, refuseUpload } from '../records/upload.store.ts';

/** Uploads of one query. Bounds the memory. */
const PAGE_SIZE = 500;

/** After this time the sweep handles no further upload, so that the function ends in time. The next run continues. */
const STOP_AFTER_MS = 400_000;

/** Longer than any request, so an API upload that is still being stored does not count as abandoned. */
const ABANDONED_AFTER_MS = HOUR_MS;

const RETRY_AFTER_MS = HOUR_MS;

/**
 * Refuses abandoned uploads, then removes all uploads whose `deleteAt` has passed. If the work on one upload fails, the
 * sweep continues with the others. Damaged records are logged and skipped.
 *
 * A request may complete a pending upload while the sweep refuses it. If the request commits first, the upload stays.
 * If the sweep commits first, the request fails.
 *
 * @returns how many were removed
 */
export async function sweepOutdatedUploads(backend: Backend, pageSize = PAGE_SIZE): Promise<number> {
  const { db, now } = backend;
  const start = now().getTime();
  const isOver = () => now().getTime() > start + STOP_AFTER_MS;
  const abandoned = abandonedUploads(db, new Date(start - ABANDONED_AFTER_MS));
  await sweepEach(
    abandoned.streamIntactInOrder(pageSize),
    ({ id }) => refuseUpload(db, id, { reason: 'abandoned', deleteAt: now() }),
    isOver,
  );
  const overdue = overdueUploads(db, now());
  return sweepEach(
    overdue.streamIntactInOrder(pageSize),
    (upload) => removeOrPostpone(backend, upload),
    isOver,
  );
}

/** Removes an upload. If that fails, the sweep tries again in an hour. */
async function removeOrPostpone(backend: Backend, { id, data }: Found<Upload>): Promise<void> {
  try {
    await removeUpload(backend, id, data);
  } catch (error) {
    await postpone(backend, id);
    throw error;
  }
}

/** Does nothing if the owner has removed the upload in the meantime. */
async function postpone({ db, now }: Backend, id: string): Promise<void> {
  const deleteAt = new Date(now().getTime() + RETRY_AFTER_MS);
  try {
    await db.uploads.update(id, { deleteAt });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
