import { randomBytes } from 'node:crypto';
import { Refusal, refuse } from '../refusals.ts';
import { logWarning } from '../common/log.ts';
import type { Backend } from '../backend.ts';
import { dimensionsOf } from './files/dimensions.ts';
import { judgeBytes, judgeClaim, type Judged } from './files/validate.ts';
import type { ReceivedFile } from './multipart.ts';
import { objectPath } from './bucket/object-path.ts';
import { ANONYMOUS, type Owner } from './owner.ts';
import { reserve } from './reserve.service.ts';
import { removeUpload } from './remove.service.ts';
import { StorageTimeout, storeObject } from './bucket/storage.ts';
import { completeUpload, type Upload, type Visibility } from './upload.store.ts';
import type { UploadView } from './upload.view.ts';

const HOUR_MS = 3_600_000;

/** An upload that is stored, but may still be taken back. */
export interface FinishedUpload {
  id: string;
  view: UploadView;
  /** Removes it again, for when nobody is left to be told of it. */
  discard: () => Promise<void>;
}

/**
 * Judges a received file and stores it below its owner's prefix. Nothing is written before it is judged; then come the
 * pending document, the object, and the document's completion. What fails or dies in between is removed, at once or by
 * the sweep.
 *
 * @throws Refusal as judgeClaim, judgeBytes and reserve; 503
 */
export async function upload(
  backend: Backend,
  owner: Owner,
  file: ReceivedFile,
  visibility: Visibility,
): Promise<FinishedUpload> {
  const { config } = backend;
  const judged = judgeClaim({ ...file, size: file.bytes.length }, config);
  await judgeBytes(file.bytes, judged);
  const id = randomBytes(16).toString('hex');
  const document = await describe(backend, owner, id, file.bytes, judged, visibility);
  await reserve(backend, owner, id, document).catch(asUnavailable);
  const url = await store(backend, id, document, file.bytes, judged);
  const { name, contentType, size } = document;
  return {
    id,
    view: { name, contentType, url, size },
    discard: () => discard(backend, id, document),
  };
}

async function describe(
  backend: Backend,
  owner: Owner,
  id: string,
  bytes: Buffer,
  { name, kind }: Judged,
  visibility: Visibility,
): Promise<Upload> {
  const { config } = backend;
  const now = backend.now();
  const deleteAt = new Date(now.getTime() + config.anonymousUploadHours * HOUR_MS);
  return {
    ownerId: owner.id,
    createdBy: owner.createdBy,
    name: name.name,
    contentType: kind.contentType,
    size: bytes.length,
    path: objectPath(owner.id, id, name, now),
    generation: null,
    md5Hash: null,
    source: 'api',
    visibility,
    status: 'pending',
    reason: null,
    url: null,
    dimensions: (await dimensionsOf(bytes, kind)) ?? null,
    variants: [],
    plannedVariants: [],
    createdAt: now,
    deleteAt: owner.id === ANONYMOUS ? deleteAt : null,
  };
}

async function store(
  backend: Backend,
  id: string,
  document: Upload,
  bytes: Buffer,
  { kind }: Judged,
): Promise<string> {
  try {
    const bucket = await backend.bucket();
    const description = { ...document, disposition: kind.disposition };
    const written = await storeObject(bucket, document.path, bytes, description);
    if (await completeUpload(await backend.firestore(), id, written)) return written.url;
    throw new Error(`uploads/${id} was removed before it was stored.`);
  } catch (error) {
    // An object that is late may arrive after a removal: then the document stays and tells the sweep.
    if (!(error instanceof StorageTimeout)) await discard(backend, id, document);
    return asUnavailable(error);
  }
}

async function discard(backend: Backend, id: string, document: Upload): Promise<void> {
  try {
    await removeUpload(
      { firestore: await backend.firestore(), bucket: await backend.bucket() },
      id,
      document,
    );
  } catch (error) {
    logWarning(`Left for the sweep: uploads/${id}`, error);
  }
}

/** A refusal stays what it is; what Firestore or Storage fail with may pass. */
function asUnavailable(error: unknown): never {
  if (error instanceof Refusal) throw error;
  throw refuse('storage_unavailable', {}, { cause: error });
}
