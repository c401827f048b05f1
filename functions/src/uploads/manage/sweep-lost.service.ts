import type { Bucket } from '../../backend-clients.ts';
import type { Backend } from '../../backend.ts';
import { HOUR_MS } from '../../common/durations.ts';
import { hasCode } from '../../common/error-code.ts';
import { logWarning } from '../../common/log.ts';
import { sweepEach } from '../../common/sweep.ts';
import { timerOf } from '../../common/timer.ts';
import { DamagedDocument, readIntactOrLogged } from '../../firestore/damage.ts';
import type { SweepPosition } from '../../firestore/documents/sweep.ts';
import { StorageFailure } from '../bucket/failures.ts';
import { isWrittenByUs } from '../bucket/metadata.ts';
import { parseObjectPath } from '../bucket/object-path.ts';
import { listObjects, removeObject, type ListedObject } from '../bucket/storage.ts';
import { uploadIdSchema } from '../records/upload-record.ts';

/** The most objects that Storage lists in one call. */
const PAGE_SIZE = 1_000;

/** An event is delivered for a day at most, and handled within minutes. https://cloud.google.com/eventarc/docs/retry-events */
const EVENT_LOST_AFTER_MS = 25 * HOUR_MS;

/** Less than a day, so that a pass begins each day although a run may be late. */
const PASS_MS = 23 * HOUR_MS;

/** After this time no page and no removal begins: the function also has to sweep the records. */
const STOP_AFTER_MS = 100_000;

const CONCURRENCY = 10;

const SWEEP = 'objects';

/**
 * Removes direct uploads whose event was lost before they were registered. They have no record, so nothing else finds
 * them. A pass over all objects begins once a day, and the hourly runs continue it.
 *
 * A file that was stored is never removed, also if its record is missing because an older backup of Firestore was
 * restored: storing a file writes our mark to the object, and the sweep leaves all objects with the mark. It also
 * leaves objects from before its first run in this database, such as files of the app before it had this service.
 *
 * Reads a record only for the objects without the mark.
 *
 * @returns how many were removed
 */
export async function sweepLostUploads(backend: Backend, pageSize = PAGE_SIZE): Promise<number> {
  const { db, now } = backend;
  const isTimeUp = timerOf(backend, STOP_AFTER_MS);
  const stored = await readIntactOrLogged(db.sweeps.get(SWEEP));
  if (stored?.since === undefined) {
    await db.sweeps.set(SWEEP, { since: now() });
    return 0;
  }
  let position = nextPosition(stored, now());
  if (position === undefined) return 0;
  const isLate = lateBetween(stored.since, new Date(now().getTime() - EVENT_LOST_AFTER_MS));
  const bucket = await backend.bucket();
  let removed = 0;
  do {
    const { objects, nextToken } = await listFrom(bucket, pageSize, position.after);
    const lost = await withoutRecord(backend, objects.filter(isLate));
    removed += await sweepEach(lost, (object) => removeLost(bucket, object), isTimeUp, CONCURRENCY);
    // Perhaps some objects of the page are left, so the next run begins with this page.
    if (isTimeUp()) break;
    position = { ...position, after: nextToken ?? null };
    await db.sweeps.set(SWEEP, position);
  } while (position.after !== null);
  return removed;
}

type Position = SweepPosition & { after: string | null };

/** @returns where this run begins; undefined if the pass of the day is done */
function nextPosition({ after = null, ...stored }: SweepPosition, now: Date): Position | undefined {
  if (after !== null) return { ...stored, after };
  const isDue = stored.startedAt === undefined || now.getTime() - stored.startedAt.getTime() >= PASS_MS;
  return isDue ? { ...stored, after, startedAt: now } : undefined;
}

function lateBetween(since: Date, before: Date): (object: ListedObject) => boolean {
  return ({ createdAt, customMetadata }) =>
    createdAt >= since && createdAt < before && !isWrittenByUs(customMetadata);
}

/** Begins with the first page if Storage refuses the token of another page. */
async function listFrom(bucket: Bucket, size: number, token: string | null) {
  const prefix = 'uploads/';
  if (token === null) return listObjects(bucket, prefix, { size });
  try {
    return await listObjects(bucket, prefix, { size, token });
  } catch (error) {
    // Any other failure may end by itself, so the next run continues with this page.
    if (!(error instanceof StorageFailure) || !hasCode(error.cause, 400)) throw error;
    logWarning('The list of uploads cannot be continued, and begins again', error);
    return listObjects(bucket, prefix, { size });
  }
}

/**
 * The objects that no record names. Leaves objects whose path is none of an upload, as `finalizeObject` does. A damaged
 * record may name the object.
 */
async function withoutRecord({ db }: Backend, objects: readonly ListedObject[]): Promise<ListedObject[]> {
  const uploads = objects.flatMap((object) => {
    const location = parseObjectPath(object.path);
    return location === undefined ? [] : [{ object, id: location.uploadId }];
  });
  // Another id has no record, and may be none that Firestore accepts.
  const ids = uploads.map(({ id }) => id).filter((id) => uploadIdSchema.safeParse(id).success);
  const records = await db.uploads.getWithDamaged(ids);
  return uploads.flatMap(({ object, id }) => {
    const record = records.get(id);
    const mayBeNamed = record instanceof DamagedDocument || record?.path === object.path;
    return mayBeNamed ? [] : [object];
  });
}

async function removeLost(bucket: Bucket, { path, generation }: ListedObject): Promise<void> {
  await removeObject(bucket, path, { generation });
  logWarning(
    `A direct upload without a record is removed: ${path}`,
    'Its event was lost. See why `finalizeUploads` failed a day before.',
  );
}
