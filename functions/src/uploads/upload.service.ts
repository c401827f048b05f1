import { randomBytes } from 'node:crypto';
import { badRequest, unavailable, unsupportedMediaType } from '../http/errors.ts';
import { logWarning } from '../http/log.ts';
import type { Services } from '../services.ts';
import { cleanFileName, type FileName } from './file-name.ts';
import { ACCEPTED_EXTENSIONS, kindOf, matchesKind, type Kind } from './kinds.ts';
import type { ReceivedFile } from './multipart.ts';
import { removeObject, StorageTimeout, storeObject } from './storage.ts';
import { completeUpload, forgetUpload, reserveUpload, type NewUpload } from './upload.store.ts';
import type { UploadView } from './upload.view.ts';

/** An upload that is stored, but may still be taken back. */
export interface FinishedUpload {
  view: UploadView;
  /** Removes it again, for when nobody is left to be told of it. */
  discard: () => Promise<void>;
}

/**
 * Judges a received file and stores it below its owner's prefix. Nothing is written before it is judged; then come the
 * pending document, the object, and the document's completion. What fails or dies in between is removed, at once or by
 * the sweep.
 *
 * @throws HttpError 400 without a usable name, 415 for a kind that is not accepted or bytes that are another kind, 503
 */
export async function upload(
  services: Services,
  ownerId: string,
  file: ReceivedFile,
): Promise<FinishedUpload> {
  const name = cleanFileName(file.name);
  if (name === undefined) throw badRequest('The file has no usable name.', 'no_file');
  const kind = await judge(name, file.bytes);
  const id = randomBytes(16).toString('hex');
  const now = services.now();
  const document: NewUpload = {
    ownerId,
    name: name.name,
    contentType: kind.contentType,
    size: file.bytes.length,
    path: objectPath(ownerId, id, name, now),
    createdAt: now,
  };
  const url = await write(services, id, document, file.bytes, kind);
  const { contentType, size } = document;
  return {
    view: { name: name.name, contentType, url, size },
    discard: () => discard(services, id, document.path),
  };
}

async function write(
  services: Services,
  id: string,
  document: NewUpload,
  bytes: Buffer,
  kind: Kind,
): Promise<string> {
  try {
    const [firestore, bucket] = await Promise.all([services.firestore(), services.bucket()]);
    await reserveUpload(firestore, id, document);
    const url = await storeObject(bucket, {
      path: document.path,
      bytes,
      contentType: kind.contentType,
      contentDisposition: `${kind.disposition}; filename*=UTF-8''${encodeRfc5987(document.name)}`,
      ownerId: document.ownerId,
    });
    await completeUpload(firestore, id, url);
    return url;
  } catch (error) {
    // An object that is late may arrive after a removal: then the document stays and tells the sweep.
    if (!(error instanceof StorageTimeout)) await discard(services, id, document.path);
    throw unavailable('Failed to upload file', 'storage_unavailable', error);
  }
}

/** The object goes first: while it may be there, the document must tell the sweep of it. */
async function discard(services: Services, id: string, path: string): Promise<void> {
  try {
    await removeObject(await services.bucket(), path);
    await forgetUpload(await services.firestore(), id);
  } catch (error) {
    logWarning(`Left for the sweep: uploads/${id}`, error);
  }
}

async function judge({ extension }: FileName, bytes: Buffer): Promise<Kind> {
  const kind = kindOf(extension);
  if (kind === undefined) {
    throw unsupportedMediaType(
      `This type of file is not accepted. Accepted: ${ACCEPTED_EXTENSIONS.join(', ')}.`,
    );
  }
  if (!(await matchesKind(bytes, kind))) {
    throw unsupportedMediaType(`The file is not what its extension .${extension} says.`);
  }
  return kind;
}

/** The contract's ending, `<name>-<timestamp>.<extension>`, below a folder that nobody can guess. */
function objectPath(ownerId: string, id: string, { stem, extension }: FileName, now: Date): string {
  return `uploads/${ownerId}/${id}/${stem}-${now.getTime()}.${extension}`;
}

/** https://www.rfc-editor.org/rfc/rfc5987#section-3.2 */
function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
