import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { samples } from '../functions/src/uploads/testing/samples.ts';
import { serveApp, type AppUnderTest } from './support/app.ts';
import { png } from './support/files.ts';
import { signUp, type Person } from './support/people.ts';
import { useResources } from './support/resources.ts';

interface Uploaded {
  name: string;
  contentType: string;
  url: string;
  size: number;
}

let app: AppUnderTest;
let person: Person;
let folder: string;
const resources = useResources();
beforeAll(async () => {
  app = resources.use(await serveApp({ config: { uploadMaxBytes: 31 * 1024 * 1024 } }));
  person = await signUp();
  folder = await mkdtemp(join(tmpdir(), 'hearth-files-'));
  resources.defer(() => rm(folder, { recursive: true }));
});

/** The file can be fetched without credentials, byte for byte. */
async function expectFetched({ url, size }: Uploaded, bytes: Buffer): Promise<void> {
  const fetched = await fetch(url);
  expect(fetched.status).toBe(200);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true);
  expect(size).toBe(bytes.length);
}

describe('curl with a token', () => {
  async function curl(name: string, bytes: Buffer): Promise<Uploaded> {
    const file = join(folder, name);
    await writeFile(file, bytes);
    const { stdout } = await promisify(execFile)('curl', [
      ...['--silent', '--fail-with-body', '--form', `file=@${file}`],
      ...['--header', `Authorization: Bearer ${person.idToken}`, `${app.url}/api/upload`],
    ]);
    return JSON.parse(stdout) as Uploaded;
  }

  test('sends a photo', async () => {
    const uploaded = await curl('photo.jpg', samples.jpeg);
    expect(uploaded).toMatchObject({ name: 'photo.jpg', contentType: 'image/jpeg' });
    expect(new URL(uploaded.url).pathname).toMatch(/photo-\d+\.jpg$/);
    await expectFetched(uploaded, samples.jpeg);
  });

  test('sends a PDF of 25 MB, and a file without a known type', async () => {
    const pdf = Buffer.alloc(25_000_000);
    samples.pdf.copy(randomFillSync(pdf));
    await expectFetched(await curl('report.pdf', pdf), pdf);
    await expectFetched(await curl('letter.docx', samples.docx), samples.docx);
  });
});

/** Sends a request in small pieces over its own socket, as a slow network does. */
async function sendSlowly(headers: Record<string, string>, body: Buffer): Promise<Uploaded> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({
    ...headers,
    Host: `${hostname}:${port}`,
    Authorization: `Bearer ${person.idToken}`,
    'Content-Length': `${body.length}`,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/upload HTTP/1.1\r\n${lines.join('')}\r\n`);
  for (let start = 0; start < body.length; start += 50) {
    socket.write(body.subarray(start, start + 50));
    await new Promise(setImmediate);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks).toString();
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)) as Uploaded;
}

const part = (boundary: string, headers: string[], bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

test.each<[string, string, string, string[]]>([
  [
    'the form of a browser',
    '----WebKitFormBoundaryABCDEFGHIJKLMNOP',
    'Фото 1.png',
    ['Content-Disposition: form-data; name="file"; filename="Фото 1.png"', 'Content-Type: image/png'],
  ],
  [
    'an app on Android',
    '7b4f6c1e-93a1-4b0e-8f0f-1f6d2a8f0b11',
    'IMG_0001.png',
    [
      'Content-Disposition: form-data; name="file"; filename="IMG_0001.png"',
      'Content-Type: image/png',
      `Content-Length: ${png(20, 20).length}`,
    ],
  ],
  [
    'an app on iOS',
    'Boundary+0xAbCdEf0123456789',
    'photo.png',
    [
      'content-disposition: form-data; name="file"; filename=photo.png',
      'content-type: application/octet-stream',
      'content-transfer-encoding: binary',
    ],
  ],
  [
    'an app in Dart',
    '--dio-boundary-1234567890',
    'scan.png',
    ['content-disposition: form-data; name="file"; filename="scan.png"'],
  ],
])('%s over a slow network', async (_client, boundary, name, headers) => {
  const bytes = png(20, 20);
  const contentType = `multipart/form-data; boundary=${boundary.includes('+') ? `"${boundary}"` : boundary}`;
  const uploaded = await sendSlowly({ 'Content-Type': contentType }, part(boundary, headers, bytes));
  expect(uploaded.name).toBe(name);
  await expectFetched(uploaded, bytes);
});
