import { once } from 'node:events';
import { connect, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startGrpcProxy } from './grpc-proxy.ts';

/** More than Node's own limit, which closes the connection. */
const CANCELLED = 1_500;

test('a client may cancel many streams and still be answered on the same connection', async () => {
  const emulator = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/grpc' });
    response.end();
  });
  emulator.listen(0, '127.0.0.1');
  await once(emulator, 'listening');
  const { port } = emulator.address() as AddressInfo;
  await using proxy = await startGrpcProxy(`127.0.0.1:${port}`, () => Promise.resolve(true));
  const client = connect(`http://${proxy.host}`);
  for (let count = 0; count < CANCELLED; count++) {
    const stream = client.request({ ':path': '/service/Listen' }, { endStream: false });
    stream.close(constants.NGHTTP2_CANCEL);
    await once(stream, 'close');
  }
  const answered = client.request({ ':path': '/service/Commit', ':method': 'POST' }, { endStream: true });
  const [headers] = (await once(answered, 'response')) as [Record<string, unknown>];
  expect(headers[':status']).toBe(200);
  client.destroy();
  emulator.close();
});

test('a call whose answer is lost reaches the emulator, and its client gets UNAVAILABLE', async () => {
  const received: string[] = [];
  const emulator = createServer((request, response) => {
    received.push(request.url);
    response.writeHead(200, { 'content-type': 'application/grpc' });
    response.end();
  });
  emulator.listen(0, '127.0.0.1');
  await once(emulator, 'listening');
  const { port } = emulator.address() as AddressInfo;
  const isCommit = (method: string) => method === 'Commit';
  await using proxy = await startGrpcProxy(`127.0.0.1:${port}`, () => Promise.resolve(true), isCommit);
  const client = connect(`http://${proxy.host}`);
  const call = client.request({ ':path': '/service/Commit', ':method': 'POST' }, { endStream: true });
  const [headers] = (await once(call, 'response')) as [Record<string, unknown>];
  expect(headers['grpc-status']).toBe('14');
  expect(received).toEqual(['/service/Commit']);
  client.destroy();
  emulator.close();
});
