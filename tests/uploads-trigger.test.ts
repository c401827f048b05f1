import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, createUserWithEmailAndPassword, getAuth } from 'firebase/auth';
import { connectFirestoreEmulator, doc, getFirestore, onSnapshot } from 'firebase/firestore';
import { connectStorageEmulator, getStorage, ref, uploadBytesResumable } from 'firebase/storage';
import { expect, onTestFinished, test } from 'vitest';
import { startStack, type StackInfo } from '../scripts/stack.ts';
import { png } from './support/files.ts';

/** A page of the app, with nothing but Firebase's own SDK. */
async function openApp({ projectId, ports }: StackInfo) {
  // The bucket that the CLI gives its functions for a demo project.
  const storageBucket = `${projectId}.appspot.com`;
  const app = initializeApp({ projectId, apiKey: 'test', storageBucket }, randomUUID());
  onTestFinished(() => deleteApp(app));
  const auth = getAuth(app);
  connectAuthEmulator(auth, `http://127.0.0.1:${ports.auth}`, { disableWarnings: true });
  const firestore = getFirestore(app);
  connectFirestoreEmulator(firestore, '127.0.0.1', ports.firestore);
  const storage = getStorage(app);
  connectStorageEmulator(storage, '127.0.0.1', ports.storage);
  const { user } = await createUserWithEmailAndPassword(auth, `${randomUUID()}@example.com`, 'correct horse');

  /** Sends a file and waits for what becomes of it. */
  const send = async (bytes: Uint8Array): Promise<Record<string, unknown>> => {
    const id = randomUUID().replaceAll('-', '');
    const outcome = new Promise<Record<string, unknown>>((resolve, reject) => {
      const next = (snapshot: { data: () => Record<string, unknown> | undefined }) => {
        const upload = snapshot.data();
        if (upload !== undefined && upload['status'] !== 'pending') resolve(upload);
      };
      onTestFinished(onSnapshot(doc(firestore, 'uploads', id), next, reject));
    });
    const object = ref(storage, `uploads/${user.uid}/${id}/photo-1.png`);
    await uploadBytesResumable(object, bytes, { contentType: 'image/png' });
    return outcome;
  };
  return { send };
}

test('a client that sends straight to Storage learns from the document what the deployed trigger says', async () => {
  // Without a build, because the other stack is serving what was built.
  const stack = await startStack({
    projectId: 'demo-hearth-uploads',
    ports: 'free',
    build: 'skip',
    onLine: (source, line) => {
      console.log(`${source}: ${line}`);
    },
  });
  onTestFinished(stack.stop);
  const { send } = await openApp(stack);
  const bytes = png(40, 30);

  const stored = await send(bytes);
  expect(stored).toMatchObject({
    status: 'stored',
    size: bytes.length,
    dimensions: { width: 40, height: 30 },
  });
  const fetched = await fetch(String(stored['url']));
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);

  const refused = await send(Buffer.from('<script>alert(1)</script>'));
  expect(refused).toMatchObject({ status: 'refused', reason: 'unsupported_media_type', url: null });
});
