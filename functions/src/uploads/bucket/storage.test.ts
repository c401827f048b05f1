import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { Bucket } from '../../backend-clients.ts';
import { bucketOn, parseUpload, resourceOf, stored } from '../testing/gcs.ts';
import { StorageTimeout } from './failures.ts';
import type { ObjectDescription } from './metadata.ts';
import { readObject, removeObject, rewriteObject, createObject } from './storage.ts';

const PATH = 'uploads/uid/0123/Grüße (1)-1700000000000.png';
const BYTES = Buffer.from([0, 1, 2, 13, 10, 255]);
const description: ObjectDescription = {
  ownerId: 'uid',
  name: `it's (1)*ü.png`,
  contentType: 'image/png',
  disposition: 'inline',
  visibility: 'public',
};

async function store(bucket: Bucket, changes: Partial<ObjectDescription> = {}, deadlineMs = 5_000) {
  const { url } = await createObject(
    bucket,
    { ...description, ...changes, path: PATH, bytes: BYTES },
    { deadlineMs },
  );
  return url;
}

const uploadSchema = z.object({ metadata: z.object({ firebaseStorageDownloadTokens: z.string() }) });

beforeEach(() => {
  vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an object', () => {
  test('is created in one request, with our content type and a token, and never replaced', async () => {
    const { bucket, requests } = await bucketOn((request, response) => response.end(stored(request)));
    const url = new URL(await store(bucket));
    const [request, ...others] = requests;
    if (request === undefined) throw new Error('No request arrived.');
    expect(others).toEqual([]);
    expect(Object.fromEntries(request.url.searchParams)).toMatchObject({
      uploadType: 'multipart',
      name: PATH,
      ifGenerationMatch: '0',
    });
    expect(parseUpload(request)).toEqual({
      bytes: BYTES,
      metadata: expect.objectContaining({
        contentType: 'image/png',
        contentDisposition: "inline; filename*=UTF-8''it%27s%20%281%29%2A%C3%BC.png",
        cacheControl: 'public, max-age=31536000, immutable',
        md5Hash: hash('md5', BYTES, 'base64'),
        metadata: {
          firebaseStorageDownloadTokens: url.searchParams.get('token'),
          ownerId: 'uid',
          writtenBy: 'backend',
        },
      }) as unknown,
    });
    expect(url.searchParams.get('token')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has a URL in the form of the client SDKs', async () => {
    const { bucket } = await bucketOn((request, response) => response.end(stored(request)));
    const address = `/v0/b/demo-test.appspot.com/o/${encodeURIComponent(PATH)}?alt=media&token=`;
    expect(await store(bucket)).toContain(`https://firebasestorage.googleapis.com${address}`);
    vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', '127.0.0.1:9199');
    expect(await store(bucket)).toContain(`http://127.0.0.1:9199${address}`);
  });

  test('that is private must not be cached', async () => {
    const { bucket, requests } = await bucketOn((request, response) => response.end(stored(request)));
    await store(bucket, { visibility: 'private' });
    const [request] = requests;
    expect(request && parseUpload(request).metadata).toMatchObject({ cacheControl: 'private, no-store' });
  });

  test('has a token of its own', async () => {
    const { bucket } = await bucketOn((request, response) => response.end(stored(request)));
    expect(await store(bucket)).not.toBe(await store(bucket));
  });

  test('is not accepted if its bytes arrive damaged', async () => {
    const { bucket } = await bucketOn((_request, response) => response.end('{"md5Hash":"AAAAAA=="}'));
    await expect(store(bucket)).rejects.toThrow();
  });

  test.each([403, 412, 500, 503])('is not accepted if Storage answers %s', async (status) => {
    const { bucket } = await bucketOn((_request, response) => response.writeHead(status).end('{}'));
    await expect(store(bucket)).rejects.toThrow();
  });

  /** Stores the first try and loses its answer. The second try finds the object. */
  async function storeTwice(tokenAt: (token: unknown) => unknown) {
    const { bucket, requests } = await bucketOn(
      (request, response) => {
        const [first] = requests;
        if (request === first) return response.destroy();
        if (request.method === 'POST') return response.writeHead(412).end('{"error":{"code":412}}');
        if (first === undefined) throw new Error('Nothing was stored.');
        const { metadata: own } = uploadSchema.parse(parseUpload(first).metadata);
        const firebaseStorageDownloadTokens = tokenAt(own.firebaseStorageDownloadTokens);
        const resource = resourceOf(first);
        return response.end(JSON.stringify({ ...resource, metadata: { firebaseStorageDownloadTokens } }));
      },
      { retries: true },
    );
    const url = await store(bucket).finally(() => {
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    });
    return { url, first: requests[0] };
  }

  test('is stored if the answer of Storage is lost and the SDK tries again', async () => {
    const { url, first } = await storeTwice((token) => token);
    const { metadata } = uploadSchema.parse(first && parseUpload(first).metadata);
    expect(new URL(url).searchParams.get('token')).toBe(metadata.firebaseStorageDownloadTokens);
  });

  test('is not accepted if another call has stored an object at the same path', async () => {
    await expect(storeTwice(() => 'of another call')).rejects.toMatchObject({ code: 412 });
  });

  test('is not accepted if Storage closes the connection', async () => {
    const { bucket } = await bucketOn((_request, response) => response.destroy());
    await expect(store(bucket)).rejects.toThrow();
  });
});

describe('an object that gets a new token', () => {
  const copied = '{"resource":{"generation":"8"}}';

  test('is copied over itself, and all its metadata is replaced', async () => {
    const { bucket, requests } = await bucketOn((_request, response) => response.end(copied));
    const { url, generation } = await rewriteObject(bucket, PATH, description, '7');
    expect(generation).toBe('8');
    const [request, ...others] = requests;
    expect(others).toEqual([]);
    const address = `/o/${PATH}/rewriteTo/b/demo-test.appspot.com/o/${PATH}`;
    expect(decodeURIComponent(request?.url.pathname ?? '')).toContain(address);
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      contentType: 'image/png',
      contentDisposition: "inline; filename*=UTF-8''it%27s%20%281%29%2A%C3%BC.png",
      cacheControl: 'public, max-age=31536000, immutable',
      metadata: {
        firebaseStorageDownloadTokens: new URL(url).searchParams.get('token'),
        ownerId: 'uid',
        writtenBy: 'backend',
      },
    });
  });

  test('is replaced only in the given generation', async () => {
    const { bucket, requests } = await bucketOn((_request, response) => response.end(copied));
    await rewriteObject(bucket, PATH, description, '7');
    expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
      sourceGeneration: '7',
      ifGenerationMatch: '7',
    });
  });
});

