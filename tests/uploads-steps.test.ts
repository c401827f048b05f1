import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bucket } from '../functions/src/backend-clients.ts';
import type { Backend } from '../functions/src/backend.ts';
import { storeReceivedFile } from '../functions/src/uploads/api/upload.service.ts';
import { StorageTimeout } from '../functions/src/uploads/bucket/failures.ts';
import { ownerWithSender } from '../functions/src/uploads/records/owner.ts';
import { uploadsOf } from '../functions/src/uploads/records/upload.store.ts';
import { bucketOn, parseUpload, stored, type AnswerStorage } from '../functions/src/uploads/testing/gcs.ts';
import { impostors, samples } from '../functions/src/uploads/testing/samples.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { adminFirestore } from './support/people.ts';
import { usedBytes } from './support/uploads.ts';

let app: AppUnderTest;
beforeAll(async () => {
  app = await serveApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const NOW = new Date(1_700_000_000_000);
const PICTURE = { name: 'My photo.PNG', bytes: samples.png };

interface Sent {
  name: string;
  bytes: Buffer;
  declaredType?: string;
}

/** An API upload to a Storage that answers as the test wants, with the steps as Storage sees them. */
async function stage(answer: AnswerStorage) {
  const uid = randomUUID();
  await adminFirestore().doc(`users/${uid}`).create({ createdAt: NOW });
  const recordsOf = async () => (await uploadsOf(app.backend.db, uid).findIntact()).map(({ data }) => data);
  const statuses = async () => (await recordsOf()).map(({ status }) => status);
  const steps: string[] = [];
  const { bucket, requests } = await bucketOn(async (request, response) => {
    steps.push([request.method, ...(await statuses())].join(' '));
    await answer(request, response);
  });
  const backend: Backend = { ...app.backend, bucket: () => Promise.resolve(bucket), now: () => NOW };
  const send = ({ declaredType = '', ...file }: Sent, changes: Partial<Backend> = {}) =>
    storeReceivedFile(
      { ...backend, ...changes },
      ownerWithSender({ uid }),
      { ...file, declaredType },
      'public',
    );
  return { uid, bucket, requests, steps, recordsOf, statuses, send };
}

const working: AnswerStorage = (request, response) => response.end(stored(request));

/** Answers removals with one status, everything else with another one. */
const failing =
  (status: number, removal: number): AnswerStorage =>
  ({ method }, response) =>
    response.writeHead(method === 'DELETE' ? removal : status).end('{}');

test('the pending record is written first, then the object, then the completion', async () => {
  const { uid, steps, recordsOf, send } = await stage(working);
  const { view } = await send(PICTURE);
  expect(steps).toEqual(['POST pending']);
  expect(view).toEqual({
    name: 'My photo.png',
    contentType: 'image/png',
    size: samples.png.length,
    url: expect.stringMatching(/My-photo-1700000000000\.png\?alt=media&token=/) as string,
  });
  expect(await recordsOf()).toEqual([
    {
      ownerId: uid,
      createdBy: uid,
      name: 'My photo.png',
      contentType: 'image/png',
      size: samples.png.length,
      path: expect.stringMatching(
        new RegExp(`^uploads/${uid}/[0-9a-f]{32}/My-photo-1700000000000\\.png$`),
      ) as string,
      generation: '1',
      md5Hash: hash('md5', samples.png, 'base64'),
      source: 'api',
      visibility: 'public',
      status: 'stored',
      reason: null,
      url: view.url,
      dimensions: { width: 1, height: 1 },
      variants: [],
      possibleVariants: [],
      createdAt: NOW,
      deleteAt: null,
    },
  ]);
});

test('two uploads of the same file have two paths', async () => {
  const { requests, send } = await stage(working);
  await send(PICTURE);
  await send(PICTURE);
  expect(new Set(requests.map(({ url }) => url.searchParams.get('name'))).size).toBe(2);
});

test.each<[string, keyof typeof samples | 'gifScript', string, string]>([
  ['a.gif', 'gifScript', 'image/gif', `inline; filename*=UTF-8''a.gif`],
  ['a.txt', 'txt', 'text/plain; charset=utf-8', `attachment; filename*=UTF-8''a.txt`],
  ['a.doc', 'doc', 'application/msword', `attachment; filename*=UTF-8''a.doc`],
  [`it's (1)*ü.png`, 'png', 'image/png', `inline; filename*=UTF-8''it%27s%20%281%29_%C3%BC.png`],
])('%s is stored with the type of its kind', async (name, sample, contentType, contentDisposition) => {
  const { requests, send } = await stage(working);
  await send({ name, bytes: { ...samples, ...impostors }[sample] });
  const [request] = requests;
  expect(request && parseUpload(request).metadata).toMatchObject({ contentType, contentDisposition });
});

describe('nothing is written for', () => {
  test.each<[string, Buffer, number, string?]>([
    ['a.html', impostors.html, 415],
    ['a.svg', impostors.svg, 415],
    ['a', samples.txt, 415],
    ['a.png.html', samples.png, 415],
    ['a.png', impostors.html, 415],
    ['a.png', samples.jpeg, 415],
    ['a.html\u202e.png', impostors.html, 415],
    ['a.png::$DATA', impostors.html, 415],
    ['a.docx', impostors.docm, 415],
    ['.png', samples.png, 400],
    ['..', samples.png, 400],
    ['\u202e', samples.png, 400],
    ['a.png', Buffer.alloc(0), 400],
    ['a.png', samples.png, 415, 'text/html'],
    ['a.png', samples.png, 415, 'image/jpeg'],
    ['a.mp4', samples.mp4, 415],
    ['a.png', Buffer.concat([samples.png, Buffer.alloc(25 * 1024 * 1024)]), 413],
  ])('%j', async (name, bytes, status, declaredType = '') => {
    const { uid, steps, recordsOf, send } = await stage(working);
    await expect(send({ name, bytes, declaredType })).rejects.toMatchObject({ status });
    expect([steps, await recordsOf(), await usedBytes(uid)]).toEqual([[], [], 0]);
  });
});

const UNAVAILABLE = { status: 503, code: 'storage_unavailable' };

test.each([403, 503])(
  'if Storage answers %s, the upload is removed, the object before the record',
  async (status) => {
    const { uid, steps, recordsOf, send } = await stage(failing(status, 204));
    await expect(send(PICTURE)).rejects.toMatchObject(UNAVAILABLE);
    expect(steps).toEqual(['POST pending', 'DELETE pending']);
    expect([await recordsOf(), await usedBytes(uid)]).toEqual([[], 0]);
  },
);

test('if the object cannot be removed, the record stays for the sweep', async () => {
  const { uid, steps, statuses, send } = await stage(failing(503, 503));
  await expect(send(PICTURE)).rejects.toMatchObject(UNAVAILABLE);
  expect(steps).toEqual(['POST pending', 'DELETE pending']);
  expect([await statuses(), await usedBytes(uid)]).toEqual([['pending'], samples.png.length]);
});

test('an object that is late is not removed, because it may arrive after the removal', async () => {
  const { bucket, steps, statuses, send } = await stage(working);
  const save = () => Promise.reject(new StorageTimeout('late'));
  const late = { bucket: () => Promise.resolve(withSave(bucket, save)) };
  await expect(send(PICTURE, late)).rejects.toMatchObject(UNAVAILABLE);
  expect([steps, await statuses()]).toEqual([[], ['pending']]);
});

function withSave(bucket: Bucket, save: () => Promise<void>): Bucket {
  const file = (path: string) => Object.assign(bucket.file(path), { save });
  return Object.assign(Object.create(bucket) as Bucket, { file });
}

test('a stored upload is discarded, the object before the record', async () => {
  const { uid, steps, recordsOf, send } = await stage((request, response) =>
    request.method === 'DELETE' ? response.writeHead(204).end() : working(request, response),
  );
  const { discard } = await send(PICTURE);
  await discard();
  expect(steps).toEqual(['POST pending', 'DELETE stored']);
  expect([await recordsOf(), await usedBytes(uid)]).toEqual([[], 0]);
});
