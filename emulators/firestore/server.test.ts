import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FirestoreServer } from './server.ts';
import { PROJECT, serveForTest } from './testing.ts';
import { loadServiceDefinition } from './wire/schema.ts';

const PERMISSION_DENIED = 7;

/** Calls a unary or bidirectional method directly and gives the status it ends with. */
async function statusOf(
  server: FirestoreServer,
  method: string,
  request: object,
  token?: string,
): Promise<status> {
  const definition = loadServiceDefinition()[method];
  if (!definition) throw new Error(`There is no method ${method}.`);
  const client = new Client(`${server.host}:${server.port}`, credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const { promise, resolve } = Promise.withResolvers<status>();
  const { path: route, requestSerialize, responseDeserialize } = definition;
  const call = client.makeServerStreamRequest(
    route,
    requestSerialize,
    responseDeserialize,
    request,
    metadata,
  );
  call.on('data', () => undefined).on('error', () => undefined);
  call.on('status', ({ code }) => {
    resolve(code);
  });
  return promise.finally(() => {
    client.close();
  });
}

describe('callers', () => {
  const request = { database: `projects/${PROJECT}/databases/(default)`, documents: [] };
  test.each([
    ['an administrator', 'owner', status.OK],
    ['nobody', undefined, PERMISSION_DENIED],
    ['an end user', 'eyJhbGciOiJub25lIn0.e30.', PERMISSION_DENIED],
  ])('%s', async (_name, token, expected) => {
    const { server } = await serveForTest();
    expect(await statusOf(server, 'BatchGetDocuments', request, token)).toBe(expected);
  });

  test('a pipeline without stages is refused with INVALID_ARGUMENT', async () => {
    const { server } = await serveForTest();
    expect(await statusOf(server, 'ExecutePipeline', {}, 'owner')).toBe(status.INVALID_ARGUMENT);
  });
});

describe('control endpoints', () => {
  test.each([
    ['GET', '/', undefined, 200],
    ['PUT', `/emulator/v1/projects/${PROJECT}:securityRules`, {}, 400],
    ['POST', `/emulator/v1/projects/${PROJECT}:export`, {}, 400],
    ['POST', `/emulator/v1/projects/${PROJECT}:unheardOf`, {}, 501],
    ['GET', `/v1/projects/${PROJECT}/databases/(default)/documents/a/b`, undefined, 403],
  ])('%s %s', async (method, route, body, expected) => {
    const { server } = await serveForTest();
    const response = await fetch(`http://${server.host}:${server.port}${route}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(expected);
  });

  test('clearing removes every document', async () => {
    const { server, firestore } = await serveForTest();
    await firestore.doc('a/b').set({});
    const route = `/emulator/v1/projects/${PROJECT}/databases/(default)/documents`;
    await fetch(`http://${server.host}:${server.port}${route}`, { method: 'DELETE' });
    expect((await firestore.doc('a/b').get()).exists).toBe(false);
    expect(await firestore.listCollections()).toEqual([]);
  });

  test('usage counts the operations that Google would bill', async () => {
    const { server, firestore } = await serveForTest();
    await firestore.doc('a/b').set({});
    await firestore.doc('a/missing').get();
    await firestore.collection('a').get();
    await firestore.collection('empty').get();
    await firestore.collection('a').count().get();
    await firestore.doc('a/b').delete();
    const usage = await fetch(`http://${server.host}:${server.port}/emulator/v1/projects/${PROJECT}:usage`);
    expect(await usage.json()).toEqual({ reads: 4, writes: 1, deletes: 1 });
  });
});

describe('the program', () => {
  const main = path.join(import.meta.dirname, 'main.ts');
  const start = (port: number): ReturnType<typeof spawn> => {
    const flags = [
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--websocket_port',
      '1',
      '--unheard_of',
      'x',
    ];
    const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return child;
  };

  test('takes the flags of the official emulator and ends cleanly on SIGTERM', async () => {
    const child = start(0);
    const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    const port = Number(/:(\d+)/.exec(line.toString())?.[1]);
    expect(await (await fetch(`http://127.0.0.1:${String(port)}/`)).text()).toBe('Ok\n');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('names a port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      taken.close();
    });
    await once(taken, 'listening');
    const child = start((taken.address() as AddressInfo).port);
    const errors: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errors.join('')).toContain(
      `Port ${String((taken.address() as AddressInfo).port)} is already in use.`,
    );
  });
});

test('an idle HTTP/1.1 connection stays open for minutes', async () => {
  const { server } = await serveForTest();
  const response = await fetch(`http://${server.host}:${server.port}/`);
  expect(Number(/timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(120);
});

test('a connection outlives any number of cancelled streams, such as those of refused writes', async () => {
  const { server } = await serveForTest();
  const session = connect(`http://${server.host}:${server.port}`);
  onTestFinished(() => {
    session.destroy();
  });
  const goaways: number[] = [];
  session.on('goaway', (code: number) => goaways.push(code)).on('error', () => undefined);
  const cancelOne = async () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/google.firestore.v1.Firestore/Write',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.on('error', () => undefined);
    await once(stream, 'response');
    stream.close(constants.NGHTTP2_CANCEL);
    await once(stream, 'close');
  };
  // Node's server allows a burst of 1,000, and 33 more each second.
  for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 100 }, cancelOne));
  expect(goaways).toEqual([]);
  expect(session.closed).toBe(false);
});
