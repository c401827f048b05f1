import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { assertPortsFree, findFreePorts, isPortFree, PORT_NAMES, portsFrom } from './ports.ts';

async function listen(host: string): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer().listen({ port: 0, host });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

test.each(['127.0.0.1', '0.0.0.0'])('a port that another program holds on %s is not free', async (host) => {
  const { port, ...server } = await listen(host);
  expect(await isPortFree(port)).toBe(false);

  await server[Symbol.asyncDispose]();
  expect(await isPortFree(port)).toBe(true);
});

test('a port in use is named in one line, with its purpose and the place to change it', async () => {
  await using server = await listen('127.0.0.1');

  await expect(assertPortsFree({ auth: server.port })).rejects.toThrow(
    `Port ${server.port} (Auth) is in use. Stop the program that holds it, change emulators.auth.port in firebase.json, or add --free-ports --project demo-second.`,
  );
});

test('several ports in use are named in one line', async () => {
  await using first = await listen('127.0.0.1');
  await using second = await listen('127.0.0.1');

  await expect(assertPortsFree({ auth: first.port, stripe: second.port })).rejects.toThrow(
    `Ports ${first.port} (Auth), ${second.port} (Stripe) are in use.`,
  );
});

test('free ports are different ones, and outside the range of outgoing connections', async () => {
  const ports = Object.values(await findFreePorts());

  expect(new Set(ports).size).toBe(PORT_NAMES.length);
  for (const port of ports) {
    expect(port).toBeGreaterThan(10_240);
    expect(port).toBeLessThan(32_768);
  }
});

test('a configured port goes before the default of the Firebase CLI', () => {
  expect(portsFrom({ auth: 1234 })).toMatchObject({ auth: 1234, firestore: 8080, hub: 4400 });
});
