import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Stripe keeps idle connections for minutes. Node's default of 5 s cuts a client that was busy between two requests.
 */
const KEEP_ALIVE_MS = 10 * 60_000;

type Handler = (request: Request) => Response | Promise<Response>;

/** A server that listens but does not answer before it has a handler. */
export interface Listener {
  readonly port: number;
  /** Answers requests from now on. */
  serve: (handle: Handler) => void;
  /** Resolves when the requests in progress have been answered. */
  close: () => Promise<void>;
}

/**
 * Listens for HTTP requests. The handler has the types of `fetch`.
 * @param port 0 is a free port
 * @throws Error in one line if the port is in use or is not allowed
 */
export async function listen(host: string, port: number): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }).listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, host, port);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (handle) => {
      server.on('request', (incoming, response) => {
        void answer(server, incoming, response, handle);
      });
    },
    close: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // Closes the idle connections only.
  server.close();
  await closed;
}

/** A response closes its connection if its body fails, or if the server is closing. */
async function answer(
  server: Server,
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: Handler,
): Promise<void> {
  try {
    const { status, headers, body } = await respond(handle, await requestOf(incoming, response));
    const content = body === null ? null : await buffer(body);
    if (!server.listening) response.shouldKeepAlive = false;
    response.writeHead(status, Object.fromEntries(headers));
    response.end(content);
  } catch {
    response.destroy();
  }
}

async function requestOf(incoming: IncomingMessage, response: ServerResponse): Promise<Request> {
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const gone = new AbortController();
  response.on('close', () => {
    gone.abort();
  });
  return new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: await buffer(incoming) }),
  });
}

async function respond(handle: Handler, request: Request): Promise<Response> {
  try {
    return await handle(request);
  } catch (error) {
    console.error('[stripe]', error);
    return new Response('The local Stripe failed. Its log has the reason.', { status: 500 });
  }
}

function listenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Error(`Port ${port} on ${host} is in use.`, { cause: error });
  if (code === 'EACCES')
    return new Error(`Port ${port} on ${host} may not be used without privileges.`, { cause: error });
  return error;
}
