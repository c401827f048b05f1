import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { hideBodyHeaders } from '../../functions/src/http/body.ts';

/**
 * Serves a handler inside Google's Functions Framework, which Cloud Functions runs. The bodies are hidden from it, as
 * index.ts does for the whole process.
 */
export async function listen(handler: HttpFunction): Promise<{ url: string; close: () => void }> {
  const name = `api-${randomUUID()}`;
  http(name, handler);
  const server = getTestServer(name).prependListener('request', hideBodyHeaders).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
