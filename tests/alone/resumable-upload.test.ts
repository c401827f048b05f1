import type { Firestore } from 'firebase/firestore';
import type { FirebaseStorage } from 'firebase/storage';
import { expect, test, vi } from 'vitest';
import { startUpload, type Outcome } from '../../examples/resumable-upload.ts';

/** The part of the backend: the document that the listener of the example gets, and the end of the sending. */
const { backend } = vi.hoisted(() => ({
  backend: {
    report: undefined as ((upload: Outcome) => void) | undefined,
    hasListener: false,
    sending: Promise.resolve(),
  },
}));

vi.mock('firebase/firestore', async (load) => ({
  ...(await load<object>()),
  doc: () => ({}),
  onSnapshot: (_document: unknown, next: (snapshot: { data: () => Outcome | undefined }) => void) => {
    backend.hasListener = true;
    backend.report = (upload) => {
      next({ data: () => upload });
    };
    next({ data: () => undefined });
    return () => {
      backend.hasListener = false;
    };
  },
}));
vi.mock('firebase/storage', async (load) => ({
  ...(await load<object>()),
  ref: () => ({}),
  uploadBytesResumable: () => backend.sending,
}));

/** The replacements do not look at it. */
const unused: unknown = {};

const start = (patienceMs: number) =>
  startUpload(
    unused as FirebaseStorage,
    unused as Firestore,
    'uid',
    { name: 'photo.png', contentType: 'image/png', bytes: new Uint8Array() },
    patienceMs,
  ).outcome;

test('a file that was sent and has no document ends the example with an error', async () => {
  backend.sending = Promise.resolve();
  await expect(start(0)).rejects.toThrow('The backend has not said whether it accepts the file.');
  expect(backend.hasListener).toBe(false);
});

test('the example waits for the result while the file is sent', async () => {
  backend.sending = new Promise(() => undefined);
  const outcome = start(0);
  setTimeout(() => {
    backend.report?.({ status: 'stored', url: 'https://files.example.com/a', reason: null });
  }, 10);
  expect(await outcome).toMatchObject({ status: 'stored' });
});

test('a file that was not sent ends the example with the error of Storage', async () => {
  backend.sending = Promise.reject(new Error('storage/unauthorized'));
  await expect(start(60_000)).rejects.toThrow('storage/unauthorized');
  expect(backend.hasListener).toBe(false);
});
