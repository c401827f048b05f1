/**
 * Uploads directly to Cloud Storage, for files that do not fit into a request. An entry of its own,
 * `@hearth/client/storage`, because it loads the Firebase SDK.
 */
import { ref, uploadBytesResumable, type FirebaseStorage, type UploadTask } from 'firebase/storage';
import { throwIfAborted } from './aborting.ts';
import { CONTENT_TYPES } from './generated/content-types.ts';
import type { UploadOptions } from './uploads.ts';

export type DirectUploadState = 'running' | 'paused' | 'sent' | 'cancelled' | 'failed';

export interface DirectUploadOptions extends UploadOptions {
  /** Called when the state changes. */
  onState?: ((state: DirectUploadState) => void) | undefined;
}

export interface DirectUpload {
  /** Id of the document `uploads/{id}` in Firestore. Its `status` has the result. */
  id: string;
  /**
   * Settles when the file is sent. The backend validates it afterwards. Rejects with an `AbortError` if the upload is
   * cancelled.
   */
  sent: Promise<void>;
  /** It becomes `paused` when Storage has confirmed it, a moment after `pause()`. */
  readonly state: DirectUploadState;
  /** Keeps the bytes that have arrived, and sends no more before `resume()`. No effect unless it is running. */
  pause: () => void;
  /** Continues a paused upload. No effect on others. */
  resume: () => void;
  /** Ends the upload and discards the bytes that have arrived. No effect after everything is sent. */
  cancel: () => void;
}

const STATES: Readonly<Record<UploadTask['snapshot']['state'], DirectUploadState>> = {
  running: 'running',
  paused: 'paused',
  success: 'sent',
  canceled: 'cancelled',
  error: 'failed',
};

/**
 * Sends a file in pieces, so that it can be paused, and a broken connection loses nothing.
 *
 * @param uid of the user who is signed in to the Firebase SDK
 * @param options if its signal aborts, `sent` rejects with the signal's reason
 */
export function sendDirectly(
  storage: FirebaseStorage,
  uid: string,
  file: File,
  { onProgress, onState, signal, team, visibility }: DirectUploadOptions = {},
): DirectUpload {
  const id = newUploadId();
  const { stem, extension } = partsOf(file.name);
  const object = ref(storage, `uploads/${uid}/${id}/${stem}-${Date.now()}.${extension}`);
  const task = uploadBytesResumable(object, file, {
    contentType: CONTENT_TYPES[extension.toLowerCase()] ?? 'application/octet-stream',
    customMetadata: { ...(team !== undefined && { team }), ...(visibility !== undefined && { visibility }) },
  });
  const cancellation = new AbortController();
  const cancel = () => {
    cancellation.abort();
  };
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel);
  watch(task, cancellation.signal, onProgress, onState);
  return {
    id,
    sent: waitUntilSent(task, cancellation.signal)
      .catch((error: unknown) => {
        throwIfAborted(signal);
        throw error;
      })
      .finally(() => signal?.removeEventListener('abort', cancel)),
    get state() {
      return STATES[task.snapshot.state];
    },
    pause: () => void task.pause(),
    resume: () => void task.resume(),
    cancel,
  };
}

/**
 * A new id, unique among the uploads of one user. `crypto.randomUUID` is not used: browsers have it only on pages with
 * HTTPS and on localhost. React Native may have no `crypto` at all.
 */
function newUploadId(): string {
  const bytes =
    'crypto' in globalThis
      ? crypto.getRandomValues(new Uint8Array(16))
      : Uint8Array.from({ length: 16 }, () => Math.random() * 256);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function watch(
  task: UploadTask,
  cancellation: AbortSignal,
  onProgress: DirectUploadOptions['onProgress'],
  onState: DirectUploadOptions['onState'],
): void {
  let reported: DirectUploadState = 'running';
  const report = (state: DirectUploadState) => {
    // A task that is resumed only to be cancelled does not run again.
    if (state === reported || (state === 'running' && cancellation.aborted)) return;
    reported = state;
    onState?.(state);
  };
  const reportEnd = () => {
    report(STATES[task.snapshot.state]);
  };
  task.on(
    'state_changed',
    ({ state, bytesTransferred, totalBytes }) => {
      onProgress?.(bytesTransferred, totalBytes);
      report(STATES[state]);
    },
    reportEnd,
    reportEnd,
  );
}

/** Settles with the task. The signal cancels the task. */
async function waitUntilSent(task: UploadTask, cancellation: AbortSignal): Promise<void> {
  const cancelTask = () => {
    // The SDK cancels no task that is paused.
    task.resume();
    task.cancel();
  };
  if (cancellation.aborted) cancelTask();
  cancellation.addEventListener('abort', cancelTask);
  try {
    await task;
  } catch (error) {
    throwIfAborted(cancellation);
    throw error;
  } finally {
    cancellation.removeEventListener('abort', cancelTask);
  }
}

function partsOf(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  return dot < 0
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
}
