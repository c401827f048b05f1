import { sendDirectly, type DirectUpload, type DirectUploadOptions } from '@hearth/client/storage';
import { uploadSchema } from '@hearth/shared/documents/upload';
import { FirebaseError } from 'firebase/app';
import { doc, onSnapshot } from 'firebase/firestore';
import { connectStorageEmulator, getStorage, type FirebaseStorage } from 'firebase/storage';
import * as z from 'zod/mini';
import { startFirebase } from '../backend/firebase.ts';
import { startFirestore } from '../backend/live.ts';
import { shared } from '../backend/shared.ts';
import { requireShownUser } from '../backend/shown-user.ts';
import { UserFacingError } from '../errors.ts';
import { filesTexts } from './texts.ts';

const started = shared(startStorage);

interface LargeOptions extends DirectUploadOptions {
  /** Called with the functions that pause and resume the upload. */
  onStart: (upload: DirectUpload) => void;
}

/**
 * Sends a file directly to Storage, and waits until the backend has validated it.
 *
 * @throws UserFacingError if Storage's rules or the backend refuse it
 */
export async function sendLarge(file: File, { onStart, ...options }: LargeOptions): Promise<void> {
  const [storage, { auth }] = await Promise.all([started.get(), startFirebase()]);
  requireShownUser();
  if (auth.currentUser === null) throw new UserFacingError(filesTexts().problems.signIn);
  const upload = sendDirectly(storage, auth.currentUser.uid, file, options);
  onStart(upload);
  try {
    await upload.sent;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new UserFacingError(reasonOf(error), { cause: error });
  }
  await verdictOn(upload.id, options.signal);
}

/** https://firebase.google.com/docs/storage/web/handle-errors */
function reasonOf(error: unknown): string {
  const texts = filesTexts().problems;
  return error instanceof FirebaseError && error.code === 'storage/unauthorized' ? texts.byRules : texts.lost;
}

/** The reason for which the backend refused a file, in words. */
function refusalOf(reason: string | null | undefined): string {
  const { refusals, problems } = filesTexts();
  const texts: Readonly<Record<string, string>> = refusals;
  return texts[reason ?? ''] ?? problems.refused;
}

async function startStorage(): Promise<FirebaseStorage> {
  const { app, emulators } = await startFirebase();
  const storage = getStorage(app);
  if (emulators.storage !== undefined) {
    const { hostname, port } = new URL(`http://${emulators.storage}`);
    connectStorageEmulator(storage, hostname, Number(port));
  }
  return storage;
}

const resultSchema = z.pick(uploadSchema, { status: true, reason: true });

/** Settles when the document of an upload has the result, or when the upload was ended. */
async function verdictOn(id: string, signal: AbortSignal | undefined): Promise<void> {
  const document = doc(await startFirestore(), 'uploads', id);
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = onSnapshot(
      document,
      (snapshot) => {
        const { data } = resultSchema.safeParse(snapshot.data());
        if (data === undefined || data.status === 'pending') return;
        stop();
        if (data.status === 'stored') resolve();
        else reject(new UserFacingError(refusalOf(data.reason)));
      },
      reject,
    );
    signal?.addEventListener('abort', () => {
      stop();
      reject(signal.reason as Error);
    });
  });
}
