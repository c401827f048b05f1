import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import type { Backend } from '../../backend.ts';
import { createDb } from '../../firestore/db.ts';
import { serveAsFunction } from '../../http/testing/serve.ts';
import { loadConfig } from '../../settings/config.ts';
import { TEST_SETTINGS } from '../../testing/settings.ts';
import { BOUNDARY, fieldPart, filePart, form } from '../testing/forms.ts';
import { impostors, samples } from '../testing/samples.ts';

const LIMIT = 1000;

/**
 * The whole app behind the Functions Framework, as in production. Firestore and Storage fail: no request may reach
 * them.
 */
async function start(uploadRequiresAuth = false): Promise<string> {
  const config = loadConfig({
    ...TEST_SETTINGS,
    UPLOAD_REQUIRES_AUTH: String(uploadRequiresAuth),
    UPLOAD_MAX_BYTES: String(LIMIT),
  });
  const unreachable = () => Promise.reject(new Error('out of reach'));
  const backend = {
    config,
    now: () => new Date(),
    db: createDb({ loadClient: unreachable, auditDays: config.auditDays }),
    bucket: unreachable,
  } as unknown as Backend;
  return `${await serveAsFunction(createApp(backend))}/api/upload`;
}

interface Request {
  headers?: Record<string, string>;
  body?: BodyInit;
}

const typed = (contentType: string, body: Buffer | string): Request => ({
  headers: { 'Content-Type': contentType },
  body: new Uint8Array(Buffer.from(body)),
});
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const good = form([filePart('a.html', 'content')]).body;
const file = (name: string, bytes: Buffer | string): Request => {
  const data = new FormData();
  data.append('file', new File([new Uint8Array(Buffer.from(bytes))], name, { type: 'image/png' }));
  return { body: data };
};

test.each<[string, Request, number]>([
  ['no body and no type', {}, 400],
  ['no body with a type', typed(MULTIPART, ''), 400],
  ['bytes without a type', { body: new Uint8Array(good) }, 415],
  ['JSON', typed('application/json', '{"file":"a"}'), 415],
  ['form fields', typed('application/x-www-form-urlencoded', 'file=a'), 415],
  ['text', typed('text/plain', 'file'), 415],
  ['a form without a boundary', typed('multipart/form-data', good), 400],
  ['a boundary of 300 characters', typed(`multipart/form-data; boundary=${'b'.repeat(300)}`, good), 400],
  ['half a form', typed(MULTIPART, good.subarray(0, 100)), 400],
  ['a form without a file', typed(MULTIPART, form([fieldPart('file')]).body), 400],
  ['two files', typed(MULTIPART, form([filePart('a.png', 'a'), filePart('b.png', 'b')]).body), 400],
  ['an empty file', file('a.png', ''), 400],
  ['a file without a usable name', file('..png', samples.png), 400],
  ['a file over the limit', file('a.txt', 'a'.repeat(LIMIT + 1)), 413],
  ['a type that is not accepted', file('a.exe', 'MZ'), 415],
  ['a page named as a picture', file('a.png', impostors.html), 415],
  [
    'a form compressed by gzip',
    { headers: { 'Content-Type': MULTIPART, 'Content-Encoding': 'gzip' }, body: gzipSync(good) },
    415,
  ],
  [
    'a bomb compressed by gzip',
    { headers: { 'Content-Type': MULTIPART, 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(5e7)) },
    415,
  ],
  [
    'a form declared as gzip without being compressed',
    { headers: { 'Content-Type': MULTIPART, 'Content-Encoding': 'gzip' }, body: new Uint8Array(good) },
    415,
  ],
  [
    'a form compressed by brotli',
    { headers: { 'Content-Type': MULTIPART, 'Content-Encoding': 'br' }, body: brotliCompressSync(good) },
    415,
  ],
])('%s is answered with the one field "error"', async (_what, { headers = {}, body = null }, status) => {
  const response = await fetch(await start(), { method: 'POST', headers, body });
  const answer = (await response.json()) as Record<string, unknown>;
  expect([response.status, answer]).toEqual([status, { error: expect.any(String) as string }]);
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
});

test('if Firestore fails while a valid file is reserved, the answer has the general message', async () => {
  const response = await fetch(await start(), { method: 'POST', ...file('a.png', samples.png) });
  expect([response.status, await response.json()]).toEqual([503, { error: 'Failed to upload file' }]);
});

test('a file may be declared as not encoded', async () => {
  const { headers, body = null } = file('a.png', samples.png);
  const declared = { ...headers, 'Content-Encoding': 'identity' };
  const response = await fetch(await start(), { method: 'POST', headers: declared, body });
  expect([response.status, await response.json()]).toEqual([503, { error: 'Failed to upload file' }]);
});

test('a request without a user is refused before its file is read', async () => {
  const response = await fetch(await start(true), { method: 'POST', ...file('a.exe', 'MZ') });
  expect([response.status, await response.json()]).toEqual([401, { error: 'Sign in first.' }]);
});

test('a sender who disconnects during the body does not disturb the next one', async () => {
  const url = new URL(await start());
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.write(
    `POST /api/upload HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART}\r\nContent-Length: 10000\r\n\r\n`,
  );
  socket.end(good);
  await text(socket).catch(() => undefined);
  const response = await fetch(url, { method: 'POST', ...file('a.exe', 'MZ') });
  expect(response.status).toBe(415);
});
