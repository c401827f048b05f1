import pMap from 'p-map';
import type { Backend } from '../../backend.ts';
import { logWarning } from '../../common/log.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { isIntact, type Found, type Stored } from '../../firestore/query.ts';
import { abandonedUploads, overdueUploads, refuseUpload } from '../records/upload.store.ts';
import { removeUpload } from './remove.service.ts';

/** Uploads in one round of the sweep. Bounds its memory. */
const UPLOADS_PER_ROUND = 500;

/** No round begins later, so that the function ends in time. The next run continues. */
const LAST_ROUND_AFTER_MS = 400_000;

/** Longer than any request, so that no upload that is still being stored counts as abandoned. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Uploads that the sweep handles at the same time. */
const CONCURRENCY = 10;

/** Wait before another attempt to remove an upload. */
const RETRY_AFTER_MS = 3_600_000;

/**
 * Refuses abandoned uploads and removes those whose time is over. An upload that cannot be removed is postponed by an hour, so
 * that it does not stop the others. Damaged records are logged and skipped.
 *
 * @param limit uploads of each kind in a round. Rounds repeat until no uploads are left or the time is up.
 * @returns how many were removed
 */
export async function sweepOutdatedUploads(backend: Backend, limit = UPLOADS_PER_ROUND): Promise<number> {
  const start = backend.now().getTime();
  const before = new Date(start - ABANDONED_AFTER_MS);
  // Continues after the last one, so that damaged records do not fill every round.
  const abandoned = abandonedUploads(backend.db, before).inOrder(limit);
  let removed = 0;
  for (;;) {
    const now = backend.now();
    const pending = await nextOf(abandoned, limit);
    await refuseAbandoned(backend, pending, now);
    const overdue = await overdueUploads(backend.db, now).limit(limit).findWithDamaged();
    removed += await removeOverdue(backend, overdue, now);
    const isMore = pending.length === limit || overdue.length === limit;
    if (!isMore || backend.now().getTime() > start + LAST_ROUND_AFTER_MS) return removed;
  }
}

async function nextOf<Item>(items: AsyncIterator<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  while (taken.length < count) {
    const next = await items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

/**
 * Refuses uploads in one transaction each: an upload that is completed at that moment stays, and a refused upload cannot be
 * completed. The bytes of a refused upload are given back. Its `deleteAt` lets `removeOverdue` remove it in the same round.
 */
async function refuseAbandoned(
  { db }: Backend,
  pending: readonly Stored<Upload>[],
  now: Date,
): Promise<void> {
  const refusal = { reason: 'abandoned', deleteAt: now };
  await pMap(pending, ({ id }) => refuseUpload(db, id, refusal), { concurrency: CONCURRENCY });
}

/** @returns how many were removed */
async function removeOverdue(
  backend: Backend,
  overdue: readonly Found<Upload>[],
  now: Date,
): Promise<number> {
  const later = new Date(now.getTime() + RETRY_AFTER_MS);
  let removed = 0;
  const removeOne = async (upload: Found<Upload>) => {
    if (await tryToRemove(backend, upload)) removed += 1;
    else await backend.db.uploads.update(upload.id, { deleteAt: later });
  };
  await pMap(overdue, removeOne, { concurrency: CONCURRENCY });
  return removed;
}

async function tryToRemove(backend: Backend, upload: Found<Upload>): Promise<boolean> {
  if (!isIntact(upload)) return false;
  try {
    await removeUpload(backend, upload.id, upload.data);
    return true;
  } catch (error) {
    logWarning(`Left for the next sweep: uploads/${upload.id}`, error);
    return false;
  }
}
