import { hash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { encodeExtended, format } from 'content-disposition';
import * as z from 'zod';
import { hasCode } from '../../common/error-code.ts';
import { Refusal } from '../../refusals.ts';
import type { Bucket } from '../../backend.ts';
import { storageEmulatorHost } from '../../settings/environment.ts';
import type { Visibility } from '../upload.store.ts';

/** For one call with its retries: two of them fit into the 60 seconds that Hosting waits. */
const DEADLINE_MS = 25_000;

/** Browsers and caches keep a public file for good: the bytes at its URL never change. */
const CACHE_CONTROL = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };

/** What Storage fails with, unless the object is the reason: the same may succeed later. */
export class StorageFailure extends Refusal {
  constructor(cause: unknown) {
    super('storage_unavailable', {}, { cause });
  }
}

/** Storage has not answered in time. What was asked of it may still happen. */
export class StorageTimeout extends StorageFailure {}

/** What is said of an object. */
export interface Description {
  ownerId: string;
  /** As it is called when it is saved. */
  name: string;
  contentType: string;
  disposition: 'inline' | 'attachment';
  visibility: Visibility;
}

/** Where an object is, and what gives it away to whoever knows it. */
interface Location {
  bucket: string;
  path: string;
  token: string;
}

/** An object that this backend has written. */
export interface WrittenObject {
  /** Readable by anyone who has it, whatever the rules say. */
  url: string;
  generation: string;
}

const newToken = (): string => randomUUID();

/** https://firebase.google.com/docs/storage/web/download-files: the address that the client SDKs give out as well. */
function downloadUrl({ bucket, path, token }: Location): string {
  const emulator = storageEmulatorHost();
  const origin = emulator === undefined ? 'https://firebasestorage.googleapis.com' : `http://${emulator}`;
  return `${origin}/v0/b/${bucket}/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}

/**
 * Stores a file in one request and gives it a download token, of which the URL follows without another one.
 * Storage refuses it where the bytes have not arrived as they were sent.
 *
 * @throws StorageFailure, or an error with code 412 when there is such an object already
 */
export async function storeObject(
  bucket: Bucket,
  path: string,
  bytes: Buffer,
  description: Description,
  { deadlineMs = DEADLINE_MS }: { deadlineMs?: number } = {},
): Promise<WrittenObject & { md5Hash: string }> {
  const token = newToken();
  const file = bucket.file(path);
  const md5Hash = hash('md5', bytes, 'base64');
  const saved = file.save(bytes, {
    resumable: false,
    validation: false,
    preconditionOpts: { ifGenerationMatch: 0 },
    metadata: { ...metadataOf(description, token), md5Hash },
  });
  await inTime(saved, deadlineMs);
  if (file.metadata.md5Hash !== md5Hash) throw new Error('The object is not what was sent.');
  const { generation } = resourceSchema.parse(file.metadata);
  return { url: downloadUrl({ bucket: bucket.name, path, token }), generation, md5Hash };
}

/**
 * Removes an object, if there is one.
 *
 * @param generation removes this one only: a newer one of the same name stays
 * @throws StorageFailure
 */
export async function removeObject(
  bucket: Bucket,
  path: string,
  { generation, deadlineMs = DEADLINE_MS }: { generation?: string; deadlineMs?: number } = {},
): Promise<void> {
  const removal = bucket.file(path).delete({
    ignoreNotFound: true,
    ...(generation !== undefined && { ifGenerationMatch: generation }),
  });
  await inTime(removal.catch(unlessReplaced), deadlineMs);
}

/**
 * Removes all objects whose path begins so.
 *
 * @throws StorageFailure
 */
export async function removeFolder(bucket: Bucket, prefix: string): Promise<void> {
  await inTime(bucket.deleteFiles({ prefix }), DEADLINE_MS);
}

/** @param generation asks for this one only */
export async function hasObject(bucket: Bucket, path: string, generation?: string): Promise<boolean> {
  const file = bucket.file(path, generation === undefined ? {} : { generation });
  const [exists] = await inTime(file.exists(), DEADLINE_MS);
  return exists;
}

/**
 * Reads what is stored, never what it may unpack to.
 *
 * @param most bytes, of the beginning
 */
export async function readObject(
  bucket: Bucket,
  path: string,
  generation: string,
  most: number,
): Promise<Buffer> {
  // A part of an object has no checksum of its own.
  const reading = bucket
    .file(path, { generation })
    .download({ end: most - 1, validation: false, decompress: false });
  const [bytes] = await inTime(reading, DEADLINE_MS);
  return bytes;
}

/**
 * Writes an object over itself with a new download token and our metadata. No bytes are sent. All earlier metadata is
 * replaced: the tokens, which ends every earlier URL, the headers and the custom metadata.
 *
 * The copy is a new generation, so Storage raises a finalize event for it.
 *
 * @param generation copies and replaces this one only
 * @throws StorageFailure, or an error with code 404 or 412 if there is no such object or generation
 */
export async function replaceToken(
  bucket: Bucket,
  path: string,
  description: Description,
  generation?: string,
): Promise<WrittenObject> {
  const token = newToken();
  const source = bucket.file(path, generation === undefined ? {} : { generation });
  const copying = source.copy(bucket.file(path), {
    ...metadataOf(description, token),
    ...(generation !== undefined && { preconditionOpts: { ifGenerationMatch: generation } }),
  });
  const [, answer] = await inTime(copying, DEADLINE_MS);
  const { resource } = z.object({ resource: resourceSchema }).parse(answer);
  return { url: downloadUrl({ bucket: bucket.name, path, token }), generation: resource.generation };
}

/** Storage's answer about an object. Its generation is a string in production and may be a number elsewhere. */
const resourceSchema = z.object({ generation: z.union([z.string(), z.number()]).transform(String) });

/** 404, or 412 where there is another generation by now. */
export function isObjectGone(error: unknown): boolean {
  return hasCode(error, 404, 412);
}

/** 412: there is another generation of the object, which is not meant. */
function unlessReplaced(error: unknown): void {
  if (!hasCode(error, 412)) throw error;
}

function metadataOf({ ownerId, name, contentType, disposition, visibility }: Description, token: string) {
  return {
    contentType,
    contentDisposition: format({ type: disposition, parameters: { 'filename*': encodeExtended(name) } }),
    cacheControl: CACHE_CONTROL[visibility],
    metadata: { firebaseStorageDownloadTokens: token, ownerId },
  };
}

/** The client's own timeout does not end a call that hangs. */
async function inTime<Answer>(call: Promise<Answer>, deadlineMs: number): Promise<Answer> {
  const timer = new AbortController();
  const late = setTimeout(deadlineMs, undefined, { signal: timer.signal }).then(() => {
    throw new StorageTimeout(new Error(`No answer within ${deadlineMs} ms.`));
  });
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    throw error instanceof StorageFailure || isObjectGone(error) ? error : new StorageFailure(error);
  } finally {
    timer.abort();
  }
}
