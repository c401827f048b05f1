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
  const id = crypto.randomUUID().replaceAll('-', '');
  const { stem, extension } = partsOf(file.name);
  const object = ref(storage, `uploads/${uid}/${id}/${stem}-${Date.now()}.${extension}`);
  const task = uploadBytesResumable(object, file, {
    contentType: CONTENT_TYPES[extension.toLowerCase()] ?? 'application/octet-stream',
    customMetadata: { ...(team !== undefined && { team }), ...(visibility !== undefined && { visibility }) },
  });
  const ending = new AbortController();
  const end = () => {
    ending.abort();
  };
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end);
  watch(task, ending.signal, onProgress, onState);
  return {
    id,
    sent: sentBy(task, ending.signal)
      .catch((error: unknown) => {
        throwIfAborted(signal);
        throw error;
      })
      .finally(() => signal?.removeEventListener('abort', end)),
    get state() {
      return STATES[task.snapshot.state];
    },
    pause: () => void task.pause(),
    resume: () => void task.resume(),
    cancel: end,
  };
}
function watch(
  task: UploadTask,
  ended: AbortSignal,
  onProgress: DirectUploadOptions['onProgress'],
  onState: DirectUploadOptions['onState'],
): void {
  let told: DirectUploadState = 'running';
  const tell = (state: DirectUploadState) => {
    // A task that is resumed only to be cancelled does not run again.
    if (state === told || (state === 'running' && ended.aborted)) return;
    told = state;
    onState?.(state);
  };
  const tellEnd = () => {
    tell(STATES[task.snapshot.state]);
  };
  task.on(
    'state_changed',
    ({ state, bytesTransferred, totalBytes }) => {
      onProgress?.(bytesTransferred, totalBytes);
      tell(STATES[state]);
    },
    tellEnd,
    tellEnd,
  );
}

/** Settles with the task, which ends with the signal. */
async function sentBy(task: UploadTask, ended: AbortSignal): Promise<void> {
  const cancel = () => {
    // The SDK cancels no task that is paused.
    task.resume();
    task.cancel();
  };
  if (ended.aborted) cancel();
  ended.addEventListener('abort', cancel);
  try {
    await task;
  } catch (error) {
    throwIfAborted(ended);
    throw error;
  } finally {
    ended.removeEventListener('abort', cancel);
  }
}

function partsOf(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  return dot < 0
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
}
