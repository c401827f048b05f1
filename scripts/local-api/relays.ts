import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createNetServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Where idle relays wait, beside the socket of the server. */
export function waitingRoom(socket: string): string {
  return `${socket}.idle`;
}

/** A process of the emulator that has nothing to do. */
interface IdleRelay {
  /** The socket on which it listens. */
  address: string;
  /** When it was started, in milliseconds since 1970. */
  startedAt: number;
}

/**
 * Ends idle relays, apart from the oldest one, which the emulator prefers. The emulator notices the end of a process a
 * moment later, so the server first takes over the address: a request of that moment is answered.
 */
export function endIdleRelays(socket: string, server: Server): void {
  const idle = new Map<Socket, IdleRelay>();
  const review = async (): Promise<void> => {
    const [, ...others] = [...idle].sort(([, a], [, b]) => a.startedAt - b.startedAt);
    for (const [connection] of others) idle.delete(connection);
    for (const [connection, { address }] of others) {
      await takeOver(address, server);
      connection.write('end\n');
    }
  };
  const room = createNetServer((connection) => {
    connection.on('error', () => undefined);
    connection.on('close', () => idle.delete(connection));
    createInterface({ input: connection }).once('line', (line) => {
      idle.set(connection, JSON.parse(line) as IdleRelay);
      void review();
    });
  });
  room.listen(waitingRoom(socket)).unref();
}

/** Also serves the requests that arrive at another address. Its own file is replaced in one step. */
async function takeOver(address: string, server: Server): Promise<void> {
  const other = createServer((request, response) => server.emit('request', request, response));
  other.listen(`${address}.next`).unref();
  await once(other, 'listening');
  await rename(`${address}.next`, address);
}
