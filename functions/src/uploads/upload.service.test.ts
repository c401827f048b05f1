import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Firestore } from 'firebase-admin/firestore';
import { describe, expect, test } from 'vitest';
import type { Bucket, Backend } from '../backend.ts';
import { StorageTimeout } from './bucket/storage.ts';
import { bucketOn, parseUpload, stored, type StorageRequest } from './testing/gcs.ts';
import { impostors, samples } from './testing/samples.ts';
import { upload as uploadFor } from './upload.service.ts';
import { loadConfig } from '../settings/config.ts';
import { freePlan } from '../settings/plans.ts';
import { TEST_SETTINGS } from '../testing/settings.ts';
import type { Owner } from './owner.ts';

const config = loadConfig(TEST_SETTINGS);
const OWNER: Owner = {
  id: 'uid',
  createdBy: 'uid',
  planIn: () => Promise.resolve(freePlan(config.plans)),
};

interface Sent {
  name: string;
  bytes: Buffer;
  declaredType?: string;
}

const upload = (backend: Backend, { name, bytes, declaredType = '' }: Sent) =>
  uploadFor(backend, OWNER, { name, bytes, declaredType }, 'public');

const NOW = new Date(1_700_000_000_000);

/** Notes in which order documents and objects are written; the emulators' tests show that both take effect. */
async function recorded(answer: Parameters<typeof bucketOn>[0]) {
  const steps: string[] = [];
  const documents: unknown[] = [];
  const step = (name: string) => (value?: unknown) => {
    steps.push(name);
    if (value !== undefined) documents.push(value);
    return Promise.resolve();
  };
  const ref = { withConverter: () => ({ doc: () => ref }) };
  const transaction = {
    get: () => Promise.resolve({ data: () => ({ bytes: 1, status: 'pending' }) }),
    getAll: () =>
      Promise.resolve([
        {
          exists: true,
          ref,
          data: () => ({ status: 'pending', size: 1, variants: [], plannedVariants: [] }),
        },
      ]),
    create: (_ref: unknown, document: unknown) => step('create')(document),
    delete: () => step('forget')(),
    set: () => undefined,
    update: (_ref: unknown, fields: object) => {
      if ('status' in fields) void step('update')(fields);
    },
  };
  const firestore = {
    doc: () => ref,
    collection: () => ref,
    runTransaction: (run: (within: typeof transaction) => Promise<unknown>) => run(transaction),
  } as unknown as Firestore;
  const { bucket, requests } = await bucketOn((request, response) => {
    steps.push(request.method);
    answer(request, response);
  });
  const backend = {
    config,
    firestore: () => Promise.resolve(firestore),
    bucket: () => Promise.resolve(bucket),
    now: () => NOW,
  } as unknown as Backend;
  return { backend, steps, documents, requests };
}

const working: Parameters<typeof bucketOn>[0] = (request, response) => response.end(stored(request));

function metadataOf([request]: StorageRequest[]) {
  if (request === undefined) throw new Error('Nothing was stored.');
  return parseUpload(request).metadata as { contentType: string; contentDisposition: string };
}

test('the pending document comes first, then the object, then that it is stored', async () => {
  const { backend, steps, documents } = await recorded(working);
  const { view } = await upload(backend, { name: 'My photo.PNG', bytes: samples.png });
  expect(steps).toEqual(['create', 'POST', 'update']);
  expect(view).toEqual({
    name: 'My photo.png',
    contentType: 'image/png',
    size: samples.png.length,
    url: expect.stringMatching(/My-photo-1700000000000\.png\?alt=media&token=/) as string,
  });
  expect(documents).toEqual([
    {
      ownerId: 'uid',
      createdBy: 'uid',
      name: 'My photo.png',
      contentType: 'image/png',
      size: samples.png.length,
      path: expect.stringMatching(/^uploads\/uid\/[0-9a-f]{32}\/My-photo-1700000000000\.png$/) as string,
      generation: null,
      md5Hash: null,
      source: 'api',
      visibility: 'public',
      status: 'pending',
      reason: null,
      url: null,
      dimensions: { width: 1, height: 1 },
      variants: [],
      plannedVariants: [],
      createdAt: NOW,
      deleteAt: null,
    },
    {
      status: 'stored',
      url: view.url,
      generation: '1',
      md5Hash: hash('md5', samples.png, 'base64'),
    },
  ]);
});

