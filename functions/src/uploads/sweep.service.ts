import type { Firestore } from 'firebase-admin/firestore';
import pMap from 'p-map';
import { logWarning } from '../common/log.ts';
import type { Bucket, Backend } from '../backend.ts';
import { removeUpload } from './remove.service.ts';
import { abandonedUploads, overdueUploads, postponeRemoval, refuseUpload } from './upload.store.ts';

/** Bounds the memory that a round of the sweep takes. */
const MOST_A_ROUND = 500;

/** No round begins later, so that the function ends in its time; what is left waits for the next run. */
const LAST_ROUND_AFTER_MS = 400_000;

/** Longer than any request lives, so that no upload under way is taken for an abandoned one. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Uploads that the sweep handles at the same time. */
const CONCURRENCY = 10;

/** Until what could not be removed is tried again. */
const RETRY_AFTER_MS = 3_600_000;

/**
 * Removes what interrupted uploads left, and what is only kept for a time. One that cannot be removed does not keep the
 * others: it is put back behind them.
 *
 * @param most of each, in a round; there are rounds until all are found, or the time is over
 * @returns how many were removed
 */
export async function sweepOutdatedUploads(backend: Backend, most = MOST_A_ROUND): Promise<number> {
  const [firestore, bucket] = await Promise.all([backend.firestore(), backend.bucket()]);
  const lastRound = backend.now().getTime() + LAST_ROUND_AFTER_MS;
  let removed = 0;
  for (;;) {
    const now = backend.now();
    const abandoned = await giveUpAbandoned(firestore, now, most);
    const overdue = await removeOverdue(firestore, bucket, now, most);
    removed += overdue.removed;
    const isMore = abandoned === most || overdue.found === most;
    if (!isMore || backend.now().getTime() > lastRound) return removed;
  }
}

/**
 * Refuses interrupted uploads, each in a transaction: one that is completed at that very moment stays, and one that is
 * given up is not completed any more. From then on their time is over.
 *
 * @returns how many were found
 */
async function giveUpAbandoned(firestore: Firestore, now: Date, most: number): Promise<number> {
  const found = await abandonedUploads(firestore, new Date(now.getTime() - ABANDONED_AFTER_MS), most);
  await pMap(found, ({ id }) => refuseUpload(firestore, id, { reason: 'abandoned', deleteAt: now }), {
    concurrency: CONCURRENCY,
  });
  return found.length;
}

async function removeOverdue(
  firestore: Firestore,
  bucket: Bucket,
  now: Date,
  most: number,
): Promise<{ found: number; removed: number }> {
  const found = await overdueUploads(firestore, now, most);
  const later = new Date(now.getTime() + RETRY_AFTER_MS);
  let removed = 0;
  const removeOne = async (upload: (typeof found)[number]) => {
    try {
      await removeUpload({ firestore, bucket }, upload.id, upload.data());
      removed += 1;
    } catch (error) {
      logWarning(`Left for the next sweep: uploads/${upload.id}`, error);
      await postponeRemoval(firestore, upload.id, later);
    }
  };
  await pMap(found, removeOne, { concurrency: CONCURRENCY });
  return { found: found.length, removed };
}
