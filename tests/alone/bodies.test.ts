import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_SETTINGS } from '../../functions/src/testing/settings.ts';
import { formWith, pngOfSize } from '../support/files.ts';
import { serveFunction, type FunctionProcess } from '../support/function-process.ts';
import { signUp } from '../support/people.ts';
import { PROJECT_PLANS } from '../support/plans.ts';
import { call } from '../support/requests.ts';

const MB = 1024 * 1024;

/**
 * Memory limit of the process. It takes up to 225 MB if it drops bodies, and 300 MB to 2,500 MB if the framework reads
 * them.
 */
const MOST_MEMORY = 280;

/** Members of gzip in a row are one body: here 0.7 MB that unpack to 700 MB. */
const BOMB = Buffer.concat(Array<Buffer>(10).fill(gzipSync(Buffer.alloc(70 * MB))));

/** JSON, form fields and text at the same time: `[[],[],…]`. */
const NESTED = Buffer.from(`[${'[],'.repeat((31 * MB) / 3)}[]]`);

interface Answer {
  status: number;
  type: string;
  body: string;
}

interface Sent {
  method?: string;
  path?: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** Sends it in chunks, without its length. */
  isChunked?: boolean;
}

/** Sends exactly these headers, which fetch would not. */
function send(url: string, { method = 'POST', path = '/api/auth/session', headers, body, isChunked }: Sent) {
  const length = isChunked === true ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': body.length };
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(url + path, { method, headers: { ...headers, ...length } }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      text(response).then((answer) => {
        resolve({ status, type: received['content-type'] ?? '', body: answer });
      }, reject);
    });
    sent.on('error', reject).end(body);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

const ATTACKS: [string, Sent, number][] = [
  ['0.7 MB of gzip', { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: BOMB }, 415],
  ['31 MB of JSON', { headers: JSON_TYPE, body: NESTED }, 413],
  ['31 MB of JSON without their length', { headers: JSON_TYPE, body: NESTED, isChunked: true }, 413],
  [
    '31 MB of JSON in capitals and with a charset',
    { headers: { 'content-TYPE': 'Application/JSON; charset=UTF-8' }, body: NESTED },
    413,
  ],
  [
    '31 MB of JSON for events',
    { headers: { 'Content-Type': 'application/cloudevents+json' }, body: NESTED },
    413,
  ],
  [
    '31 MB of JSON behind another content type',
    { headers: { 'Content-Type': ['application/json', 'text/plain'] }, body: NESTED },
    413,
  ],
  [
    '31 MB of form fields',
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: NESTED },
    413,
  ],
  ['31 MB of text', { headers: { 'Content-Type': 'text/plain; charset=utf-16' }, body: NESTED }, 413],
  ['31 MB of a form', { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: NESTED }, 413],
  ['31 MB for the webhook', { path: '/api/webhooks/stripe', headers: JSON_TYPE, body: NESTED }, 413],
  ['31 MB for an upload of JSON', { path: '/api/upload', headers: JSON_TYPE, body: NESTED }, 413],
  ['31 MB for a path without a route', { path: '/nowhere', headers: JSON_TYPE, body: NESTED }, 404],
];

test.each(ATTACKS)('%s needs no memory, also in several concurrent requests', async (_what, sent, status) => {
  await using api = await serveFunction({ settings: { UPLOAD_REQUIRES_AUTH: 'false' } });
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(api.url, sent)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill(status));
  expect(await api.peakMemory()).toBeLessThan(MOST_MEMORY);
});

