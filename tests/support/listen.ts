import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';

/** Serves a handler inside Google's functions framework, which Cloud Functions runs: it fills in `req.rawBody`. */
export async function listen(handler: HttpFunction): Promise<{ url: string; close: () => void }> {
  const name = `api-${randomUUID()}`;
  http(name, handler);
  const server = getTestServer(name).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