test('a call fails at its deadline if Storage never answers', async () => {
  const { bucket } = await bucketOn(() => undefined);
  await expect(store(bucket, {}, 50)).rejects.toThrow(StorageTimeout);
  await expect(removeObject(bucket, PATH, { deadlineMs: 50 })).rejects.toThrow(StorageTimeout);
});

test.each([
  [204, true],
  [404, true],
  [403, false],
  [503, false],
])('if Storage answers a removal with %s, the object is removed: %s', async (status, gone) => {
  const { bucket, requests } = await bucketOn((_request, response) => response.writeHead(status).end('{}'));
  const removal = removeObject(bucket, PATH);
  if (gone) await removal;
  else await expect(removal).rejects.toThrow();
  expect(requests.map(({ method, url }) => [method, decodeURIComponent(url.pathname)])).toEqual([
    ['DELETE', `/storage/v1/b/demo-test.appspot.com/o/${PATH}`],
  ]);
});

test('an object is read as it is stored: compressed bytes stay compressed', async () => {
  const compressed = gzipSync(Buffer.alloc(1_000_000));
  const headers = { 'content-encoding': 'gzip', 'content-type': 'image/png' };
  const { bucket } = await bucketOn((_request, response) => response.writeHead(206, headers).end(compressed));
  expect(
    (await readObject(bucket, { path: PATH, generation: '1' }, compressed.length)).equals(compressed),
  ).toBe(true);
});
