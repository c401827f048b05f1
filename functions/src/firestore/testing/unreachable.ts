import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Firestore } from 'firebase-admin/firestore';
import { vi } from 'vitest';

/** A client of a Firestore at another address than that of the stack. */
export function firestoreAt(port: number, projectId = 'demo-unreachable'): Firestore {
  // The variable takes precedence over the settings of the client, which reads it once.
  vi.stubEnv('FIRESTORE_EMULATOR_HOST', `127.0.0.1:${port}`);
  // Otherwise the client looks for credentials at an address that only Google's machines have.
  process.env['METADATA_SERVER_DETECTION'] ??= 'none';
  try {
    return new Firestore({ projectId });
  } finally {
    vi.unstubAllEnvs();
  }
}

interface Unreachable extends Disposable {
  readonly port: number;
}

/** A server that accepts connections and never answers. */
export async function silentServer(): Promise<Unreachable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<Unreachable> {
  const { port, [Symbol.dispose]: close } = await silentServer();
  close();
  return { port, [Symbol.dispose]: () => undefined };
}
