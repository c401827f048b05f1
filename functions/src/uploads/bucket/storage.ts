import { hash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Bucket } from '../../backend-clients.ts';
import { hasCode } from '../../common/error-code.ts';
import { withDeadline } from './failures.ts';
import { downloadUrl, metadataOf, TOKEN_FIELD, type ObjectDescription } from './metadata.ts';

export interface WrittenObject {
  /** Contains the download token: anybody who knows the URL can read the object. */
  url: string;
  generation: string;
}

export interface NewObject extends ObjectDescription {
  path: string;
  bytes: Buffer;
}

type BucketFile = ReturnType<Bucket['file']>;

interface Options {
  deadlineMs?: number;
}

const newToken = (): string => randomUUID();

/**
 * Creates an object with a download token, in one request.
 *
 * @throws StorageTimeout if Storage may still write the object; another StorageFailure if the call has failed; an
 *   error with code 412 if another call has stored an object at the path; an Error if the answer of Storage is not as
 *   expected
 */
export async function createObject(
  bucket: Bucket,
  { path, bytes, ...description }: NewObject,
  { deadlineMs }: Options = {},
): Promise<WrittenObject & { md5Hash: string }> {
  const token = newToken();
  const file = bucket.file(path);
  const md5Hash = hash('md5', bytes, 'base64');
  const saving = file.save(bytes, {
    resumable: false,
    // Storage itself compares the bytes with `md5Hash`, so the SDK need not hash them again.
    validation: false,
    preconditionOpts: { ifGenerationMatch: 0 },
    metadata: { ...metadataOf(description, token), md5Hash },
  });
  const stored = saving.then(
    () => file.metadata,
    (error: unknown) => metadataIfStoredByThisCall(file, token, error),
  );
  const metadata = await withDeadline('store', stored, deadlineMs);
  // Some servers, such as emulators, ignore the `md5Hash` of the request.
  if (metadata.md5Hash !== md5Hash) throw new Error('Storage has stored other bytes than those sent.');
  const { generation } = resourceSchema.parse(metadata);
  return { url: downloadUrl({ bucket: bucket.name, path, token }), generation, md5Hash };
}

/**
 * Returns the metadata after the error 412, if the object has the token of this call. Example:
 *
 * 1. The SDK sends the request. Storage stores the object, and the answer is lost.
 * 2. The SDK repeats the request. Storage answers 412, because the object exists.
 *
 * @throws any other error, or the error of reading the metadata
 */
async function metadataIfStoredByThisCall(
  file: BucketFile,
  token: string,
  error: unknown,
): Promise<BucketFile['metadata']> {
  if (!hasCode(error, 412)) throw error;
  const [metadata] = await file.getMetadata();
  if (metadata.metadata?.[TOKEN_FIELD] !== token) throw error;
  return metadata;
}

/**
 * Deletes an object. Idempotent.
 *
 * @param options `generation` deletes only this generation: a later generation stays
 * @throws StorageFailure
 */
export async function removeObject(
  bucket: Bucket,
  path: string,
  { generation, deadlineMs }: Options & { generation?: string } = {},
): Promise<void> {
  const removal = bucket.file(path).delete({
    ignoreNotFound: true,
    ...(generation !== undefined && { ifGenerationMatch: generation }),
  });
  await withDeadline('delete', removal.catch(ignoreIfOverwritten), deadlineMs);
}

/**
 * Deletes all objects whose path begins with `prefix`.
 *
 * @throws StorageFailure
 */
export async function removeFolder(bucket: Bucket, prefix: string): Promise<void> {
  await withDeadline('delete folder', bucket.deleteFiles({ prefix }));
}

/** One object of a list. */
export interface ListedObject {
  path: string;
  generation: string;
  /** When this generation was written. */
  createdAt: Date;
  customMetadata: Readonly<Record<string, string>>;
}

/**
 * Lists a page of the objects whose path begins with `prefix`, in the order of their paths.
 *
 * @param page.token continues after an earlier page
 * @returns `nextToken` undefined after the last page
 * @throws StorageFailure
 */
export async function listObjects(
  bucket: Bucket,
  prefix: string,
  page: { size: number; token?: string | undefined },
): Promise<{ objects: ListedObject[]; nextToken: string | undefined }> {
  const { size: maxResults, token: pageToken } = page;
  const listing = bucket.getFiles({
    prefix,
    maxResults,
    autoPaginate: false,
    ...(pageToken !== undefined && { pageToken }),
  });
  const [files, nextQuery] = await withDeadline('list', listing);
  const next = z.object({ pageToken: z.string() }).nullable().parse(nextQuery);
  return { objects: files.map(({ metadata }) => listedObjectOf(metadata)), nextToken: next?.pageToken };
}

function listedObjectOf(resource: unknown): ListedObject {
  const { name, generation, timeCreated, metadata } = listedSchema.parse(resource);
  return { path: name, generation, createdAt: timeCreated, customMetadata: metadata };
}

/** @param generation asks for this generation only */
export async function hasObject(bucket: Bucket, path: string, generation?: string): Promise<boolean> {
  const file = bucket.file(path, generation === undefined ? {} : { generation });
  const [exists] = await withDeadline('exists', file.exists());
  return exists;
}

/**
 * Reads the first bytes of an object as they are stored. Never decompresses them, because the decompressed size has no
 * bound.
 *
 * @throws StorageFailure, or an error for which `isMissingOrChanged` is true
 */
export async function readObject(
  bucket: Bucket,
  { path, generation }: { path: string; generation: string },
  maxBytes: number,
): Promise<Buffer> {
  // A part of an object has no checksum of its own, so the SDK cannot validate it.
  const reading = bucket
    .file(path, { generation })
    .download({ end: maxBytes - 1, validation: false, decompress: false });
  const [bytes] = await withDeadline('read', reading);
  return bytes;
}

/**
 * Copies an object over itself with our metadata and a new download token, so every earlier URL ends. The copy is a new
 * generation, for which Storage raises a finalize event.
 *
 * @param generation copies and replaces only this generation
 * @throws StorageFailure, or an error for which `isMissingOrChanged` is true
 */
export async function rewriteObject(
  bucket: Bucket,
  path: string,
  description: ObjectDescription,
  generation?: string,
): Promise<WrittenObject> {
  const token = newToken();
  const source = bucket.file(path, generation === undefined ? {} : { generation });
  const copying = source.copy(bucket.file(path), {
    ...metadataOf(description, token),
    ...(generation !== undefined && { preconditionOpts: { ifGenerationMatch: generation } }),
  });
  const [, answer] = await withDeadline('rewrite', copying);
  const { resource } = z.object({ resource: resourceSchema }).parse(answer);
  return { url: downloadUrl({ bucket: bucket.name, path, token }), generation: resource.generation };
}

/** Storage's answer about an object. Its generation is a string in production and a number in some emulators. */
const resourceSchema = z.object({ generation: z.union([z.string(), z.number()]).transform(String) });

const listedSchema = resourceSchema.extend({
  name: z.string(),
  timeCreated: z.coerce.date(),
  metadata: z.record(z.string(), z.string()).default({}),
});

/** Ignores 412: the object was overwritten, and its new generation stays. */
function ignoreIfOverwritten(error: unknown): void {
  if (!hasCode(error, 412)) throw error;
}
