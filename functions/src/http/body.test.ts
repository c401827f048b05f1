import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { receiveBody } from './body.ts';
import { jsonErrors } from './errors/render-error.ts';
import { serve, serveAsFunction } from './testing/serve.ts';

const LIMIT = 100;

function app() {
  return express()
    .use(receiveBody(LIMIT))
    .post('/', (request: express.Request & { rawBody?: Buffer }, response) => {
      response.json({ raw: request.rawBody?.toString(), body: request.body as unknown });
    })
    .use(jsonErrors);
}

describe.each([
  ['hidden from the framework', () => serveAsFunction(app())],
  ['without a framework', () => serve(app())],
])('a body %s', (_where, start) => {
  const post = async (body: BodyInit, headers: Record<string, string>) => {
    // The types of fetch do not know that a stream needs it.
    const options = { method: 'POST', body, headers, duplex: 'half' };
    const response = await fetch(await start(), options);
    return { status: response.status, ...((await response.json()) as object) };
  };
  const stream = (content: string) => new Blob([content]).stream();
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  test('is parsed if it is JSON, and kept as it arrived', async () => {
    expect(await post('{"a":1}', JSON_TYPE)).toEqual({ status: 200, raw: '{"a":1}', body: { a: 1 } });
  });

  test('has half of an emoji replaced by U+FFFD, because Firestore and URLs cannot have it', async () => {
    const answer = await post('{"a":["too expensive \\ud83d"],"b":"\\ud83d\\ude00"}', JSON_TYPE);
    expect(answer).toMatchObject({ body: { a: ['too expensive \ufffd'], b: '\ud83d\ude00' } });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.x+json',
    'application/cloudevents+json',
  ])('is kept and not parsed if its type is %s', async (type) => {
    expect(await post('a=1', { 'Content-Type': type })).toEqual({ status: 200, raw: 'a=1' });
  });

  test.each(['gzip', 'br', 'identity, gzip', 'GZIP', 'unknown'])(
    'with the content encoding %s is 415',
    async (encoding) => {
      const answer = await post('{"a":1}', { ...JSON_TYPE, 'Content-Encoding': encoding });
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  test('with the content encoding identity is accepted', async () => {
    const answer = await post('{"a":1}', { ...JSON_TYPE, 'Content-Encoding': 'Identity' });
    expect(answer).toMatchObject({ status: 200 });
  });

  test.each([
    ['with its length', (content: string) => content],
    ['without its length', stream],
  ])('%s and the size of the limit is accepted, with one byte more it is 413', async (_length, bodyOf) => {
    const type = { 'Content-Type': 'text/plain' };
    expect(await post(bodyOf('x'.repeat(LIMIT)), type)).toMatchObject({ status: 200 });
    expect(await post(bodyOf('x'.repeat(LIMIT + 1)), type)).toMatchObject({ status: 413 });
  });

  test.each(['{', '{"a":1} x', Buffer.from([0x22, 0xff, 0x22])])(
    'that is broken JSON is 400',
    async (content) => {
      expect(await post(content, JSON_TYPE)).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );
});

test('a body that the framework has read already has the same limit', async () => {
  const read: express.RequestHandler = (request, _response, next) => {
    Object.assign(request, { rawBody: Buffer.alloc(LIMIT + 1) });
    next();
  };
  const response = await fetch(await serve(express().use(read, app())), { method: 'POST', body: 'x' });
  expect(response.status).toBe(413);
});

test("a body that ends early is the caller's error", async () => {
  const failed = Promise.withResolvers<unknown>();
  const handler = express()
    .use(receiveBody(LIMIT))
    .use(((error, _request, _response, next) => {
      failed.resolve(error);
      next(error);
    }) as express.ErrorRequestHandler);
  const socket = connect(Number(new URL(await serve(handler)).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhalf');
  socket.resetAndDestroy();
  expect(await failed.promise).toMatchObject({ status: 400 });
});

test('a body is refused if its client has left before the body is read', async () => {
  const failed = Promise.withResolvers<unknown>();
  const handler = express()
    .use((request, _response, next) => {
      request.once('error', () => undefined).once('close', next);
    })
    .use(receiveBody(LIMIT))
    .use(((error, _request, _response, next) => {
      failed.resolve(error);
      next(error);
    }) as express.ErrorRequestHandler);
  const socket = connect(Number(new URL(await serve(handler)).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhalf');
  socket.resetAndDestroy();
  expect(await failed.promise).toMatchObject({ status: 400 });
});

test('an error is answered after the whole request has arrived', async () => {
  const completed = Promise.withResolvers<boolean>();
  const handler = express()
    .use((request, response) => {
      response.once('finish', () => {
        completed.resolve(request.complete);
      });
      throw new Error('at once');
    })
    .use(jsonErrors);
  const socket = connect(Number(new URL(await serve(handler)).port), '127.0.0.1');
  const body = 'x'.repeat(1_000_000);
  socket.end(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1.1 500 /);
  expect(await completed.promise).toBe(true);
});
