import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeObject, StorageTimeout, storeObject, type NewObject } from './storage.ts';
import { bucketOn, parseUpload, stored } from './testing/gcs.ts';

const PATH = 'uploads/uid/0123/Grüße (1)-1700000000000.png';
const file: NewObject = {
  path: PATH,
  bytes: Buffer.from([0, 1, 2, 13, 10, 255]),
  contentType: 'image/png',
  contentDisposition: "inline; filename*=UTF-8''a.png",
  ownerId: 'uid',
};

beforeEach(() => {
  vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an object', () => {
  test('is stored in one request that makes a new one only, with our type and a token', async () => {
    const { bucket, requests } = await bucketOn((request, response) => response.end(stored(request)));
    const url = new URL(await storeObject(bucket, file));
    const [request, ...others] = requests;
    if (request === undefined) throw new Error('No request arrived.');
    expect(others).toEqual([]);
    expect(Object.fromEntries(request.url.searchParams)).toMatchObject({
      uploadType: 'multipart',
      name: PATH,
      ifGenerationMatch: '0',
    });
    expect(parseUpload(request)).toEqual({
      bytes: file.bytes,
      metadata: expect.objectContaining({
        contentType: 'image/png',
        contentDisposition: file.contentDisposition,
        metadata: { firebaseStorageDownloadTokens: url.searchParams.get('token'), ownerId: 'uid' },
      }) as unknown,
    });
    expect(url.searchParams.get('token')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has the URL that the client SDKs give out', async () => {
    const { bucket } = await bucketOn((request, response) => response.end(stored(request)));
    const address = `/v0/b/demo-test.appspot.com/o/${encodeURIComponent(PATH)}?alt=media&token=`;
    expect(await storeObject(bucket, file)).toContain(`https://firebasestorage.googleapis.com${address}`);
    vi.stubEnv('FIREBASE_STORAGE_EMULATOR_HOST', '127.0.0.1:9199');
    expect(await storeObject(bucket, file)).toContain(`http://127.0.0.1:9199${address}`);
  });

  test('has a token of its own', async () => {
    const { bucket } = await bucketOn((request, response) => response.end(stored(request)));
    expect(await storeObject(bucket, file)).not.toBe(await storeObject(bucket, file));
  });

  test('that arrives damaged is not stored', async () => {
    const { bucket } = await bucketOn((_request, response) => response.end('{"crc32c":"AAAAAA=="}'));
    await expect(storeObject(bucket, file)).rejects.toThrow();
  });

  test.each([403, 412, 500, 503])('is not stored when Storage answers %s', async (status) => {
    const { bucket } = await bucketOn((_request, response) => response.writeHead(status).end('{}'));
    await expect(storeObject(bucket, file)).rejects.toThrow();
  });

  test('is not stored when Storage breaks off', async () => {
    const { bucket } = await bucketOn((_request, response) => response.destroy());
    await expect(storeObject(bucket, file)).rejects.toThrow();
  });
});

test('a Storage that never answers is given up in time', async () => {
  const { bucket } = await bucketOn(() => undefined);
  await expect(storeObject(bucket, file, 50)).rejects.toThrow(StorageTimeout);
  await expect(removeObject(bucket, PATH, 50)).rejects.toThrow(StorageTimeout);
});

test.each([
  [204, true],
  [404, true],
  [403, false],
  [503, false],
])('when Storage answers a removal %s, the object is gone: %s', async (status, gone) => {
  const { bucket, requests } = await bucketOn((_request, response) => response.writeHead(status).end('{}'));
  const removal = removeObject(bucket, PATH);
  if (gone) await removal;
  else await expect(removal).rejects.toThrow();
  expect(requests.map(({ method, url }) => [method, decodeURIComponent(url.pathname)])).toEqual([
    ['DELETE', `/storage/v1/b/demo-test.appspot.com/o/${PATH}`],
  ]);
});
