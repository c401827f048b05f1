import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { storeReceivedFile } from '../functions/src/uploads/api/upload.service.ts';
import { sweepOutdatedUploads } from '../functions/src/uploads/manage/sweep.service.ts';
import { ownerWithSender } from '../functions/src/uploads/records/owner.ts';
import { form } from '../functions/src/uploads/testing/forms.ts';
import { serveApp } from './support/app.ts';
import { bucketFailing, storageAfter } from './support/direct-uploads.ts';
import { png } from './support/files.ts';
import { adminFirestore, signUp, type Person } from './support/people.ts';
import { usedBytes } from './support/uploads.ts';

const PICTURE = [
  'Content-Disposition: form-data; name="file"; filename="photo.png"',
  'Content-Type: image/png',
];

/** Resolves with the server's side of the next connection that asks for this path. */
function nextConnectionTo(path: string): Promise<Socket> {
  const channel = 'http.server.request.start';
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const note = (message: unknown) => {
    const { request, socket } = message as { request: { url: string }; socket: Socket };
    if (request.url === path) resolve(socket);
  };
  subscribe(channel, note);
  onTestFinished(() => void unsubscribe(channel, note));
  return promise;
}

/** Sends a whole upload, and leaves the connection open. */
function sendUpload(url: string, { bearer }: Person): Socket {
  const { headers, body } = form([{ headers: PICTURE, body: png() }]);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = [
    'POST /api/upload HTTP/1.1',
    'Host: localhost',
    `Authorization: ${bearer.Authorization}`,
    `Content-Type: ${headers['content-type'] ?? ''}`,
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return socket;
}

/** Resolves when the statuses of a person's uploads fulfill a condition. */
function uploadsOf(person: Person, isWanted: (statuses: string[]) => boolean): Promise<undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const stop = adminFirestore()
    .collection('uploads')
    .where('ownerId', '==', person.uid)
    .onSnapshot(({ docs }) => {
      if (isWanted(docs.map((upload) => upload.get('status') as string))) resolve(undefined);
    }, reject);
  onTestFinished(stop);
  return promise;
}

test('a file whose sender closes the connection while it is stored leaves no record, object or bytes', async () => {
  const person = await signUp();
  await using app = await serveApp();
  const gone = Promise.withResolvers<undefined>();
  const late = storageAfter(app, 'save', () => gone.promise);
  await using served = await serveApp({ backend: { bucket: late.backend.bucket } });
  const accepted = nextConnectionTo('/api/upload');
  const sender = sendUpload(served.url, person);
  const connection = await accepted;
  await uploadsOf(person, ([status]) => status === 'pending');
  // A reset, because a sender that only ends its side may still wait for the answer.
  const closed = new Promise((resolve) => connection.once('close', resolve));
  sender.resetAndDestroy();
  await closed;
  gone.resolve(undefined);

  await uploadsOf(person, (statuses) => statuses.length === 0);
  const bucket = await app.backend.bucket();
  const [objects] = await bucket.getFiles({ prefix: `uploads/${person.uid}/` });
  expect([objects, await usedBytes(person.uid)]).toEqual([[], 0]);
});

test('a discarded file that cannot be removed is removed by the sweep', async () => {
  const person = await signUp();
  await using app = await serveApp();
  const broken = { ...app.backend, bucket: bucketFailing(app, ['delete']) };
  const file = { name: 'photo.png', declaredType: 'image/png', bytes: png() };
  const { id, discard } = await storeReceivedFile(broken, ownerWithSender(person), file, 'public');
  await discard();
  const record = adminFirestore().doc(`uploads/${id}`);
  expect((await record.get()).get('status')).toBe('stored');
  await sweepOutdatedUploads(app.backend);
  expect([(await record.get()).exists, await usedBytes(person.uid)]).toEqual([false, 0]);
});
