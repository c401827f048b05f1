/**
 * Uploads straight to Cloud Storage, for files that do not fit into a request. An entry of its own,
 * `@hearth/client/storage`, because it loads the Firebase SDK.
 */
import { ref, uploadBytesResumable, type FirebaseStorage } from 'firebase/storage';
import type { UploadOptions } from './uploads.ts';

export interface DirectUpload {
  /** Of the document `uploads/{id}` in Firestore: its `status` tells what has become of the file. */
  id: string;
  /** Settles when the file is sent; the backend judges it afterwards. */
  sent: Promise<void>;
}

/** What Storage's rules expect of each extension. */
const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
};

/**
 * Sends a file in pieces, so that a broken connection does not lose what has arrived.
 *
 * @param uid of who is signed in to the Firebase SDK
 * @param options aborted by its signal, `sent` rejects with the signal's reason
 */
export function sendDirectly(
  storage: FirebaseStorage,
  uid: string,
  file: File,
  { onProgress, signal, team }: UploadOptions = {},
): DirectUpload {
  const id = crypto.randomUUID().replaceAll('-', '');
  const { stem, extension } = partsOf(file.name);
  const object = ref(storage, `uploads/${uid}/${id}/${stem}-${Date.now()}.${extension}`);
  const task = uploadBytesResumable(object, file, {
    contentType: TYPES[extension.toLowerCase()] ?? 'application/octet-stream',
    ...(team !== undefined && { customMetadata: { team } }),
  });
  task.on('state_changed', ({ bytesTransferred, totalBytes }) => onProgress?.(bytesTransferred, totalBytes));
  const abort = () => task.cancel();
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  const sent = (async () => {
    try {
      await task;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  })();
  return { id, sent };
}

function partsOf(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  return dot < 0
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
}
