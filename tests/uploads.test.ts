import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Storage } from '@google-cloud/storage';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Bucket } from '../functions/src/backend-clients.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { APP_URL } from './support/config.ts';
import { formWith, png, pngOfSize } from './support/files.ts';
import { signUp, startSession, type Person } from './support/people.ts';
import { call } from './support/requests.ts';

interface Uploaded {
  name: string;
  contentType: string;
  url: string;
  size: number;
}

const MAX_BYTES = 64 * 1024;

let app: AppUnderTest;
let person: Person;
beforeAll(async () => {
  app = await serveApp({ config: { uploadMaxBytes: MAX_BYTES } });
  person = await signUp();
});
afterAll(() => app[Symbol.asyncDispose]());

const upload = (body: BodyInit, headers: Record<string, string> = person.bearer, url = app.url) =>
  call('POST', `${url}/api/upload`, { headers, body });

async function objectsOf(owner: string): Promise<string[]> {
  const bucket = await app.backend.bucket();
  const [files] = await bucket.getFiles({ prefix: `uploads/${owner}/` });
  return files.map(({ name }) => name);
}

describe('POST /api/upload', () => {
  test('stores a picture that anyone with its URL can fetch, byte for byte', async () => {
    const bytes = png();
    const response = await upload(formWith(bytes, 'photo.png', 'image/png'));
    const file = (await response.json()) as Uploaded;
    expect(response.status).toBe(200);
    expect(file).toEqual({ name: 'photo.png', contentType: 'image/png', url: file.url, size: bytes.length });

    const fetched = await fetch(file.url);
    expect(fetched.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('names the object as documented, at a path that nobody can guess', async () => {
    const file = (await (await upload(formWith(png(), 'My Photo.PNG'))).json()) as Uploaded;
    const path = decodeURIComponent(new URL(file.url).pathname);
    expect(path).toMatch(new RegExp(`/uploads/${person.uid}/[0-9a-f]{32}/My-Photo-\\d{13}\\.png$`));
  });

  test('is refused by its URL without the token', async () => {
    const file = (await (await upload(formWith(png(), 'photo.png'))).json()) as Uploaded;
    const bare = new URL(file.url);
    bare.searchParams.delete('token');
    expect((await fetch(bare)).status).toBe(403);
  });

  test('keeps a name in any script', async () => {
    const file = (await (await upload(formWith(png(), 'фото 写真.png'))).json()) as Uploaded;
    expect(file.name).toBe('фото 写真.png');
    expect((await fetch(file.url)).status).toBe(200);
  });

  test('accepts a session cookie from our own site, and from no other', async () => {
    const cookie = await startSession(app.url, person);
    const form = () => formWith(png(), 'photo.png');
    expect((await upload(form(), { ...cookie, Origin: APP_URL })).status).toBe(200);
    expect((await upload(form(), { ...cookie, Origin: 'https://evil.example' })).status).toBe(403);
  });

  test('answers 401 without a user, with the one field "error"', async () => {
    const response = await upload(formWith(png(), 'photo.png'), {});
    expect([response.status, await response.json()]).toEqual([401, { error: 'Sign in first.' }]);
  });

  test('is open to everyone if that is configured', async () => {
    await using open = await serveApp({ config: { uploadRequiresAuth: false } });
    expect((await upload(formWith(png(), 'photo.png'), {}, open.url)).status).toBe(200);
  });

  test.each([
    ['no file', () => new FormData(), 400],
    ['a file in another field', () => formWith(png(), 'photo.png', 'image/png', 'photo'), 400],
    ['an empty file', () => formWith('', 'photo.png'), 400],
    ['a type that is not accepted', () => formWith('MZ', 'setup.exe'), 415],
    [
      'a page named as a picture',
      () => formWith('<html><script>alert(1)</script>', 'photo.png', 'image/png'),
      415,
    ],
    ['a picture declared as a page', () => formWith(png(), 'photo.png', 'text/html'), 415],
    ['a file over the limit', () => formWith(pngOfSize(MAX_BYTES + 1), 'photo.png'), 413],
  ])('answers %s with the right status and stores nothing', async (_what, form, status) => {
    const sender = await signUp();
    const response = await upload(form(), sender.bearer);
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([status, ['error']]);
    expect(await objectsOf(sender.uid)).toEqual([]);
  });

  test('answers 400 to no body at all and 415 to another kind of body', async () => {
    const empty = await call('POST', `${app.url}/api/upload`, { headers: person.bearer });
    const json = await call('POST', `${app.url}/api/upload`, { headers: person.bearer, json: {} });
    expect([empty.status, json.status]).toEqual([400, 415]);
  });

  test('does not parse JSON, whose value could be many times larger than its text', async () => {
    const headers = { ...person.bearer, 'Content-Type': 'application/json' };
    const { status } = await call('POST', `${app.url}/api/upload`, { headers, body: '[' });
    expect(status).toBe(415);
  });

  test('accepts a file of exactly the limit', async () => {
    expect((await upload(formWith(pngOfSize(MAX_BYTES), 'photo.png'))).status).toBe(200);
  });

  test('stores the object with our content type, whatever the sender declared', async () => {
    const file = (await (await upload(formWith(png(), 'photo.png', 'image/x-png'))).json()) as Uploaded;
    const fetched = await fetch(file.url);
    expect(fetched.headers.get('content-type')).toBe('image/png');
    expect(fetched.headers.get('content-disposition')).toMatch(/^inline/);
  });

  test('stores text to be downloaded, whatever it contains', async () => {
    const file = (await (await upload(formWith('<script>alert(1)</script>', 'a.txt'))).json()) as Uploaded;
    const fetched = await fetch(file.url);
    expect(fetched.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(file.contentType).toMatch(/^text\/plain/);
  });
});

describe('when Storage', () => {
  test('fails, the answer is 503 with the general message', async () => {
    const broken = await startServer(500);
    await using other = await serveApp({ backend: { bucket: bucketAt(broken.url) } });
    const response = await upload(formWith(png(), 'photo.png'), person.bearer, other.url);
    expect([response.status, await response.json()]).toEqual([503, { error: 'Failed to upload file' }]);
    broken.close();
  });

  test('is missing, the answer is 503', async () => {
    const gone = await startServer(500);
    gone.close();
    await using other = await serveApp({ backend: { bucket: bucketAt(gone.url) } });
    expect((await upload(formWith(png(), 'photo.png'), person.bearer, other.url)).status).toBe(503);
  });

  /** The real client against a server that fails, without its long retries. */
  function bucketAt(apiEndpoint: string): AppUnderTest['backend']['bucket'] {
    const storage = new Storage({
      apiEndpoint,
      projectId: inject('stack').projectId,
      retryOptions: { autoRetry: false },
    });
    // The Admin SDK's types name the CommonJS build of the same package.
    return () => Promise.resolve(storage.bucket('bucket') as unknown as Bucket);
  }

  async function startServer(status: number) {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end('{}'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }
});
