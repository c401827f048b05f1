/**
 * `node scripts/local-api/server.ts FILE SOCKET`: serves the function `api` that FILE exports on a Unix socket, under Google's
 * Functions Framework and with any number of requests at once, as Cloud Functions does.
 */
import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { pathToFileURL } from 'node:url';
import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { SETTINGS } from '../../functions/src/settings/table.ts';
import { API_READY } from './ready.ts';
import { endIdleRelays, waitingRoom } from './relays.ts';

const [file = '', socket = ''] = process.argv.slice(2);
setDefaults();
http('api', await load());
const server: Server = getTestServer('api');
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

/** The function, or if it cannot be loaded one that answers why, so that the next change can repair it. */
async function load(): Promise<HttpFunction> {
  try {
    const exported = (await import(pathToFileURL(file).href)) as { api: HttpFunction };
    return exported.api;
  } catch (error) {
    console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    return (_request, response) => {
      response.status(500).type('text').send(`The functions cannot be loaded.\n${reason}\n`);
    };
  }
}
