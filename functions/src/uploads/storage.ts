import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Bucket } from '../services.ts';

/** For one call with its retries: two of them fit into the 60 seconds that Hosting waits. */
const DEADLINE_MS = 25_000;

/** Storage has not answered in time. What was asked of it may still happen. */
export class StorageTimeout extends Error {
  override readonly name = 'StorageTimeout';
}

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
 * @throws StorageTimeout, or the error of the client
 */
export async function storeObject(
  bucket: Bucket,
  file: NewObject,
  deadlineMs: number = DEADLINE_MS,
): Promise<string> {
  const token = randomUUID();
  const saved = bucket.file(file.path).save(file.bytes, {
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
  await inTime(saved, deadlineMs);
  return downloadUrl(bucket.name, file.path, token);
}

/**
 * Removes an object, if there is one.
 *
 * @throws StorageTimeout, or the error of the client
 */
export async function removeObject(
  bucket: Bucket,
  path: string,
  deadlineMs: number = DEADLINE_MS,
): Promise<void> {
  await inTime(bucket.file(path).delete({ ignoreNotFound: true }), deadlineMs);
}

/** The client's own timeout does not end a call that hangs. */
async function inTime(call: Promise<unknown>, deadlineMs: number): Promise<void> {
  const timer = new AbortController();
  const late = setTimeout(deadlineMs, undefined, { signal: timer.signal }).then(() => {
    throw new StorageTimeout(`Storage did not answer within ${deadlineMs} ms.`);
  });
  try {
    await Promise.race([call, late]);
  } finally {
    timer.abort();
  }
}

/** https://firebase.google.com/docs/storage/web/download-files: the address that the client SDKs give out as well. */
function downloadUrl(bucket: string, path: string, token: string): string {
  const emulator = process.env['FIREBASE_STORAGE_EMULATOR_HOST'];
  const origin = emulator === undefined ? 'https://firebasestorage.googleapis.com' : `http://${emulator}`;
  return `${origin}/v0/b/${bucket}/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}
