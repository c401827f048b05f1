import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { RequestLog } from './request-log.ts';

export interface RequestSocket {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves the log at `ws://host:port/requests` as the Emulator UI expects: first one message with a list of all
 * requests, then one message for each. Rejects with the listening error, such as EADDRINUSE.
 */
export async function serveRequests(log: RequestLog, host: string, port: number): Promise<RequestSocket> {
  const server = new WebSocketServer({ host, port, path: '/requests', verifyClient: isLocal });
  server.on('connection', (socket) => {
    const send = (message: unknown): void => {
      socket.send(JSON.stringify(message));
    };
    socket.on('close', log.follow(send, send));
  });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A page of any site can connect. Only pages of this machine or of the same host may see the requests. */
function isLocal({ req }: { readonly req: IncomingMessage }): boolean {
  const { origin, host } = req.headers;
  if (origin === undefined) return true;
  const hostname = URL.parse(origin)?.hostname;
  return (
    hostname !== undefined &&
    (LOOPBACK.has(hostname) || hostname === URL.parse(`http://${host ?? ''}`)?.hostname)
  );
}
