import type { Backend } from '../../backend.ts';
import { logFault, logWarning } from '../../common/log.ts';
import { DamagedDocument } from '../../firestore/damage.ts';
import type { Upload } from '../../firestore/documents/upload.ts';
import { createLimiters } from '../../rate-limits/limiters.ts';
import { windowCounter } from '../../rate-limits/window-counter.ts';
import { RATE_LIMITS } from '../../settings/rate-limits.ts';
import { isWrittenByUs } from '../bucket/metadata.ts';
import { parseObjectPath, variantsFolder } from '../bucket/object-path.ts';
import { hasObject, removeFolder, removeObject } from '../bucket/storage.ts';
import type { FinalizeContext, FinalizedObject, FinalizeEvent } from './event.ts';
import { hasOtherBytes, isEventOutdated, needsUrl } from './generation.ts';
import { refuseOverwritten, removeObjectsOfRefused, renewUrl } from './overwritten.service.ts';
import { registerUpload } from './register.service.ts';
import { storeOrRefuse } from './store-pending.service.ts';
import { makeVariants } from './variants.service.ts';

/** Makes the handler of finalize events. Its rate limiters serve all events of an instance. */
export function createFinalizeHandler(backend: Backend): (object: FinalizedObject) => Promise<void> {
  const limiters = createLimiters(backend);
  const countUpload = limiters.acrossInstances(RATE_LIMITS.uploads(backend.config));
  const refusals = windowCounter(RATE_LIMITS.refusedUploads(backend.config));
  return (object) => finalizeObject({ backend, countUpload, refusals }, object);
}

/**
 * Handles the finalize event of an object. Storage sends such an event after each write: a direct upload, an API
 * upload, our copy of an object over itself, or an overwrite of a stored file.
 *
 * An event may arrive late, several times, and concurrently. If this function throws, Storage sends the event again. If
 * the record is damaged, the event is logged and not sent again.
 *
 * @throws failures of Firestore, Auth and Storage
 */
export async function finalizeObject(context: FinalizeContext, object: FinalizedObject): Promise<void> {
  const location = parseObjectPath(object.path);
  if (location === undefined) return;
  const bucket = await context.backend.bucket();
  try {
    await handle({ ...context, bucket, object, location });
  } catch (error) {
    if (!(error instanceof DamagedDocument)) throw error;
    logFault('An event was not handled because of a damaged document', { path: object.path }, error.cause);
  }
}

async function handle(event: FinalizeEvent): Promise<void> {
  const { backend, object, location } = event;
  const record = (await backend.db.uploads.get(location.uploadId)) ?? (await registerUpload(event));
  if (record === undefined) {
    await removeUnrecorded(event);
  } else if (record.path === object.path) {
    await handleRecorded(event, record);
  } else {
    // A client has chosen an id that is in use.
    await removeGeneration(event);
  }
}

async function handleRecorded(event: FinalizeEvent, record: Upload): Promise<void> {
  const { object } = event;
  if (record.status === 'refused') {
    await removeObjectsOfRefused(event, record);
  } else if (isEventOutdated(object, record)) {
    // The event of the later generation handles the object.
  } else if (hasOtherBytes(object, record)) {
    await refuseOverwritten(event);
  } else if (record.source === 'client' && record.status === 'pending') {
    const stored = await storeOrRefuse(event, record);
    // Storing copies the object, and only the event of the copy makes the variants. Usually the record is stored when
    // this event arrives, so the last branch handles the event. If the record is still pending, this branch handles the
    // event, and `stored` has the generation of the event.
    if (stored?.generation === object.generation) await makeVariants(event, stored);
  } else if (needsUrl(record, object)) {
    await renewUrl(event);
  } else {
    // A stored file, or an API upload whose event arrives before its record is completed.
    await makeVariants(event, record);
  }
}

/**
 * Removes an object without a record, and its variants. Warns of an object of ours, which an operator may have restored
 * before its record. An event that arrives after its object was removed warns of nothing.
 */
async function removeUnrecorded(event: FinalizeEvent): Promise<void> {
  const { bucket, object, location } = event;
  if (isWrittenByUs(object.metadata) && (await hasObject(bucket, object.path, object.generation))) {
    const reason = 'It was restored before its record, or Storage wrote it after its API upload had failed.';
    logWarning(`An object of ours without an upload record is removed: ${object.path}`, reason);
  }
  await removeGeneration(event);
  await removeFolder(bucket, variantsFolder(location));
}

/** Removes the object. A later generation stays. */
async function removeGeneration({ bucket, object: { path, generation } }: FinalizeEvent): Promise<void> {
  await removeObject(bucket, path, { generation });
}
