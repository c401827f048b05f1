/**
 * `node scripts/local-api/server.ts FILE SOCKET [--again]`: serves the function `api` that FILE exports on a Unix
 * socket, under Google's Functions Framework and with any number of concurrent requests, as Cloud Functions does.
 * Prints a line for each request.
 */
import { rmSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { SETTINGS } from '../../functions/src/settings/table.ts';
import { requestLine } from '../terminal.ts';
import { AGAIN, API_READY } from './ready.ts';
import { endIdleRelays, waitingRoom } from './relays.ts';

const [file = '', socket = '', again] = process.argv.slice(2);
setDefaults();
http('api', await load());
const server: Server = getTestServer('api');
server.prependListener('request', printLine);
// A server that was killed has left them.
for (const file of [socket, waitingRoom(socket)]) rmSync(file, { force: true });
endIdleRelays(socket, server);
server.listen(socket, () => {
  console.log(API_READY);
});
process.once('SIGINT', () => {
  // Requests in flight are answered.
  server.close(() => process.exit(0));
});

/** Sets the defaults of settings, as the CLI does. Read at each start, so that a new setting needs no other stack. */
function setDefaults(): void {
  for (const { name, default: value } of Object.values(SETTINGS)) {
    if (value !== undefined) process.env[name] ??= String(value);
  }
}

/** Prints the line of a request when it is answered. The query is left out, because it may contain secrets. */
function printLine({ method = '', url = '' }: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const [path = ''] = url.split('?');
  response.once('close', () => {
    const milliseconds = performance.now() - startedAt;
    console.log(requestLine({ method, path, status: response.statusCode, milliseconds }));
  });
}

/**
 * The function. If it cannot be loaded, the first start ends with the reason; later, a function that answers the reason
 * is served, so that the next change can repair it.
 */
async function load(): Promise<HttpFunction> {
  try {
    const exported = (await import(pathToFileURL(file).href)) as { api: HttpFunction };
    return exported.api;
  } catch (error) {
    console.error(error);
    if (again !== AGAIN) process.exit(1);
    const reason = error instanceof Error ? error.message : String(error);
    return (_request, response) => {
      response.status(500).type('text').send(`The functions cannot be loaded.\n${reason}\n`);
    };
  }
}
