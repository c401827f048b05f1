import { randomUUID } from 'node:crypto';
import type { Bucket } from '../services.ts';

export interface NewObject {
  path: string;
  bytes: Buffer;
  contentType: string;
  contentDisposition: string;
  ownerId: string;
}

/**
 * Stores a file in one request and gives it a download token, of which the URL follows without another one.
 * Only a new object is made, and Storage compares the checksum.
 *
 * @returns the URL, readable by anyone who has it, whatever the rules say
 */
export async function storeObject(bucket: Bucket, file: NewObject): Promise<string> {
  const token = randomUUID();
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
  return downloadUrl(bucket.name, file.path, token);
}

/** Removes an object, if there is one. */
export async function removeObject(bucket: Bucket, path: string): Promise<void> {
  await bucket.file(path).delete({ ignoreNotFound: true });
}

/** https://firebase.google.com/docs/storage/web/download-files: the address that the client SDKs give out as well. */
function downloadUrl(bucket: string, path: string, token: string): string {
  const emulator = process.env['FIREBASE_STORAGE_EMULATOR_HOST'];
  const origin = emulator === undefined ? 'https://firebasestorage.googleapis.com' : `http://${emulator}`;
  return `${origin}/v0/b/${bucket}/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}
