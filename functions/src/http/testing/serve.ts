import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { onTestFinished } from 'vitest';
import { hideBodyHeaders } from '../body.ts';

type FrameworkHandler = Parameters<typeof http>[1];

/** Serves a handler on a free port until the test ends. @returns its origin */
export function serve(handler: RequestListener): Promise<string> {
  return listen(createServer(handler));
}

/** Serves a handler behind the Functions Framework. As in production, the framework does not see the body headers. */
export function serveAsFunction(handler: RequestListener): Promise<string> {
  http('api', handler as FrameworkHandler);
  return listen(getTestServer('api').prependListener('request', hideBodyHeaders));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