describe('a refused body is answered in the shape of its route', () => {
  let api: FunctionProcess;
  beforeAll(async () => {
    api = await serveFunction({ settings: { UPLOAD_REQUIRES_AUTH: 'false' } });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const large = { headers: JSON_TYPE, body: Buffer.alloc(64 * 1024 + 1, ' ') };
  const packed = { headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: Buffer.from('no gzip') };

  test.each([
    ['POST', '/api/auth/session'],
    ['POST', '/api/auth/teams'],
    ['DELETE', '/api/uploads/none'],
    ['GET', '/api/health'],
    ['GET', '/api/auth/portal'],
  ])('%s %s: { error, code }', async (method, path) => {
    const answers = [
      await send(api.url, { method, path, ...large }),
      await send(api.url, { method, path, ...packed }),
    ];
    const error = expect.any(String) as string;
    expect(answers.map(({ status, body }) => [status, JSON.parse(body) as unknown])).toEqual([
      [413, { error, code: 'payload_too_large' }],
      [415, { error, code: 'unsupported_media_type' }],
    ]);
  });

  test.each([
    ['text', { headers: { 'Content-Type': 'text/plain' }, body: Buffer.alloc(1024, ' ') }],
    ['a large body', large],
  ])('an upload of %s with another method than POST: 404 with { error } alone', async (_what, sent) => {
    const { status, body } = await send(api.url, { method: 'PUT', path: '/api/upload', ...sent });
    expect([status, JSON.parse(body)]).toEqual([404, { error: expect.any(String) as string }]);
  });

  test('an upload: { error } alone', async () => {
    const { status, body } = await send(api.url, { path: '/api/upload', ...packed });
    expect([status, JSON.parse(body)]).toEqual([415, { error: expect.any(String) as string }]);
  });

  test.each([
    [413, large],
    [415, packed],
  ])('an invitation link: a fragment of HTML with %i', async (expected, sent) => {
    const path = '/api/team/accept-invitation?invitationId=a';
    const { status, type, body } = await send(api.url, { method: 'GET', path, ...sent });
    expect([status, type]).toEqual([expected, 'text/html; charset=utf-8']);
    expect(body).toMatch(/^<h3>[^<]+<\/h3>\s*<p>[^<]+<\/p>\s*$/);
  });

  test('broken JSON: { error, code } with 400', async () => {
    const { bearer } = await signUp();
    const answer = await send(api.url, {
      path: '/api/auth/teams',
      headers: { ...JSON_TYPE, ...bearer },
      body: Buffer.from('{'),
    });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { code: 'invalid_request' }]);
  });
});

describe('an accepted body arrives', () => {
  let api: FunctionProcess;
  beforeAll(async () => {
    api = await serveFunction({ settings: { UPLOAD_MAX_BYTES: String(31 * MB) } });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test('as JSON, also without its length', async () => {
    const { bearer } = await signUp();
    const sent: Sent = {
      path: '/api/auth/teams',
      headers: { 'Content-Type': 'APPLICATION/json; charset=utf-8', ...bearer },
      body: Buffer.from('{"name":"Acme"}'),
    };
    expect((await send(api.url, sent)).status).toBe(201);
    expect((await send(api.url, { ...sent, isChunked: true })).status).toBe(201);
  });

  test('as an event of Stripe of 900 KB, signed over its bytes', async () => {
    const payload = JSON.stringify({
      id: 'evt_large',
      object: 'event',
      type: 'payout.paid',
      data: { object: { note: 'ü'.repeat(450_000) } },
    });
    const secret = TEST_SETTINGS['STRIPE_WEBHOOK_SECRET'] ?? '';
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret });
    const { status, body } = await send(api.url, {
      path: '/api/webhooks/stripe',
      headers: { ...JSON_TYPE, 'Stripe-Signature': signature },
      body: Buffer.from(payload),
    });
    expect([status, body]).toEqual([200, '{"received":true}']);
  });

  test('as a file of 24 MB, if the plan allows one', async () => {
    const { bearer } = await signUp();
    const { fileMegabytes, storageMegabytes } = PROJECT_PLANS[0].limits;
    const picture = pngOfSize(Math.min(24, fileMegabytes, storageMegabytes) * 1_000_000);
    const answer = await call('POST', `${api.url}/api/upload`, {
      headers: bearer,
      body: formWith(picture, 'large.png'),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { size: picture.length }]);
  });
});

test('the other functions get their bodies from the framework, of any size', async () => {
  await using seats = await serveFunction({ target: 'syncSeats' });
  const json = { data: { teamId: 'none', filling: 'x'.repeat(200_000) } };
  const { bearer } = await signUp();
  const answer = await call('POST', seats.url, { headers: bearer, json });
  expect(answer.status).toBe(204);
});
