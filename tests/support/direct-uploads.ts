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
import type { ArrivedObject } from '../../functions/src/uploads/reception.ts';
import { receiveObject } from '../../functions/src/uploads/receive.service.ts';
import { createReception } from '../../functions/src/uploads/reception.ts';
import type { AppUnderTest } from './app.ts';
import type { Person } from './people.ts';

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

/** Sends a file as docs/api.md says. */
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

/** What Storage tells of an object, as its event does. */
export async function eventOf(app: AppUnderTest, path: string): Promise<ArrivedObject> {
  const [object] = await (await app.services.bucket()).file(path).getMetadata();
  return {
    name: path,
    generation: String(object.generation),
    size: Number(object.size),
    contentType: object.contentType ?? '',
    contentEncoding: object.contentEncoding ?? '',
    metadata: (object.metadata ?? {}) as Record<string, string>,
  };
}

/** Does what the trigger does, in this process. */
export async function receive({ config, services }: AppUnderTest, event: ArrivedObject): Promise<void> {
  await receiveObject(createReception(config, services), event);
}

/** What is asked of Storage happens after something else. */
export function storageAfter(
  app: AppUnderTest,
  method: 'download' | 'delete',
  happens: () => Promise<unknown>,
): AppUnderTest {
  let happening: Promise<unknown> | undefined;
  const bucket = async () => {
    const real = await app.services.bucket();
    const file = (...args: Parameters<typeof real.file>) => {
      const object = real.file(...args);
      const asked = object[method].bind(object) as (options?: object) => Promise<unknown>;
      const late = async (options?: object) => {
        await (happening ??= happens());
        return asked(options);
      };
      return Object.assign(object, { [method]: late });
    };
    return Object.assign(Object.create(real) as typeof real, { file });
  };
  return { ...app, services: { ...app.services, bucket } };
}
