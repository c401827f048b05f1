import { randomBytes } from 'node:crypto';
import { badRequest, unsupportedMediaType } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { cleanFileName, type FileName } from './file-name.ts';
import { ACCEPTED_EXTENSIONS, kindOf, matchesKind, type Kind } from './kinds.ts';
import type { ReceivedFile } from './multipart.ts';
import { storeFile } from './storage.ts';

export interface UploadView {
  name: string;
  contentType: string;
  url: string;
  /** Bytes. */
  size: number;
}

/**
 * Judges a received file and stores it below its owner's prefix. Nothing is stored before it is judged.
 *
 * @returns the contract's answer and the object's path
 * @throws HttpError 400 without a usable name, 415 for a kind that is not accepted or bytes that are another kind, 503
 */
export async function upload(
  services: Services,
  ownerId: string,
  file: ReceivedFile,
): Promise<{ view: UploadView; path: string }> {
  const name = cleanFileName(file.name);
  if (name === undefined) throw badRequest('The file has no usable name.', 'no_file');
  const kind = await judge(name, file.bytes);
  const stored = await storeFile(await services.bucket(), {
    path: objectPath(ownerId, name, services.now()),
    bytes: file.bytes,
    contentType: kind.contentType,
    contentDisposition: `${kind.disposition}; filename*=UTF-8''${encodeRfc5987(name.name)}`,
    ownerId,
  });
  const view = { name: name.name, contentType: kind.contentType, url: stored.url, size: file.bytes.length };
  return { view, path: stored.path };
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
function objectPath(ownerId: string, { stem, extension }: FileName, now: Date): string {
  const folder = randomBytes(16).toString('hex');
  return `uploads/${ownerId}/${folder}/${stem}-${now.getTime()}.${extension}`;
}

/** https://www.rfc-editor.org/rfc/rfc5987#section-3.2 */
function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
