import { randomUUID } from 'node:crypto';
import { deleteApp, initializeApp } from 'firebase/app';
import { connectAuthEmulator, createUserWithEmailAndPassword, getAuth } from 'firebase/auth';
import { connectFirestoreEmulator, getFirestore } from 'firebase/firestore';
import { connectStorageEmulator, getStorage } from 'firebase/storage';
import { expect, onTestFinished, test } from 'vitest';
import { startUpload } from '../examples/resumable-upload.ts';
import { startStack, type StackInfo } from '../scripts/stack.ts';
import { pngOfSize } from './support/files.ts';

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

  /** Starts to send a picture, as the example does. */
  const start = (bytes: Uint8Array) =>
    startUpload(storage, firestore, user.uid, { name: 'photo.png', contentType: 'image/png', bytes });
  return { start };
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
  const { start } = await openApp(stack);

  const bytes = pngOfSize(3_000_000);
  const { task, outcome } = start(bytes);
  const states = new Set<string>();
  task.on('state_changed', ({ state, bytesTransferred, totalBytes }) => {
    states.add(state);
    if (state === 'running' && !states.has('paused') && bytesTransferred > 0 && bytesTransferred < totalBytes)
      task.pause();
    if (state === 'paused') setImmediate(() => task.resume());
  });
  const stored = await outcome;
  expect(states).toEqual(new Set(['running', 'paused']));
  expect(stored).toMatchObject({ status: 'stored', size: bytes.length, dimensions: { width: 8, height: 8 } });
  const fetched = await fetch(stored.url ?? '');
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);

  const refused = await start(Buffer.from('<script>alert(1)</script>')).outcome;
  expect(refused).toMatchObject({ status: 'refused', reason: 'unsupported_media_type', url: null });
});
