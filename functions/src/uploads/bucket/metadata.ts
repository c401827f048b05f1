import { encodeExtended, format } from 'content-disposition';
import type { Visibility } from '../../firestore/documents/upload.ts';
import { storageEmulatorHost } from '../../settings/environment.ts';

/** The input of `metadataOf`: fields of an upload record, and the `disposition` of its file kind. */
export interface ObjectDescription {
  ownerId: string;
  /** File name for saving a download. */
  name: string;
  contentType: string;
  disposition: 'inline' | 'attachment';
  visibility: Visibility;
}

/** A public file may be cached forever, because the bytes at its URL never change. */
const CACHE_CONTROL = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };

/** Firebase's name of the custom metadata with the download token. */
export const TOKEN_FIELD = 'firebaseStorageDownloadTokens';

/** The custom metadata by which an object of ours is recognized. */
const WRITER = { writtenBy: 'backend' } as const;

/**
 * True if the metadata says that the backend wrote the object. A client can set it, too. Without a record of ours,
 * `finalizeObject` then removes the object. Only if its event is lost, the object stays: see `sweepLostUploads`.
 */
export function isWrittenByUs(customMetadata: Readonly<Record<string, string>>): boolean {
  return customMetadata['writtenBy'] === WRITER.writtenBy;
}

/** @param token the download token, which is enough to read the object */
export function metadataOf(description: ObjectDescription, token: string) {
  const { ownerId, name, contentType, disposition, visibility } = description;
  return {
    contentType,
    contentDisposition: format({ type: disposition, parameters: { 'filename*': encodeExtended(name) } }),
    cacheControl: CACHE_CONTROL[visibility],
    metadata: { [TOKEN_FIELD]: token, ownerId, ...WRITER },
  };
}

/** The URL of an object, in the form of the client SDKs. https://firebase.google.com/docs/storage/web/download-files */
export function downloadUrl(object: { bucket: string; path: string; token: string }): string {
  const { bucket, path, token } = object;
  const emulator = storageEmulatorHost();
  const origin = emulator === undefined ? 'https://firebasestorage.googleapis.com' : `http://${emulator}`;
  return `${origin}/v0/b/${bucket}/o/${encodeURIComponent(path)}?alt=media&token=${token}`;
}
