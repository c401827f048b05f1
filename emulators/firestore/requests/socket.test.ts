import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { serveForTest } from '../testing.ts';

const FORBIDDEN = 401;

test.each([
  ['of this machine', 'http://localhost:4000'],
  ['of the same host', 'http://127.0.0.1:4000'],
  ['without an origin', undefined],
])('the requests are shown to a client %s', async (_title, origin) => {
  const { server } = await serveForTest({ requestsPort: 0 });
  const url = `ws://127.0.0.1:${server.requestsPort ?? 0}/requests`;
  const socket = new WebSocket(url, { ...(origin !== undefined && { origin }) });
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(message.toString())).toEqual([]);
});

test.each(['https://site.example', 'http://localhost.site.example', 'null'])(
  'the requests are not shown to a page of %s',
  async (origin) => {
    const { server } = await serveForTest({ requestsPort: 0 });
    const socket = new WebSocket(`ws://127.0.0.1:${server.requestsPort ?? 0}/requests`, { origin });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(FORBIDDEN);
  },
);

test('a port in use leaves the server without a place for the requests', async () => {
  const { server } = await serveForTest({ requestsPort: 0 });
  const report = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const second = await serveForTest({ requestsPort: server.requestsPort ?? 0 });
  expect(second.server.requestsPort).toBeUndefined();
  expect(report).toHaveBeenCalledWith(expect.stringContaining('EADDRINUSE'));
  report.mockRestore();
});

test('without a port for them, the requests are shown nowhere', async () => {
  const { server } = await serveForTest();
  expect(server.requestsPort).toBeUndefined();
});
