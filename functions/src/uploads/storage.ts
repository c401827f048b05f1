import { randomUUID } from 'node:crypto';
import { unavailable } from '../http/errors.ts';
import { logWarning } from '../http/log.ts';
import type { Bucket } from '../services.ts';

export interface StoredFile {
  path: string;
  /** Readable by anyone who has it, whatever the rules say. */
  url: string;
}

export interface NewFile {
  path: string;
  bytes: Buffer;
  contentType: string;
  contentDisposition: string;
  ownerId: string;
}

/**
 * Stores a file in one request and gives it a download token, of which the URL follows without another one.
 *
 * Only a new object is made, and Storage compares the checksum. When storing fails in an unclear way, whatever may have
 * arrived is removed.
 *
 * @throws HttpError 503 when Storage does not take it
 */
export async function storeFile(bucket: Bucket, file: NewFile): Promise<StoredFile> {
  const token = randomUUID();
  try {
    await bucket.file(file.path).save(file.bytes, {
      resumable: false,
      validation: 'crc32c',
      preconditionOpts: { ifGenerationMatch: 0 },
      metadata: {
        contentType: file.contentType,
        contentDisposition: file.contentDisposition,
        cacheControl: 'public, max-age=31536000, immutable',
        metadata: { firebaseStorageDownloadTokens: token, ownerId: file.ownerId },
      },
    });
  } catch (error) {
    await removeFile(bucket, file.path);
    throw unavailable('Failed to upload file', 'storage_unavailable', error);
  }
  return { path: file.path, url: downloadUrl(bucket.name, file.path, token) };
}

/** Removes what nobody will know of; a failure is logged, as the answer is decided already. */
export async function removeFile(bucket: Bucket, path: string): Promise<void> {
  try {
    await bucket.file(path).delete({ ignoreNotFound: true });
  } catch (error) {
    logWarning(`An object may be left in the bucket: ${path}`, error);
  }
}

/** https://firebase.google.com/docs/storage/web/download-files: the address that the client SDKs give out as well. */
function downloadUrl(bucket: string, path: string, token: string): string {
  const emulator = process.env['FIREBASE_STORAGE_EMULATOR_HOST'];
  const origin = emulator === undefined ? 'https://firebasestorage.googleapis.com' : `http://${emulator}`;
  return `${origin}/v0/b/${bucket}/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}