test('the same file twice lies in two places that cannot be guessed from each other', async () => {
  const { backend, requests } = await recorded(working);
  const file = { name: 'a.png', bytes: samples.png };
  await upload(backend, file);
  await upload(backend, file);
  expect(new Set(requests.map(({ url }) => url.searchParams.get('name'))).size).toBe(2);
});

test('the places of two processes have nothing in common, also if both draw the same pseudorandom numbers', async () => {
  const script = join(import.meta.dirname, 'testing/print-object-path.ts');
  const run = () => promisify(execFile)(process.execPath, ['--random-seed=1', script]);
  const [first, second] = await Promise.all([run(), run()]);
  const [id, other] = [first, second].map(
    ({ stdout }) => /^uploads\/uid\/([0-9a-f]{32})\//.exec(stdout)?.[1] ?? '',
  );
  expect([id?.length, other?.length]).toEqual([32, 32]);
  // A counter, a clock or a seeded generator repeats a part of the id.
  for (let start = 0; start + 8 <= 32; start++) expect(other).not.toContain(id?.slice(start, start + 8));
});

test.each<[string, keyof typeof samples | 'gifScript', string, string]>([
  ['a.gif', 'gifScript', 'image/gif', `inline; filename*=UTF-8''a.gif`],
  ['a.txt', 'txt', 'text/plain; charset=utf-8', `attachment; filename*=UTF-8''a.txt`],
  ['a.doc', 'doc', 'application/msword', `attachment; filename*=UTF-8''a.doc`],
  [`it's (1)*ü.png`, 'png', 'image/png', `inline; filename*=UTF-8''it%27s%20%281%29_%C3%BC.png`],
])('%s is served as what we found it to be', async (name, kind, contentType, contentDisposition) => {
  const { backend, requests } = await recorded(working);
  await upload(backend, { name, bytes: { ...samples, ...impostors }[kind] });
  expect(metadataOf(requests)).toMatchObject({ contentType, contentDisposition });
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
    ['a.png', samples.png, 415, 'text/html'],
    ['a.png', samples.png, 415, 'image/jpeg'],
    ['a.mp4', samples.mp4, 415],
    ['a.png', Buffer.concat([samples.png, Buffer.alloc(25 * 1024 * 1024)]), 413],
  ])('%j', async (name, bytes, status, declaredType = '') => {
    const { backend, steps } = await recorded(working);
    await expect(upload(backend, { name, bytes, declaredType })).rejects.toMatchObject({ status });
    expect(steps).toEqual([]);
  });
});

test.each([403, 503])('what Storage answers %s is taken back, object before document', async (status) => {
  const { backend, steps } = await recorded(({ method }, response) =>
    response.writeHead(method === 'DELETE' ? 204 : status).end('{}'),
  );
  const attempt = upload(backend, { name: 'a.png', bytes: samples.png });
  await expect(attempt).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' });
  expect(steps).toEqual(['create', 'POST', 'DELETE', 'forget']);
});

test('while the object may still be there, its document stays for the sweep', async () => {
  const { backend, steps } = await recorded((_request, response) => response.writeHead(503).end('{}'));
  const attempt = upload(backend, { name: 'a.png', bytes: samples.png });
  await expect(attempt).rejects.toMatchObject({ status: 503 });
  expect(steps).toEqual(['create', 'POST', 'DELETE']);
});

test('what is late is not taken back, as it may arrive after the removal', async () => {
  const { backend, steps } = await recorded(working);
  const save = () => Promise.reject(new StorageTimeout('late'));
  const late = { ...backend, bucket: async () => withSave(await backend.bucket(), save) };
  const attempt = upload(late, { name: 'a.png', bytes: samples.png });
  await expect(attempt).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' });
  expect(steps).toEqual(['create']);
});

function withSave(bucket: Bucket, save: () => Promise<void>): Bucket {
  const file = (path: string) => Object.assign(bucket.file(path), { save });
  return { name: bucket.name, file } as unknown as Bucket;
}

test('an upload that nobody is told of can be discarded, object before document', async () => {
  const { backend, steps } = await recorded((request, response) =>
    request.method === 'DELETE' ? response.writeHead(204).end() : working(request, response),
  );
  const { discard } = await upload(backend, { name: 'a.png', bytes: samples.png });
  await discard();
  expect(steps).toEqual(['create', 'POST', 'update', 'DELETE', 'forget']);
});
