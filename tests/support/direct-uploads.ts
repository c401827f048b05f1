import { randomBytes } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, getAuth, signInWithEmailAndPassword } from 'firebase/auth';
import {
  connectStorageEmulator,
  getStorage,
  ref,
  uploadBytes,
  type FirebaseStorage,
  type UploadMetadata,
} from 'firebase/storage';
import { inject, onTestFinished } from 'vitest';
import type { Backend } from '../../functions/src/backend.ts';
import type { FinalizedObject } from '../../functions/src/uploads/finalize/event.ts';
import { createFinalizeHandler } from '../../functions/src/uploads/finalize/finalize.service.ts';
import type { AppUnderTest } from './app.ts';
import { formWith, png } from './files.ts';
import { adminFirestore, type Person } from './people.ts';
import { call } from './requests.ts';

/** A signed-in client of Firebase's own SDK. */
export async function clientOf({ email, password }: Person): Promise<FirebaseStorage> {
  const { projectId, ports } = inject('stack');
  const storageBucket = `${projectId}.firebasestorage.app`;
  const app = initializeApp({ projectId, apiKey: 'test', storageBucket }, randomBytes(8).toString('hex'));
  onTestFinished(() => deleteApp(app));
  const auth = getAuth(app);
  connectAuthEmulator(auth, `http://127.0.0.1:${ports.auth}`, { disableWarnings: true });
  await signInWithEmailAndPassword(auth, email, password);
  const storage = getStorage(app);
  connectStorageEmulator(storage, '127.0.0.1', ports.storage);
  return storage;
}

export interface Sent {
  id: string;
  path: string;
}

/** Sends a file as docs/api.md describes. */
export async function sendFile(
  storage: FirebaseStorage,
  uid: string,
  bytes: Uint8Array,
  metadata: UploadMetadata = { contentType: 'image/png' },
  name = `photo-${Date.now()}.png`,
): Promise<Sent> {
  const id = randomBytes(16).toString('hex');
  const path = `uploads/${uid}/${id}/${name}`;
  await uploadBytes(ref(storage, path), bytes, metadata);
  return { id, path };
}

/** Sends a file as a person of the tests. */
export async function sendAs(
  person: Person,
  bytes: Uint8Array = png(40, 30),
  metadata?: UploadMetadata,
  name?: string,
): Promise<Sent> {
  return sendFile(await clientOf(person), person.uid, bytes, metadata, name);
}

export async function documentOf({ id }: Sent): Promise<Record<string, unknown> | undefined> {
  return (await adminFirestore().doc(`uploads/${id}`).get()).data();
}

export async function isThere(app: AppUnderTest, path: string): Promise<boolean> {
  const [exists] = await (await app.backend.bucket()).file(path).exists();
  return exists;
}

/** The event that Storage raises for an object. */
export async function eventOf(
  { backend }: { backend: Pick<Backend, 'bucket'> },
  path: string,
): Promise<FinalizedObject> {
  const [object] = await (await backend.bucket()).file(path).getMetadata();
  return {
    path,
    generation: String(object.generation),
    md5Hash: object.md5Hash ?? '',
    size: Number(object.size),
    contentType: object.contentType ?? '',
    contentEncoding: object.contentEncoding ?? '',
    metadata: (object.metadata ?? {}) as Record<string, string>,
  };
}

/** Handles an event as the trigger does, in this process. */
export async function finalize(
  { backend }: Pick<AppUnderTest, 'backend'>,
  event: FinalizedObject,
): Promise<void> {
  await createFinalizeHandler(backend)(event);
}

/** Handles the event of the current generation. */
export async function finalizeLatest(app: AppUnderTest, { path }: Sent): Promise<void> {
  await finalize(app, await eventOf(app, path));
}

/** A stored picture with its variant, sent directly by the `client` or by the `api`. */
export async function storedBy(
  app: AppUnderTest,
  source: string,
  person: Person,
  picture: Buffer,
): Promise<Sent> {
  const sent = source === 'client' ? await sendAs(person, picture) : await sendByApi(app, person, picture);
  await finalizeLatest(app, sent);
  await finalizeLatest(app, sent);
  return sent;
}

async function sendByApi(app: AppUnderTest, { bearer: headers }: Person, picture: Buffer): Promise<Sent> {
  const body = formWith(picture, 'photo.png');
  const answer = await call('POST', `${app.url}/api/upload`, { headers, body });
  const id = answer.headers.get('X-Upload-Id') ?? '';
  return { id, path: String((await documentOf({ id, path: '' }))?.['path']) };
}

/** Runs `happens` before each call of a method of Storage. */
export function storageAfter(
  app: AppUnderTest,
  method: 'exists' | 'download' | 'delete' | 'save',
  happens: () => Promise<unknown>,
): AppUnderTest {
  let happening: Promise<unknown> | undefined;
  const bucket = async () => {
    const real = await app.backend.bucket();
    const file = (...args: Parameters<typeof real.file>) => {
      const object = real.file(...args);
      const asked = object[method].bind(object) as (...given: unknown[]) => Promise<unknown>;
      const late = async (...given: unknown[]) => {
        await (happening ??= happens());
        return asked(...given);
      };
      return Object.assign(object, { [method]: late });
    };
    return Object.assign(Object.create(real) as typeof real, { file });
  };
  return { ...app, backend: { ...app.backend, bucket } };
}

/** The bucket with only the objects of one person in its lists, because tests of other files use the same bucket. */
export function bucketListing(app: Pick<AppUnderTest, 'backend'>, { uid }: Person): Backend['bucket'] {
  return async () => {
    const real = await app.backend.bucket();
    const getFiles: typeof real.getFiles = (query?: unknown) =>
      real.getFiles({ ...(query as object), prefix: `uploads/${uid}/` }) as never;
    return Object.assign(Object.create(real) as typeof real, { getFiles });
  };
}

/** Makes calls of these methods fail, for one object or for all. */
export function bucketFailing(
  app: AppUnderTest,
  methods: readonly ('delete' | 'copy')[],
  path?: string,
): AppUnderTest['backend']['bucket'] {
  return async () => {
    const real = await app.backend.bucket();
    const fail = () => Promise.reject(new Error('out of reach'));
    const file = (...args: Parameters<typeof real.file>) => {
      const object = real.file(...args);
      if (path !== undefined && path !== object.name) return object;
      return Object.assign(object, Object.fromEntries(methods.map((method) => [method, fail])));
    };
    return Object.assign(Object.create(real) as typeof real, { file });
  };
}
