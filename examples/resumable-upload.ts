/**
 * Sends a file of any size straight to Cloud Storage, as docs/api.md describes it, with progress, pause and resume:
 *
 *     export HEARTH_EMAIL=… HEARTH_PASSWORD=…
 *     npx node examples/resumable-upload.ts http://localhost:5000 report.pdf application/pdf
 *
 * Audio and video need the setting UPLOAD_MEDIA=true. Type `p` and Enter to pause, `r` to resume, `c` to cancel.
 */
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import { createInterface } from 'node:readline';
import { initializeApp, type FirebaseOptions } from 'firebase/app';
import { connectAuthEmulator, getAuth, signInWithEmailAndPassword } from 'firebase/auth';
import {
  connectFirestoreEmulator,
  doc,
  getFirestore,
  onSnapshot,
  terminate,
  type Firestore,
} from 'firebase/firestore';
import {
  connectStorageEmulator,
  getStorage,
  ref,
  uploadBytesResumable,
  type FirebaseStorage,
  type UploadTask,
} from 'firebase/storage';

export interface FileToSend {
  /** With its extension. */
  name: string;
  contentType: string;
  bytes: Blob | Uint8Array;
  /** `team` stores the file for a team. `visibility: 'private'` keeps it out of caches. */
  metadata?: { team?: string; visibility?: 'public' | 'private' };
}

/** The result of an upload. */
export interface Outcome {
  status: 'stored' | 'refused';
  url: string | null;
  reason: string | null;
}

/** The backend usually needs seconds. A file that was removed before it was registered never has a document. */
const PATIENCE_MS = 10 * 60_000;

/** Starts to send a file of the signed-in user. The returned task can be paused, resumed and canceled. */
export function startUpload(
  storage: FirebaseStorage,
  firestore: Firestore,
  uid: string,
  { name, contentType, bytes, metadata = {} }: FileToSend,
  patienceMs = PATIENCE_MS,
): { id: string; task: UploadTask; outcome: Promise<Outcome> } {
  // Nobody can guess it. The document with this id has the state of the file.
  const id = randomUUID().replaceAll('-', '');
  const extension = extname(name);
  const object = ref(storage, `uploads/${uid}/${id}/${basename(name, extension)}-${Date.now()}${extension}`);
  const task = uploadBytesResumable(object, bytes, { contentType, customMetadata: { ...metadata } });
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
  const stopListening = onSnapshot(
    doc(firestore, 'uploads', id),
    (snapshot) => {
      const upload = snapshot.data() as (Outcome | { status: 'pending' }) | undefined;
      if (upload === undefined || upload.status === 'pending') return;
      stopListening();
      resolve(upload);
    },
    reject,
  );
  const fail = (error: unknown) => {
    stopListening();
    reject(error instanceof Error ? error : new Error(String(error)));
  };
  task.then(() => {
    const timer = setTimeout(() => {
      fail(new Error('The backend has not said whether it accepts the file.'));
    }, patienceMs);
    const stopWaiting = () => {
      clearTimeout(timer);
    };
    outcome.then(stopWaiting, stopWaiting);
  }, fail);
  return { id, task, outcome };
}

/** Hosting serves the settings of the app; the local Hosting adds the addresses of the emulators. */
async function connect(appUrl: string) {
  const settings = (await (await fetch(`${appUrl}/__/firebase/init.json`)).json()) as FirebaseOptions;
  const app = initializeApp(settings);
  const services = { auth: getAuth(app), firestore: getFirestore(app), storage: getStorage(app) };
  if (!/^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(appUrl)) return services;
  const script = await (await fetch(`${appUrl}/__/firebase/init.js?useEmulator=true`)).text();
  const emulator = (name: string) => {
    const found = new RegExp(`"${name}": \\{[^}]*"hostAndPort": "([^":]+):(\\d+)"`).exec(script);
    return { host: found?.[1] ?? '127.0.0.1', port: Number(found?.[2]) };
  };
  const [auth, firestore, storage] = [emulator('auth'), emulator('firestore'), emulator('storage')];
  connectAuthEmulator(services.auth, `http://${auth.host}:${auth.port}`, { disableWarnings: true });
  connectFirestoreEmulator(services.firestore, firestore.host, firestore.port);
  connectStorageEmulator(services.storage, storage.host, storage.port);
  return services;
}

async function main([appUrl = '', file = '', contentType = '']: string[]): Promise<void> {
  const { HEARTH_EMAIL: email = '', HEARTH_PASSWORD: password = '' } = process.env;
  const { auth, firestore, storage } = await connect(appUrl);
  const { user } = await signInWithEmailAndPassword(auth, email, password);
  const bytes = await openAsBlob(file);
  const { task, outcome } = startUpload(storage, firestore, user.uid, {
    name: basename(file),
    contentType,
    bytes,
  });
  task.on('state_changed', ({ state, bytesTransferred, totalBytes }) => {
    console.log(`${state} ${((100 * bytesTransferred) / totalBytes).toFixed(0)} %`);
  });
  const keys = createInterface({ input: process.stdin });
  keys.on('line', (line) => {
    if (line === 'p') task.pause();
    if (line === 'r') task.resume();
    if (line === 'c') {
      // The SDK cancels no task that is paused.
      task.resume();
      task.cancel();
    }
  });
  const { status, url, reason } = await outcome.finally(() => {
    keys.close();
  });
  console.log(status === 'stored' ? `Stored: ${url ?? ''}` : `Refused: ${reason ?? ''}`);
  await terminate(firestore);
}

if (import.meta.main) await main(process.argv.slice(2));
